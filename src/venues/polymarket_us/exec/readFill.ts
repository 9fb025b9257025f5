// Polymarket US's only row on the fills of an order is the order itself: its filled quantity, the average price, which
// is always that of the long side, and the commission so far, below zero for a maker's rebate. The average may be
// rounded, and so is the amount calculated from it.
import type { Json, JsonObject } from '#schemas/executions'
import type { FilledOrder, NormalizedFill } from '../../lane.ts'
import { cashAt, decimalIn, normalizedFill, ownPrice, wholeSize } from '../../shared/exec/normalizedFill.ts'
import { statusOf } from './wire.ts'

export function readFill(fill: JsonObject, order: FilledOrder): NormalizedFill | null {
  const size = decimalIn(fill.cumQuantity) ?? wholeSize(fill.state, statusOf, fill.quantity)
  const price = ownPrice(amountIn(fill.avgPx), order)
  return normalizedFill({
    size,
    cash: cashAt(size, price),
    fee: amountIn(fill.commissionNotionalTotalCollected),
    cumulative: true,
  })
}

/** `{value, currency}`; in dollars, as everything there. */
const amountIn = (amount: Json | undefined): string | null =>
  typeof amount === 'object' && amount !== null && 'value' in amount ? decimalIn(amount.value) : decimalIn(amount)
