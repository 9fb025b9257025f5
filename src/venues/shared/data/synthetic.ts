// The book of a venue that has none: one level per side, derived from a pool or a spot price. Pure. Such a market has `synthetic: true` in
// its metadata, so that it is never taken for resting depth.
import type { BookSnapshot, SnapshotLevel } from '../../venue.ts'
import { isLevelPrice } from './parsers.ts'

/** The price to sell or buy at, micros, and the size available; null when unknown. A pool's formula is its venue's. */
export interface TopOfBook {
  micros: number | null
  size: number | null
}

const levelOf = ({ micros, size }: TopOfBook): SnapshotLevel[] =>
  micros !== null && isLevelPrice(micros) && size !== null && size > 0 ? [[micros, size]] : []

/**
 * A side that cannot be determined is empty: no price, no size, or a price that no order could have. Null when the two sides
 * cross.
 */
export function topOnlyBook(
  bookId: string,
  sides: { bid: TopOfBook; ask: TopOfBook },
  recvTs: number,
): BookSnapshot | null {
  const [bids, asks] = [levelOf(sides.bid), levelOf(sides.ask)]
  const [bid, ask] = [bids[0], asks[0]]
  if (bid !== undefined && ask !== undefined && bid[0] >= ask[0]) return null
  const unknown = { eventTs: null, lastTradeMicros: null, isNegRisk: null, tickMicros: null }
  return { bookId, bids, asks, recvTs, ...unknown }
}
