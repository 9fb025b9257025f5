// One coin's book: twenty levels per side, with the venue's time.
import { levelsOf, snapshotOf } from '../../shared/data/levels.ts'
import { amountOf, microsOf } from '../../shared/data/parsers.ts'
import { unreadable } from '../../shared/data/rest.ts'
import type { BookSnapshot } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import type { HyperBook } from '../wire.ts'
import { isCoin } from './coin.ts'
import { getBook } from './endpoints.ts'
import { tickMicros } from './numbers.ts'

/** Null when the venue has no such coin. Ids that cannot be an outcome's coin are requested too: the caller may only want to test reachability. */
export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  const raw = await getBook(context, bookId)
  if (raw === null || !isCoin(bookId)) return null
  const book = raw.coin === bookId ? normalizeBook(raw, context.clock.now()) : null
  if (book === null) throw unreadable(context, `l2Book ${bookId}`, 'level or coin')
  return book
}

/** Null when a level cannot be read. */
export function normalizeBook({ coin, time, levels }: HyperBook, recvTs: number): BookSnapshot | null {
  const [bids, asks] = levels.map((rows) => levelsOf(rows, ({ px, sz }) => [microsOf(px), amountOf(sz)]))
  return snapshotOf(coin, { bids: bids ?? null, asks: asks ?? null }, recvTs, { eventTs: time, tickMicros })
}
