// The book of a slug, on the long side's scale.

import { levelsOf, snapshotOf } from '../../shared/data/levels.ts'
import { amountOf, microsOf, timeOf } from '../../shared/data/parsers.ts'
import { recentBook } from '../../shared/data/recentBooks.ts'
import { unreadable } from '../../shared/data/rest.ts'
import type { BookSnapshot } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { isSlug } from '../slug.ts'
import type { UsBook, UsLevel } from '../wire.ts'
import { getBook } from './endpoints.ts'

/**
 * The venue counts calls, and its own reads are half a minute old anyway. Slightly shorter than the poll's cadence, so that a poll always reads.
 */
export const freshMs = 25_000

export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  if (!isSlug(bookId)) return null
  return recentBook(context, bookId, freshMs, async () => {
    const body = await getBook(context, bookId)
    if (body === null) return null
    const snapshot = normalizeBook(bookId, body.marketData, context.clock.now())
    if (snapshot !== null) return snapshot
    throw unreadable(context, `/v1/markets/${bookId}/book`, 'an invalid level, or another market')
  })
}

/** Null when unreadable, or another market's. */
export function normalizeBook(bookId: string, raw: UsBook, recvTs: number): BookSnapshot | null {
  if (raw.marketSlug !== bookId) return null
  const side = (rows: readonly UsLevel[]) =>
    levelsOf(rows, ({ px, qty }) => [microsOf(px.value), amountOf(qty)], 'refused')
  return snapshotOf(bookId, { bids: side(raw.bids), asks: side(raw.offers) }, recvTs, {
    eventTs: timeOf(raw.transactTime),
    lastTradeMicros: microsOf(raw.stats?.lastTradePx?.value),
  })
}
