// Whether an execution can only reduce risk. Blocks on trading must not block such an execution.
import { compareDecimals } from '#core/decimal'
import type { LaneExecution } from '#venues/lane'

/** A cancellation, or a modification to no more contracts at no worse a price. */
export function isRiskReducing({ intent, terms, target }: LaneExecution): boolean {
  if (intent === 'cancel') return true
  const current = target?.terms ?? null
  if (intent !== 'modify' || terms === null || current === null) return false
  const price = compareDecimals(terms.price, current.price)
  return compareDecimals(terms.size, current.size) <= 0 && (terms.isBuy ? price <= 0 : price >= 0)
}
