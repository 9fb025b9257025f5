// What a `matchOrders` call fills, as its events will say it. Every maker is matched with the taker in one of three ways:
//
//   complementary   one buys what the other sells, the same token
//   mint            both buy, each another token of the market: new ones are made of their money
//   merge           both sell, each another token: they are taken back, and their money is shared out
import type { MatchCall, MatchedOrder } from './matchCall.ts'

/** Of one order. What it gave and got, in base units: money where `sells` is false, shares where it is true, and the other way round. */
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
 * `grossTaker`: the first exchange, which says of the taker what the call says that he gave, also where every maker is complementary. What he gave
 * beyond what was needed goes back to him, and no event says so. Null: the contract would refuse it.
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
      // A minted pair is one share for each; of a merged one the maker takes his price, and the taker the rest of the dollar.
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
