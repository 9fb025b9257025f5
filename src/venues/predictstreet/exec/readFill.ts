// PredictStreet's fills: trades of an order, with the price of its outcome, and the fee of a taker. A buyer is charged
// in shares, and in which unit a row then counts the fee is undocumented.
// https://docs.adipredictstreet.com/api-reference/orders/fills-for-a-specific-order
import { compareDecimals } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { FilledOrder, NormalizedFill } from '../../lane.ts'
import { cashAt, decimalIn, normalizedFill } from '../../shared/exec/normalizedFill.ts'

export function readFill(fill: JsonObject, order: FilledOrder): NormalizedFill | null {
  const size = decimalIn(fill.quantity) ?? decimalIn(fill.size)
  const price = isOfItsOutcome(fill, order) ? decimalIn(fill.price) : null
  return normalizedFill({ size, cash: cashAt(size, price), fee: feeOf(fill, order) })
}

/** A trade that names no outcome is of the order's. */
function isOfItsOutcome({ outcomeIndex }: JsonObject, { unsigned: { post } }: FilledOrder): boolean {
  if (outcomeIndex == null) return true
  return typeof post === 'object' && post !== null && 'outcome' in post && String(outcomeIndex) === post.outcome
}

function feeOf({ fee: reported }: JsonObject, { terms }: FilledOrder): string | null {
  const fee = decimalIn(reported)
  if (fee === null || compareDecimals(fee, '0') === 0) return fee
  return terms?.isBuy === false ? fee : null
}
