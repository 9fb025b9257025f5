// Whether an execution can only reduce risk. Blocks on trading must not block such an execution.
import { compareDecimals } from '#lib/decimal'
import type { LaneExecution } from '#venues/lane'

/** A cancellation, or a modification to no more contracts at no worse a price. */
export function isRiskReducing({ intent, terms, target }: LaneExecution): boolean {
  if (intent === 'cancel') return true
  const stood = target?.terms ?? null
  if (intent !== 'modify' || terms === null || stood === null) return false
  const price = compareDecimals(terms.price, stood.price)
  return compareDecimals(terms.size, stood.size) <= 0 && (terms.isBuy ? price <= 0 : price >= 0)
}
