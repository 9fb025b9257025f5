// Predict.fun's only row on the fills of an order is the order itself: the shares matched so far. It has neither their
// price nor the fee.
import type { JsonObject } from '#schemas/executions'
import type { NormalizedFill } from '../../lane.ts'
import { normalizedFill, unitsIn } from '../../shared/exec/normalizedFill.ts'
import { decimals } from './amounts.ts'
import { statusOf } from './wire.ts'

export function readFill({ amountFilled, amount, status }: JsonObject): NormalizedFill | null {
  const isFilled = typeof status === 'string' && statusOf(status) === 'filled'
  // A filled order without a count is filled to its size.
  const size = unitsIn(amountFilled, decimals) ?? (isFilled ? unitsIn(amount, decimals) : null)
  return normalizedFill({ size, cash: null, fee: null, cumulative: true })
}
