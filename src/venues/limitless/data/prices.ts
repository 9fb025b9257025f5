// Prices in a market row. Pure.
import { ONE } from '#core/price'
import type { Quoted } from '../../shared/data/binary.ts'
import { numberOf, quoteOf } from '../../shared/data/parsers.ts'
import type { LimitlessMarket } from '../wire.ts'

/** The venue's only step. A quote at its first or last step means that there is none. */
export const tickMicros = 1_000

type Prices = Pick<LimitlessMarket, 'prices' | 'tradePrices'>

const isEdge = (micros: number | null): boolean => micros === tickMicros || micros === ONE - tickMicros
const unlessEdge = (micros: number | null): number | null => (isEdge(micros) ? null : micros)

/** Micros of YES. Pools write percent, or used to: both sides together show which it is. Null when it is neither. */
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

/** Prices for buying and selling YES at once, and its fair price once there has been a quote. */
export function quotedOf(raw: Prices): Quoted {
  const bid = quoteOf(raw.tradePrices?.sell.market[0])
  const ask = quoteOf(raw.tradePrices?.buy.market[0])
  const spot = spotOf(raw)
  // The midpoint of two edges is not a price.
  const isUnquoted = isEdge(bid) && isEdge(ask) && spot === ONE / 2
  return { price: isUnquoted ? null : spot, bid: unlessEdge(bid), ask: unlessEdge(ask) }
}
