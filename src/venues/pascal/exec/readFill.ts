// Pascal's fills: whole contracts, the price in the market's one book, which is that of YES, and the fee in dollars.
import type { JsonObject } from '#schemas/executions'
import type { FilledOrder, NormalizedFill } from '../../lane.ts'
import { cashAt, decimalIn, normalizedFill, ownPrice } from '../../shared/exec/normalizedFill.ts'

export function readFill(fill: JsonObject, order: FilledOrder): NormalizedFill | null {
  const size = decimalIn(fill.fill_size)
  const price = ownPrice(decimalIn(fill.fill_price), order)
  return normalizedFill({ size, cash: cashAt(size, price), fee: decimalIn(fill.fee_usd) })
}
