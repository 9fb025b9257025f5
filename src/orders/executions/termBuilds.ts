// Builds of orders in the name of an account, for brackets and execution algorithms: what each order trades.
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import type { OrderTerms } from '#venues/lane'
import { buildOrder } from './build.ts'
import type { Caller, ExecutionsDeps } from './ports.ts'
import { laneExecutionOf } from './rows.ts'

/** Stores nothing. */
export async function previewTerms(
  deps: ExecutionsDeps,
  caller: Caller,
  venue: string,
  body: JsonObject,
): Promise<OrderTerms> {
  const result = await buildOrder(deps, caller, venue, '', { ...body, dryRun: true })
  if (result.kind !== 'preview') throw new Error('a preview was stored')
  return requireTerms(result.built.terms)
}

/** The same execution for the same key. */
export async function buildTerms(
  deps: ExecutionsDeps,
  caller: Caller,
  venue: string,
  key: string,
  body: JsonObject,
): Promise<{ id: string; terms: OrderTerms }> {
  const result = await buildOrder(deps, caller, venue, key, body)
  if (result.kind !== 'persisted') throw new Error('a build was not stored')
  return { id: result.row.id, terms: requireTerms(laneExecutionOf(result.row, null).terms) }
}

/** Throws VALIDATION_ERROR if there are none. */
export function requireTerms(terms: OrderTerms | null): OrderTerms {
  if (terms === null) throw new Fault('VALIDATION_ERROR', 'the order does not say what it trades')
  return terms
}
