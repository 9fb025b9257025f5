// Gemini's only row on the fills of an order is the order itself: its filled quantity and the average price, in dollars
// of the named leg. No row has a fee. The average may be rounded, and so is the amount calculated from it.
import type { JsonObject } from '#schemas/executions'
import type { FilledOrder, NormalizedFill } from '../../lane.ts'
import { cashAt, decimalIn, normalizedFill, wholeSize } from '../../shared/exec/normalizedFill.ts'
import { statusOf } from './wire.ts'

export function readFill(fill: JsonObject, order: FilledOrder): NormalizedFill | null {
  const size = decimalIn(fill.filledQuantity) ?? wholeSize(fill.status, statusOf, fill.quantity)
  const price = isOfItsLeg(fill, order) ? decimalIn(fill.avgExecutionPrice) : null
  return normalizedFill({ size, cash: cashAt(size, price), fee: null, cumulative: true })
}

/** A row that names no leg is of the order's. */
const isOfItsLeg = ({ outcome }: JsonObject, { terms }: FilledOrder): boolean =>
  terms !== null && (typeof outcome !== 'string' || outcome.toUpperCase() === terms.outcomeSide)
