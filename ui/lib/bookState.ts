// One book from the stream, and whether it is live. Pure.
import type { Level } from '#schemas/marketData'
import type { Frame } from './frame.ts'

export interface LiveBook {
  bids: readonly Level[]
  asks: readonly Level[]
  /** The venue's time, epoch ms. */
  timestamp: number
  /** Why the book is stale; null: it is live. */
  staleBecause: string | null
}

export interface BookState {
  /** Null: no book has arrived yet. */
  book: LiveBook | null
  /** The stream has no book for this id. */
  refusal: string | null
}

const lost = 'the connection to the stream is lost'
export const none: BookState = { book: null, refusal: null }

export function nextBook(state: BookState, frame: Frame | null): BookState {
  if (frame === null) return state.book === null ? none : { ...state, book: { ...state.book, staleBecause: lost } }
  if (frame.type === 'snapshot' || frame.type === 'update')
    return { book: { ...frame.data, staleBecause: null }, refusal: null }
  if (frame.type !== 'error') return state
  return state.book === null
    ? { book: null, refusal: frame.message }
    : { ...state, book: { ...state.book, staleBecause: frame.message } }
}
