// Prices in a market row. Pure.
import { ONE } from '#lib/price'
import type { Quoted } from '../../shared/data/binary.ts'
import { numberOf, quoteOf } from '../../shared/data/readers.ts'
import type { LimitlessMarket } from '../wire.ts'

/** The venue's one step. What stands on the first and the last of its steps is how it writes that nobody quotes. */
export const tickMicros = 1_000

type Prices = Pick<LimitlessMarket, 'prices' | 'tradePrices'>

const isEdge = (micros: number | null): boolean => micros === tickMicros || micros === ONE - tickMicros
const unlessEdge = (micros: number | null): number | null => (isEdge(micros) ? null : micros)

/** Micros of YES. Pools write percent, or did: both sides together say which it is. Null for what is neither. */
export function spotOf({ prices }: Prices): number | null {
  const [yes, no] = [numberOf(prices?.[0]), numberOf(prices?.[1])]
  if (yes === null || no === null || yes < 0 || no < 0) return null
  const whole = yes + no
  const scale = isNear(whole, 1) ? 1 : isNear(whole, 100) ? 100 : null
  if (scale === null) return null
  const micros = Math.round((yes / scale) * ONE)
  return micros <= ONE ? micros : null
}

/** Rounding of either side. */
const isNear = (sum: number, whole: number): boolean => Math.abs(sum / whole - 1) < 0.02

/** What somebody pays who takes YES at once, and gets who gives it; what it is thought worth, once anybody has quoted it. */
export function quotedOf(raw: Prices): Quoted {
  const bid = quoteOf(raw.tradePrices?.sell.market[0])
  const ask = quoteOf(raw.tradePrices?.buy.market[0])
  const spot = spotOf(raw)
  // The middle of two edges is nobody's price.
  const isUnquoted = isEdge(bid) && isEdge(ask) && spot === ONE / 2
  return { price: isUnquoted ? null : spot, bid: unlessEdge(bid), ask: unlessEdge(ask) }
}
