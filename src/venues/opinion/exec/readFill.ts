// Opinion's fills: trades of an order, each with its shares, the price of its own outcome, and the fee in the token
// that is paid.
import { compareDecimals } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { FilledOrder, NormalizedFill } from '../../lane.ts'
import { cashAt, decimalIn, normalizedFill } from '../../shared/exec/normalizedFill.ts'

export function readFill(fill: JsonObject, order: FilledOrder): NormalizedFill | null {
  const size = decimalIn(fill.shares)
  const cash = isOfItsOutcome(fill, order) ? (cashAt(size, decimalIn(fill.price)) ?? amountOf(fill, size)) : null
  return normalizedFill({ size, cash, fee: decimalIn(fill.feeFormatted) })
}

/** 1 YES, 2 NO. A trade that names neither is of the order's outcome. */
const isOfItsOutcome = ({ outcomeSide }: JsonObject, { terms }: FilledOrder): boolean =>
  terms !== null && (outcomeSide == null || String(outcomeSide) === (terms.outcomeSide === 'YES' ? '1' : '2'))

/** For a trade without a price. A share costs less than 1: more than that is in another unit. */
function amountOf({ amount: reported }: JsonObject, size: string | null): string | null {
  const amount = decimalIn(reported)
  if (amount === null || size === null) return null
  return compareDecimals(amount, '0') > 0 && compareDecimals(amount, size) < 0 ? amount : null
}
