// Maps the book of a slug to our type, on the long side's scale. Pure.
import { levelsOf, snapshotOf } from '../../shared/data/levels.ts'
import { amountOf, microsOf, timeOf } from '../../shared/data/parsers.ts'
import type { BookSnapshot } from '../../venue.ts'
import type { UsBook, UsLevel } from '../wire.ts'

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
