// Maps books to our types: bids as they rest, and asks derived from the bids for the other outcome. Pure.
import { complement, levelsOf, snapshotOf } from '../../shared/data/levels.ts'
import { amountOf, microsOf } from '../../shared/data/parsers.ts'
import type { BookSnapshot, SnapshotLevel } from '../../venue.ts'
import type { NovigBooks, NovigOrder } from '../wire.ts'

/** Per contract, which pays 1 CASH. */
const centsPerContract = 100

/**
 * Orders at one price are summed; play money and orders no longer resting are left out. Null when one cannot be read.
 */
function bidsOf(orders: readonly NovigOrder[]): SnapshotLevel[] | null {
  const resting = orders.filter(({ status, currency }) => status === 'OPEN' && (currency ?? 'CASH') === 'CASH')
  // In cents first, which makes the sum exact.
  const levels = levelsOf(resting, ({ price, qty }) => [microsOf(price), amountOf(qty)], 'summed')
  return levels?.map(([micros, cents]) => [micros, cents / centsPerContract]) ?? null
}

/** Of one outcome of the market. Null when either side cannot be read, or the outcome belongs to another market. */
export function normalizeBook(bookId: string, { outcomes }: NovigBooks, recvTs: number): BookSnapshot | null {
  const own = outcomes.find(({ id }) => id === bookId)
  if (own === undefined) return null
  // With three outcomes, no other outcome's bid is an offer of this one.
  const [other] = outcomes.length === 2 ? outcomes.filter(({ id }) => id !== bookId) : []
  const otherBids = other === undefined ? [] : bidsOf(other.orders)
  const sides = { bids: bidsOf(own.orders), asks: otherBids === null ? null : complement(otherBids) }
  return snapshotOf(bookId, sides, recvTs, { lastTradeMicros: microsOf(own.last) })
}
