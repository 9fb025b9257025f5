// What an order trades, in the fields of its venue's build body.
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import type { BodyTerms, ExecutionAdapter, OrderTerms } from '../../lane.ts'

/** Prices and sizes are decimal strings. */
export type GivenTerms = Partial<OrderTerms>

type Lane = { order: Pick<ExecutionAdapter['order'], 'fieldsOf'> }

/** The fields for those terms that are given. `body`: the fields of the build that the caller gave. */
export function orderFields({ order }: Lane, { price, size, ...rest }: GivenTerms, body: JsonObject = {}): JsonObject {
  const terms: BodyTerms = {
    ...rest,
    ...(price !== undefined && { price: numberOrText(price) }),
    ...(size !== undefined && { size: numberOrText(size) }),
  }
  return order.fieldsOf?.(terms, body) ?? usualFields(terms)
}

export function usualFields({ marketId, outcomeId: _named, ...rest }: BodyTerms): JsonObject {
  return { ...(marketId !== undefined && { outcome: marketId }), ...rest }
}

/** A build body that its caller gave without these terms. Throws VALIDATION_ERROR if it names one of them. */
export function withOrderFields(lane: Lane, body: JsonObject, terms: GivenTerms): JsonObject {
  const fields = orderFields(lane, terms, body)
  const extra = Object.keys(fields).find((field) => field in body)
  if (extra !== undefined) throw new Fault('VALIDATION_ERROR', `${extra}: is set here; leave it out`)
  return { ...body, ...fields }
}

/** A number where that is the same: some venues take nothing else. */
function numberOrText(decimal: string): number | string {
  const number = Number(decimal)
  return String(number) === decimal ? number : decimal
}
