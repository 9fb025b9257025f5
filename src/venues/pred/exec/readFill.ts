// PRED reports how much of an order was matched, and not at which price: the row has the order's limit. Fees are
// undocumented.
import { subtractDecimals } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { NormalizedFill } from '../../lane.ts'
import { decimalIn, normalizedFill } from '../../shared/exec/normalizedFill.ts'

export const readFill = (fill: JsonObject): NormalizedFill | null =>
  normalizedFill({ size: sizeOf(fill), cash: null, fee: null, cumulative: true })

/** Shares: of an open order what is no longer left of it, of an acceptance as fully matched all of it. */
function sizeOf(fill: JsonObject): string | null {
  const quantity = decimalIn(fill.quantity)
  if (!('remaining_quantity' in fill)) return quantity
  const left = decimalIn(fill.remaining_quantity)
  return quantity === null || left === null ? null : subtractDecimals(quantity, left)
}
