// Emptied books kept for the next snapshot: it is written while the old book is still in use, then the two are swapped and the old one
// returns here.
import { type Book, createBook } from './book.ts'

/** By the tick sizes that venues really use; books of any other are left to the garbage collector. */
const spares = new Map<number | null, Book[]>([null, 10_000, 1_000, 100].map((tickMicros) => [tickMicros, []]))
/** Snapshots are written one at a time; more than one is spare only when a session keeps several open. */
const sparesMax = 4

/** An empty book to write a snapshot into. */
export const acquireBook = (tickMicros: number | null): Book => spares.get(tickMicros)?.pop() ?? createBook(tickMicros)

/** Returns a book that has no readers. */
export function releaseBook(book: Book, tickMicros: number | null): void {
  const held = spares.get(tickMicros)
  if (held === undefined || held.length >= sparesMax) return
  book.clear()
  held.push(book)
}
