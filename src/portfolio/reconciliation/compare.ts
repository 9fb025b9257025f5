// Compares the positions of our journal with those that a venue shows, outcome by outcome. Pure and exact: a quantity counts as equal within
// the venue's own rounding only.
//
//   equal      both show the same quantity, and the same cost where both know it
//   drift      both show the outcome, with another quantity or cost; or the venue still shows what was redeemed
//   orphan     only the venue shows it
//   ghost      only we have it, and the venue's list is complete
//   unproven   only we have it, and the list proves nothing about it
//   pending    the difference consists of fills, or of a settlement, that one side does not have yet
import { addDecimals, compareDecimals, divideDecimals, subtractDecimals } from '#core/decimal'
import type { HeldPosition, HoldingsReader, RecentFill } from '#venues/holdings'
import { netOurs, netTheirs } from './net.ts'
import type { OurPosition } from './ourPosition.ts'

/** A fill that one side does not show within this time is a difference. Settlement on a chain, and the lag of venues' lists. */
export const settlingMs = 120_000

export interface Sides {
  ours: readonly OurPosition[]
  /**
   * Those whose market is settled in our journal, with what they were before the settlement and after redemptions that the venue shows by
   * now, which may be nothing. A venue may list them until it has paid.
   */
  settled: readonly OurPosition[]
  theirs: readonly HeldPosition[]
  isComplete: boolean
  /** Of the venue's lists, epoch ms. */
  asOf: number
  rules: Pick<HoldingsReader, 'sides' | 'quantityStep' | 'costStep'>
  /** Fills of the last minutes as the venue shows them, and as our journal has them. */
  recent: { theirs: readonly RecentFill[]; ours: readonly RecentFill[] }
  /** By outcome: orders of which the venue reported more as filled than we have stored. */
  unexplained: readonly { outcomeId: string; executionId: string; size: string }[]
}

export type DifferenceClass = 'equal' | 'drift' | 'orphan' | 'ghost' | 'unproven' | 'pending'
export type Reason =
  | 'same'
  | 'within_rounding'
  | 'quantity'
  | 'cost'
  | 'not_in_journal'
  | 'not_at_venue'
  | 'list_incomplete'
  | 'market_ended'
  | 'fills_not_stored'
  | 'fills_not_shown'
  | 'settled'

export interface Compared {
  /** Null: the catalog does not know the outcome. */
  marketId: string | null
  outcomeId: string
  /** Null: no position. */
  ours: Amount | null
  theirs: Amount | null
  class: DifferenceClass
  reason: Reason
  /** Theirs less ours. */
  difference: string
  /** The same of the average cost; null: one of them is unknown, or they cannot be compared. */
  costDifference: string | null
  /** Of our last entry, epoch ms. */
  lastEntryAt: number | null
  /** Executions with fills that are not stored. */
  unexplained: string[]
}

export interface Amount {
  quantity: string
  averageCost: string | null
}

/** Sorted by market and outcome. */
export function comparePositions(sides: Sides): Compared[] {
  const { rules } = sides
  const ours = rules.sides === undefined ? sides.ours : netOurs(sides.ours, rules.sides)
  const theirs = rules.sides === undefined ? sides.theirs : netTheirs(sides.theirs, ours, rules.sides)
  const settled = rules.sides === undefined ? sides.settled : netOurs(sides.settled, rules.sides)
  const known = new Map(ours.map((position) => [keyOf(position), position]))
  const before = new Map(settled.map((position) => [keyOf(position), position]))
  const shown = new Map(theirs.map((position) => [keyOf(position), position]))
  return [...new Set([...known.keys(), ...shown.keys()])].sort().flatMap((key) => {
    const pair = { ours: known.get(key) ?? null, theirs: shown.get(key) ?? null, settled: before.get(key) ?? null }
    return compareOne(pair, sides) ?? []
  })
}

const keyOf = ({ marketId, outcomeId }: Pick<HeldPosition, 'marketId' | 'outcomeId'>): string =>
  JSON.stringify([marketId, outcomeId])

interface Pair {
  ours: OurPosition | null
  theirs: HeldPosition | null
  /** Ours before the settlement; null: not settled. */
  settled: OurPosition | null
}

function compareOne({ ours, theirs, settled }: Pair, sides: Sides): Compared | null {
  const { marketId, outcomeId } = (theirs ?? ours)!
  const [held, shown] = [ours?.quantity ?? '0', theirs?.quantity ?? '0']
  if (held === '0' && shown === '0') return null
  const difference = subtractDecimals(shown, held)
  const outcomes = marketId === null ? [outcomeId] : (sides.rules.sides?.(marketId) ?? [outcomeId])
  const unexplained = sides.unexplained.filter((order) => outcomes.includes(order.outcomeId))
  const newestOf = (fills: readonly RecentFill[]) => ownFills(fills, outcomeId, outcomes)
  const found = {
    marketId,
    outcomeId,
    ours: held === '0' ? null : { quantity: held, averageCost: ours!.averageCost },
    theirs: shown === '0' ? null : { quantity: shown, averageCost: theirs!.averageCost },
    difference,
    costDifference: costDifferenceOf(ours, theirs),
    lastEntryAt: (ours ?? settled)?.updatedAt ?? null,
    unexplained: unexplained.map(({ executionId }) => executionId),
  }
  if (isNear(difference, sides.rules.quantityStep)) {
    if (found.costDifference !== null && !isCostWithin(found.costDifference, ours!, sides.rules.costStep)) {
      return { ...found, class: 'drift', reason: 'cost' }
    }
    return { ...found, class: 'equal', reason: difference === '0' ? 'same' : 'within_rounding' }
  }
  if (
    settled !== null &&
    shown !== '0' &&
    isNear(subtractDecimals(shown, settled.quantity), sides.rules.quantityStep)
  ) {
    return { ...found, class: 'pending', reason: 'settled' }
  }
  const missing = unexplained.reduce((sum, { size }) => addDecimals(sum, size), '0')
  if (missing !== '0' && compareDecimals(magnitude(difference), missing) <= 0) {
    return { ...found, class: 'pending', reason: 'fills_not_stored' }
  }
  if (isSumOfNewest(difference, newestOf(sides.recent.theirs))) {
    return { ...found, class: 'pending', reason: 'fills_not_stored' }
  }
  if (isSumOfNewest(subtractDecimals('0', difference), newestOf(sides.recent.ours))) {
    return { ...found, class: 'pending', reason: 'fills_not_shown' }
  }
  if (held === '0' && settled === null) return { ...found, class: 'orphan', reason: 'not_in_journal' }
  if (shown !== '0') return { ...found, class: 'drift', reason: 'quantity' }
  if (!sides.isComplete) return { ...found, class: 'unproven', reason: 'list_incomplete' }
  if (ours!.isEnded) return { ...found, class: 'unproven', reason: 'market_ended' }
  return { ...found, class: 'ghost', reason: 'not_at_venue' }
}

/** Null unless both are held on the same side, at a known cost. */
function costDifferenceOf(ours: OurPosition | null, theirs: HeldPosition | null): string | null {
  if (ours?.averageCost == null || theirs?.averageCost == null) return null
  const [held, shown] = [signOf(ours.quantity), signOf(theirs.quantity)]
  return held === 0 || held !== shown ? null : subtractDecimals(theirs.averageCost, ours.averageCost)
}

const signOf = (quantity: string): -1 | 0 | 1 => compareDecimals(quantity, '0')

/** Newest first. A fill of the other side counts against this one. */
const ownFills = (fills: readonly RecentFill[], outcomeId: string, outcomes: readonly string[]): RecentFill[] =>
  fills
    .filter((fill) => outcomes.includes(fill.outcomeId))
    .map((fill) => (fill.outcomeId === outcomeId ? fill : { ...fill, isBuy: !fill.isBuy }))
    .toSorted((a, b) => b.at - a.at)

/** Venues report the cost before fees; ours includes them, at most all that were paid in this outcome. */
function isCostWithin(difference: string, { fees, quantity }: OurPosition, step: string): boolean {
  if (fees === null) return true
  const perShare = divideDecimals(magnitude(fees), magnitude(quantity), 9, 'up')
  return compareDecimals(magnitude(difference), addDecimals(perShare, step)) <= 0
}

/** Within the venue's own rounding. */
const isNear = (difference: string, step: string | undefined): boolean =>
  difference === '0' || (step !== undefined && compareDecimals(magnitude(difference), step) < 0)

const magnitude = (amount: string): string => (amount.startsWith('-') ? amount.slice(1) : amount)

/** Whether the newest fills, some or all, add up to the amount. */
function isSumOfNewest(amount: string, newestFirst: readonly RecentFill[]): boolean {
  let sum = '0'
  return newestFirst.some(({ isBuy, size }) => {
    sum = isBuy ? addDecimals(sum, size) : subtractDecimals(sum, size)
    return sum === amount
  })
}
