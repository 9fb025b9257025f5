// REST books against live books: written whole, or compared.
import type { LiveBook } from '#books/liveBook'
import { ASK, BID, type BookSnapshot, type SnapshotLevel } from '#venues/venue'

/** Replaces the book by the snapshot: nothing of the old one stays. */
export function applySnapshot(book: LiveBook, snapshot: BookSnapshot): void {
  book.beginSnapshot()
  for (const [price, size] of snapshot.bids) book.set(BID, price, size)
  for (const [price, size] of snapshot.asks) book.set(ASK, price, size)
  if (snapshot.lastTradeMicros !== null) book.lastTradeMicros = snapshot.lastTradeMicros
  book.commit(snapshot.eventTs, snapshot.recvTs)
}

const compared = 20
const prices = new Int32Array(compared)
const sizes = new Float64Array(compared)

/** True when the best levels of both sides agree, or when the snapshot is from before what we already show. */
export function sameBook(book: LiveBook, snapshot: BookSnapshot): boolean {
  if (snapshot.eventTs !== null && book.eventTs !== null && snapshot.eventTs <= book.eventTs) return true
  return (
    sameSide(book, BID, snapshot.bids, (a, b) => b[0] - a[0]) &&
    sameSide(book, ASK, snapshot.asks, (a, b) => a[0] - b[0])
  )
}

function sameSide(
  book: LiveBook,
  side: typeof BID | typeof ASK,
  levels: readonly SnapshotLevel[],
  bestFirst: (a: SnapshotLevel, b: SnapshotLevel) => number,
): boolean {
  const best = levels
    .filter(([, size]) => size > 0)
    .sort(bestFirst)
    .slice(0, compared)
  const held = book.copyLevels(side, compared, prices, sizes)
  return (
    held === best.length && best.every(([price, size], i) => prices[i] === price && Math.abs(sizes[i]! - size) < 1e-9)
  )
}
