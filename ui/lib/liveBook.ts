// Live books from the stream, subscribed to while a component shows them.
import { useEffect, useState } from 'preact/hooks'
import { type BookState, nextBook, none } from './bookState.ts'
import { bookOf } from './stream.ts'

const levels = 20

/** By `<venue> <outcomeId>`. */
export function useBooks(wanted: readonly { venue: string; outcomeId: string }[]): ReadonlyMap<string, BookState> {
  const [books, setBooks] = useState<ReadonlyMap<string, BookState>>(new Map())
  const names = wanted.map(bookName).join('\n')
  // `names` identifies the wanted books
  useEffect(() => {
    setBooks(new Map())
    const ends = wanted.map((one) =>
      bookOf(one.venue, one.outcomeId, levels, (frame) => {
        const name = bookName(one)
        setBooks((before) => new Map(before).set(name, nextBook(before.get(name) ?? none, frame)))
      }),
    )
    return () => {
      for (const end of ends) end()
    }
  }, [names])
  return books
}

export const bookName = ({ venue, outcomeId }: { venue: string; outcomeId: string }): string => `${venue} ${outcomeId}`
