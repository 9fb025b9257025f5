import { expect, it } from 'vitest'
import { conflationMs } from '#core/books/conflation'
import { WatchedBooks } from '#orders/triggers/watchedBooks'

it('a book that was written more often than it was read is broken if its times are too far apart', () => {
  const followed = new WatchedBooks(2)
  let version = 0
  const breaksAt = (time: number, writes: number): number => {
    version += writes
    const book = { version, eventTs: time, recvTs: 0, breaks: 7 }
    followed.note(1, book)
    return book.breaks
  }
  breaksAt(1_000, 1)
  expect(breaksAt(5_000, 1)).toBe(7)
  expect(breaksAt(5_000 + conflationMs, 3)).toBe(7)
  expect(breaksAt(5_001 + 2 * conflationMs, 2)).toBe(8)
  expect(breaksAt(5_002 + 2 * conflationMs, 1)).toBe(8)
  // Without a venue time the receive time is used.
  const untimed = { version: version + 2, eventTs: Number.NaN, recvTs: 6_000, breaks: 7 }
  followed.note(1, untimed)
  expect(untimed.breaks).toBe(9)
})
