// The body of a leg's build, with the fields that its venue takes.
import { parseBody } from '#orders/executions/parseBody'
import { withoutVenuePrefix } from '#orders/executions/stripVenuePrefix'
import type { JsonObject } from '#schemas/executions'
import type { ExecutionAdapter } from '#venues/lane'
import { orderFields } from '#venues/shared/exec/orderFields'
import { checkSupportedOptions } from '#venues/shared/exec/orderOptions'
import { contracts, type PlannedLeg, price } from './planned.ts'

const immediate = 'immediate-or-cancel'

/** The venue takes orders that never rest. */
export const isImmediate = ({ orderOptions }: Pick<ExecutionAdapter, 'orderOptions'>): boolean =>
  orderOptions?.timeInForce?.includes(immediate) === true

/** `given`: the caller's further fields for this venue. */
export function buildBodyOf(
  lane: Pick<ExecutionAdapter, 'order' | 'orderOptions'>,
  { outcome, isBuy, units, quote }: PlannedLeg,
  given: Readonly<Record<string, unknown>>,
): JsonObject {
  const { marketId, outcomeId, outcomeSide } = outcome
  const terms = { marketId, outcomeId, outcomeSide, isBuy, price: price(quote.limitMicros), size: contracts(units) }
  return { ...(isImmediate(lane) && { timeInForce: immediate }), ...given, ...orderFields(lane, terms) } as JsonObject
}

/** Throws VALIDATION_ERROR for fields that the venue does not take, above all credentials: what passes may be stored. */
export function checkBuildBody(lane: ExecutionAdapter, body: JsonObject): void {
  checkSupportedOptions(lane, body)
  parseBody(lane.order.body, withoutVenuePrefix(lane.slug, body))
}
