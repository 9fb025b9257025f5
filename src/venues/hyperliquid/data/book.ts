// One coin's book: twenty levels a side, with the venue's time.
import type { BookSnapshot, SnapshotLevel, VenueContext } from '../../venue.ts'
import type { HyperBook } from '../wire.ts'
import { isCoin } from './coin.ts'
import { getBook, unreadable } from './endpoints.ts'
import { amountOf, levelMicros, tickMicros } from './numbers.ts'

/** Null when the venue has no such coin. What cannot be a coin of an outcome is asked for too: whoever asks may only want to know that we are heard. */
export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  const raw = await getBook(context, bookId)
  if (raw === null || !isCoin(bookId)) return null
  const book = raw.coin === bookId ? normalizeBook(raw, context.clock.now()) : null
  if (book === null) throw unreadable(`l2Book ${bookId}: level or coin`)
  return book
}

/** Null when a level cannot be read: half a book is no book. */
export function normalizeBook({ coin, time, levels }: HyperBook, recvTs: number): BookSnapshot | null {
  const bids = levelsOf(levels[0])
  const asks = levelsOf(levels[1])
  if (bids === null || asks === null) return null
  return { bookId: coin, bids, asks, eventTs: time, recvTs, lastTradeMicros: null, isNegRisk: null, tickMicros }
}

function levelsOf(rows: HyperBook['levels'][0]): SnapshotLevel[] | null {
  const levels: SnapshotLevel[] = []
  for (const { px, sz } of rows) {
    const micros = levelMicros(px)
    const size = amountOf(sz)
    if (micros === null || size === null) return null
    if (size > 0) levels.push([micros, size])
  }
  return levels
}
