// A submit whose key, or whose signed bytes, were used before.
import { Fault } from '#core/fault'
import type { ErrorCode } from '#schemas/errors'
import type { Claim } from '#storage/postgres/executions/claim'
import { findOwned } from './cancelOrModify.ts'
import type { Caller, ExecutionsDeps } from './ports.ts'
import type { SubmitRequest, Submitted } from './submitRequest.ts'

/** What this key led to before: the row as it is now, or its refusal. Null: it may be tried. */
export async function findSubmitReplay(
  { store }: Pick<ExecutionsDeps, 'store'>,
  caller: Caller,
  request: SubmitRequest,
): Promise<Submitted | null> {
  const use = await store.findKeyUse(caller.accountId, 'submit', request.key)
  if (use === null) return null
  if (use.executionId !== request.executionId) {
    throw new Fault('IDEMPOTENCY_CONFLICT', 'this Idempotency-Key belongs to the submit of another execution')
  }
  // Nothing was placed, and the caller was answered to retry: with this key, too.
  if (use.outcome?.kind === 'refused' && use.outcome.code === 'NETWORK_ERROR') return null
  if (use.outcome?.kind === 'refused') {
    throw new Fault(use.outcome.code as ErrorCode, String(use.outcome.message), { exchange: request.venue })
  }
  const row = await findOwned({ store }, caller, request.venue, request.executionId)
  return { row, replay: true }
}

const overtaken: ReadonlySet<ErrorCode> = new Set([
  'IDEMPOTENCY_CONFLICT',
  'EXECUTION_TERMINAL',
  'RESERVATION_CONSUMED',
  'CONDITIONAL_ATTEMPT_CONFLICT',
])

/** A refusal that another request with the same key may have caused. */
export const isOvertaken = (error: unknown): boolean => error instanceof Fault && overtaken.has(error.code)

/** Two executions whose signed bytes are the same are one order at the venue. Null: the refusal has another reason. */
export async function twinOf(
  { store }: Pick<ExecutionsDeps, 'store'>,
  { accountId }: Pick<Caller, 'accountId'>,
  { venue, executionId }: Pick<SubmitRequest, 'venue' | 'executionId'>,
  { move: { venueRef } }: Pick<Claim, 'move'>,
): Promise<Fault | null> {
  if (venueRef == null) return null
  const twin = await store.findByVenueRef({ accountId, venue, venueRef })
  if (twin === null || twin === executionId) return null
  return new Fault(
    'IDEMPOTENCY_CONFLICT',
    `execution ${twin} was submitted with the same signed bytes, which are a single order at the venue (${venueRef}): follow execution ${twin}, or build and sign a new order`,
  )
}
