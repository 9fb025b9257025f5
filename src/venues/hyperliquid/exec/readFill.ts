// Hyperliquid's fills: size and price of the coin, which is one side of an outcome, and the fee with its token. A
// builder's fee is part of the fee.
// https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/websocket/subscriptions (WsFill)
import { compareDecimals } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { FilledOrder, NormalizedFill } from '../../lane.ts'
import { cashAt, decimalIn, normalizedFill } from '../../shared/exec/normalizedFill.ts'

export function readFill(fill: JsonObject, order: FilledOrder): NormalizedFill | null {
  const size = decimalIn(fill.sz)
  return normalizedFill({ size, cash: cashAt(size, decimalIn(fill.px)), ...feeOf(fill, order) })
}

/** Tokens of outcomes: a plus sign and the encoding, or its numeric id. */
const ofOutcome = /^(\+\d+|\d{9,})$/

/** Opening costs nothing; some fills of the test network were charged in the outcome's own token. */
function feeOf(
  { fee: reported, feeToken }: JsonObject,
  { bounds }: FilledOrder,
): Pick<NormalizedFill, 'fee' | 'feeIn'> {
  const fee = decimalIn(reported)
  if (fee === null || compareDecimals(fee, '0') === 0) return { fee, feeIn: 'cash' }
  if (typeof feeToken !== 'string') return { fee: null, feeIn: 'cash' }
  if (ofOutcome.test(feeToken)) return { fee, feeIn: 'outcome' }
  // Orders built before the token was recorded are paid in whatever the fee is taken in.
  const { quoteToken } = bounds
  return { fee: typeof quoteToken === 'string' && quoteToken !== feeToken ? null : fee, feeIn: 'cash' }
}
