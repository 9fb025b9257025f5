// Whether an execution can only take risk away. What stands in the way of trading must not stand in the way of that.
import { compareDecimals } from '#lib/decimal'
import type { LaneExecution } from '#venues/lane'

/** A cancellation; a modification to no more contracts at no worse a price. */
export function lessens({ intent, terms, target }: LaneExecution): boolean {
  if (intent === 'cancel') return true
  const stood = target?.terms ?? null
  if (intent !== 'modify' || terms === null || stood === null) return false
  const price = compareDecimals(terms.price, stood.price)
  return compareDecimals(terms.size, stood.size) <= 0 && (terms.isBuy ? price <= 0 : price >= 0)
}
