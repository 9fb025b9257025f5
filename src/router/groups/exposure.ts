// What a group still lacks: legs of one component are to be filled equally, and a split is to be filled in full. Fills of closing groups count.
import { addDecimals, compareDecimals, subtractDecimals } from '#core/decimal'
import type { RouterLegRow } from '#storage/postgres/router/groupRow'
import type { LegState } from './legState.ts'

export interface LegBalance {
  leg: RouterLegRow
  /** Contracts of its outcome that the group and what closes it have filled. */
  filled: string
  /** More than the least of its component, and less than the most. */
  excess: string
  missing: string
}

/** Null: a leg has not ended, or what was filled of it is not known. */
export function balancesOf(own: readonly LegState[], closing: readonly LegState[]): LegBalance[] | null {
  const filled: string[] = []
  for (const { leg, hasEnded, filled: size } of own) {
    if (!hasEnded || size === null) return null
    filled[leg.position] = size
  }
  for (const { leg, hasEnded, filled: size } of closing) {
    if (!hasEnded || size === null) return null
    const position = leg.closes_position
    const closed = own.find((each) => each.leg.position === position)
    if (position === null || closed === undefined) continue
    const before = filled[position]!
    const isMore = leg.is_buy === closed.leg.is_buy
    filled[position] = isMore ? addDecimals(before, size) : subtractDecimals(before, size)
  }
  return own.map(({ leg }) => {
    const peers = own.flatMap((each) => (each.leg.component === leg.component ? [filled[each.leg.position]!] : []))
    const mine = filled[leg.position]!
    return {
      leg,
      filled: mine,
      excess: subtractDecimals(mine, peers.reduce(smaller)),
      missing: subtractDecimals(peers.reduce(larger), mine),
    }
  })
}

const smaller = (a: string, b: string): string => (compareDecimals(a, b) <= 0 ? a : b)
const larger = (a: string, b: string): string => (compareDecimals(a, b) >= 0 ? a : b)

export const isZero = (amount: string): boolean => compareDecimals(amount, '0') === 0

/** Contracts that every leg of its component has, over all components. */
export function completed(balances: readonly LegBalance[]): string {
  const least = new Map<number, string>()
  for (const { leg, filled } of balances) {
    const known = least.get(leg.component)
    least.set(leg.component, known === undefined ? filled : smaller(known, filled))
  }
  return [...least.values()].reduce(addDecimals, '0')
}

/** Contracts that closing legs without a leg of their own have filled. */
export const filledApart = (closing: readonly LegState[]): string =>
  closing
    .filter(({ leg }) => leg.closes_position === null)
    .map(({ filled }) => filled ?? '0')
    .reduce(addDecimals, '0')

/** What is left of the request; never below zero. */
export function remainingOf(planned: string, balances: readonly LegBalance[], closing: readonly LegState[]): string {
  const left = subtractDecimals(planned, addDecimals(completed(balances), filledApart(closing)))
  return compareDecimals(left, '0') < 0 ? '0' : left
}
