// A plan as it is returned and kept: decimal strings made from the whole numbers it was computed in.
import type { z } from 'zod'
import { divideDecimals, fromUnits, toUnits } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { RouterAlternative, RouterGroupKind, RouterLeftOut, RouterQuote } from '#schemas/router'
import type { CountedLeg } from '#storage/postgres/router/closing'
import type { LeftOutMarket, Way } from './candidates.ts'
import type { TradedOutcome } from './outcomes.ts'
import type { OfferQuote } from './plan/offerCurve.ts'
import type { RoutePlan } from './plan/route.ts'

export interface PlannedLeg {
  /** Legs of one component are to be filled equally. */
  component: number
  outcome: TradedOutcome
  isBuy: boolean
  units: number
  quote: OfferQuote
  bookAgeMs: number
  closesPosition: number | null
}

/** What is kept of a plan next to its legs. */
export interface StoredPlan {
  /** Without `accounts`. */
  request: JsonObject
  quote: RouterQuote
  alternatives: z.infer<typeof RouterAlternative>[]
  leftOut: z.infer<typeof RouterLeftOut>[]
  /** Of legs that pay together: how many of them win at least; null: nothing is paid together. */
  winners: number | null
}

export interface PlannedGroup {
  kind: RouterGroupKind
  closesId: string | null
  plan: StoredPlan
  legs: PlannedLeg[]
  /** Of a closing plan: the legs that it takes into account. It is kept only while they are as they were. */
  counted?: CountedLeg[]
}

export const dollars = (micros: number): string => fromUnits(BigInt(Math.round(micros)), 6)
export const contracts = (units: number): string => fromUnits(BigInt(units), 2)
export const price = (micros: number): string => fromUnits(BigInt(micros), 6)
export const unitsOf = (size: string): number => Number(toUnits(size, 2))
export const microsOf = (amount: string): number => Number(toUnits(amount, 6))

/** Null for nothing. */
export const averageOf = (micros: number, units: number): string | null =>
  units === 0 ? null : divideDecimals(dollars(micros), contracts(units), 6, 'halfEven')

interface Sums {
  notional: number
  fee: number
  settlement: number
}

const sumsOf = (quotes: readonly OfferQuote[]): Sums => ({
  notional: quotes.reduce((sum, { notional }) => sum + notional, 0),
  fee: quotes.reduce((sum, { fee }) => sum + fee, 0),
  settlement: quotes.reduce((sum, { settlement }) => sum + settlement, 0),
})

export interface Quoted {
  isBuy: boolean
  units: number
  quotes: readonly OfferQuote[]
  isFilled: boolean
  isProven: boolean
  /** Zero without a proof: not known. */
  gap: number
  /** Of legs that pay together, micros. */
  payout?: number
  edge?: number
}

export function quoteOf({ isBuy, units, quotes, isFilled, isProven, gap, payout, edge }: Quoted): RouterQuote {
  const { notional, fee, settlement } = sumsOf(quotes)
  return {
    contracts: contracts(units),
    notional: dollars(notional),
    fee: dollars(fee),
    settlementFee: dollars(settlement),
    averagePrice: averageOf(notional, units),
    total: dollars(isBuy ? notional + fee : notional - fee),
    filled: isFilled,
    proven: isProven,
    gap: isProven || gap > 0 ? dollars(gap) : null,
    payout: payout === undefined ? null : dollars(payout),
    edge: edge === undefined ? null : dollars(edge),
  }
}

/** The legs of a split, and the plan they belong to. */
export function plannedRoute(
  plan: RoutePlan,
  ways: readonly Way[],
  more: { isBuy: boolean; request: JsonObject; leftOut: readonly LeftOutMarket[]; closesPosition?: number },
): { plan: StoredPlan; legs: PlannedLeg[] } {
  const { isBuy, request, leftOut, closesPosition = null } = more
  const wayOf = new Map(ways.map((way) => [way.candidate.id, way]))
  const nameOf = (id: string) => {
    const { venue, marketId, structure } = wayOf.get(id)!
    return { venue, marketId, structure }
  }
  const legs = plan.shares.flatMap(({ id, units, quotes }, component) => {
    const way = wayOf.get(id)!
    return way.outcomes.map((outcome, index): PlannedLeg => {
      const [quote, bookAgeMs] = [quotes[index]!, way.ages[index]!]
      return { component, outcome, isBuy, units, quote, bookAgeMs, closesPosition }
    })
  })
  const quotes = plan.shares.flatMap((share) => share.quotes)
  return {
    legs,
    plan: {
      request,
      quote: quoteOf({ ...plan, isBuy, quotes }),
      alternatives: plan.singles.map(({ id, units, cost }) => ({
        ...nameOf(id),
        contracts: contracts(units),
        averageTotal: averageOf(Math.abs(cost), units),
        total: dollars(isBuy ? cost : -cost),
      })),
      leftOut: [
        ...leftOut.map(({ venue, marketId, structure, reason }) => ({ venue, marketId, structure, reason })),
        ...plan.leftOut.map(({ id, reason }) => ({ ...nameOf(id), reason })),
      ],
      winners: null,
    },
  }
}
