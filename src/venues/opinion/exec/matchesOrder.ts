// Compares an answer's or a row's order with ours. The venue takes no client order id.
import { compareDecimals, readDecimal, roundDecimal } from '#core/decimal'
import type { OrderComparison, OrderTerms } from '../../lane.ts'
import type { OpinionOrder } from './wire.ts'

type Row = {
  [Member in 'marketId' | 'sideEnum' | 'outcomeSide' | 'price' | 'orderShares']?: OpinionOrder[Member] | null
}

export function aboutOf(order: Row, topicId: number, terms: OrderTerms | null): OrderComparison {
  if (terms === null) return { market: [order.marketId, topicId] }
  const { sideEnum, outcomeSide, price, orderShares } = order
  return {
    market: [order.marketId, topicId],
    side: [sideEnum, terms.isBuy ? 'buy' : 'sell'],
    outcome: [outcomeSide, terms.outcomeSide === 'YES' ? '1' : '2'],
    price: [price, terms.price],
    size: [orderShares != null && isSize(orderShares, terms.size) ? terms.size : orderShares, terms.size],
  }
}

/** Shares have as many decimals as a token; the venue may show fewer, truncated or rounded. */
function isSize(shown: string, size: string): boolean {
  const places = (readDecimal(shown)?.split('.')[1] ?? '').length
  return (['down', 'halfEven'] as const).some(
    (rounding) => compareDecimals(roundDecimal(size, places, rounding), shown) === 0,
  )
}
