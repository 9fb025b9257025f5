// The fills of a `matchOrders` call, as its events will report them. Every maker is matched with the taker in one of
// three ways:
//
//   complementary   one buys what the other sells, the same token
//   mint            both buy, different tokens of the market: new ones are minted from their money
//   merge           both sell, different tokens: they are burned, and the money is split
import type { MatchCall, MatchedOrder } from './settlementCalldata.ts'

/** Of one order. What it gave and got, in base units: money when `sells` is false, shares when it is true, and the other way round. */
export interface OrderFill {
  order: MatchedOrder
  gave: bigint
  got: bigint
}

export interface MatchFills {
  taker: OrderFill
  makers: OrderFill[]
}

/**
 * `grossTaker`: the first exchange, which reports the taker's given amount as in the call, even if every maker is complementary. Any excess is
 * refunded without an event. Null: the contract would revert.
 */
export function fillsOfCall({ taker, takerFill, makers }: MatchCall, grossTaker: boolean): MatchFills | null {
  const filled = makers.map(({ order, fill }) => ({ order, gave: fill, got: otherLeg(fill, order) }))
  const isComplementary = ({ order }: OrderFill): boolean => order.sells !== taker.sells
  const others = new Set(filled.filter((fill) => !isComplementary(fill)).map(({ order }) => order.tokenId))
  if (others.size > 1 || others.has(taker.tokenId)) return null
  if (filled.some((fill) => isComplementary(fill) && fill.order.tokenId !== taker.tokenId)) return null

  const got = sum(
    filled.map((fill) => {
      if (isComplementary(fill)) return fill.gave
      // A minted pair is one share for each; of a merged one the maker gets their price, and the taker the rest of the
      // dollar.
      return taker.sells ? fill.gave - fill.got : fill.got
    }),
  )
  if (got < 0n) return null
  const isNet = others.size === 0 && !grossTaker
  const gave = isNet ? sum(filled.map((fill) => fill.got)) : takerFill
  return { taker: { order: taker, gave, got }, makers: filled }
}

const otherLeg = (fill: bigint, { makerAmount, takerAmount }: MatchedOrder): bigint =>
  makerAmount === 0n ? 0n : (fill * takerAmount) / makerAmount

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
