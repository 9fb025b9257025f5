// Novig's fills: cents of payout, and the price of the outcome that the order bought. A sale is a purchase of the other
// outcome.
import type { JsonObject } from '#schemas/executions'
import type { FilledOrder, NormalizedFill } from '../../lane.ts'
import { cashAt, decimalIn, normalizedFill, otherPrice, unitsIn } from '../../shared/exec/normalizedFill.ts'

/** Of a contract, in cents. */
const decimals = 2

export function readFill(fill: JsonObject, order: FilledOrder): NormalizedFill | null {
  const size = unitsIn(fill.qty, decimals)
  // Only takers pay, and no row says how much. https://docs.novig.com/api/concepts/fees
  return normalizedFill({ size, cash: cashAt(size, priceOf(fill, order)), fee: fill.isTaker === false ? '0' : null })
}

/** Of the order's outcome. A row that names no outcome is of the one bought. */
function priceOf(fill: JsonObject, { unsigned, terms }: FilledOrder): string | null {
  if (terms === null) return null
  const price = decimalIn(fill.price)
  const named = fill.outcomeId ?? unsigned.outcomeId
  if (named === terms.outcomeId) return price
  return typeof named === 'string' && named === unsigned.outcomeId ? otherPrice(price) : null
}
