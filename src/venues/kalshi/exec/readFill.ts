// Kalshi's fills: each row has its size, the prices of both outcomes and the fee, in dollars.
import type { JsonObject } from '#schemas/executions'
import type { FilledOrder, NormalizedFill } from '../../lane.ts'
import { cashAt, decimalIn, normalizedFill, otherPrice } from '../../shared/exec/normalizedFill.ts'

export function readFill(fill: JsonObject, order: FilledOrder): NormalizedFill | null {
  const size = decimalIn(fill.count_fp)
  return normalizedFill({ size, cash: cashAt(size, priceOf(fill, order)), fee: decimalIn(fill.fee_cost) })
}

/** Of the order's outcome: a sale of NO is booked as a purchase of YES. Rows of the history may have one price only. */
function priceOf(fill: JsonObject, { terms }: FilledOrder): string | null {
  if (terms === null) return null
  const [yes, no] = [decimalIn(fill.yes_price_dollars), decimalIn(fill.no_price_dollars)]
  return terms.outcomeSide === 'YES' ? (yes ?? otherPrice(no)) : (no ?? otherPrice(yes))
}
