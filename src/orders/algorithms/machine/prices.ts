// Prices that algorithms take from a book.
import { ONE } from '#core/price'
import type { AlgorithmPlan, BookLevel, LiveSlice, MarketView } from './types.ts'

type Sides = Pick<AlgorithmPlan, 'side' | 'limitPrice'>

/** The best price of the side, without the algorithm's own order; null: there is none. */
export function bestWithoutOwn(
  levels: readonly BookLevel[],
  own: Pick<LiveSlice, 'price' | 'size' | 'filled'> | null,
): number | null {
  for (const { price, size } of levels) {
    if (own === null || price !== own.price || size > own.size - own.filled) return price
  }
  return null
}

/** The best price of the other side is no worse than the limit. */
export function isTakeable({ side, limitPrice }: Sides, { bids, asks }: MarketView): boolean {
  const best = side === 'buy' ? asks[0] : bids[0]
  if (best === undefined) return false
  return side === 'buy' ? best.price <= limitPrice : best.price >= limitPrice
}

/** The price that follows `to`, no worse than the limit; null: there is nothing to follow. */
export function followedPrice(
  plan: Sides & Pick<AlgorithmPlan, 'showsOwnOrders'>,
  to: 'bid' | 'ask',
  { bids, asks }: MarketView,
  live: LiveSlice | null,
): number | null {
  const own = plan.showsOwnOrders && live !== null && live.state === 'sent' && to === ownSideOf(plan) ? live : null
  const best = bestWithoutOwn(to === 'bid' ? bids : asks, own)
  if (best === null) return null
  const price = plan.side === 'buy' ? Math.min(best, plan.limitPrice) : Math.max(best, plan.limitPrice)
  return price > 0 && price < ONE ? price : null
}

export const ownSideOf = ({ side }: Pick<AlgorithmPlan, 'side'>): 'bid' | 'ask' => (side === 'buy' ? 'bid' : 'ask')
