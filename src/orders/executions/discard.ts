// Discard: takes back a built execution that was never sent, and frees its room under the caps.
import { Fault } from '#core/fault'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import { findOwned } from './cancelOrModify.ts'
import { rejectIfConditional } from './conditionalGuard.ts'
import type { Caller, ExecutionsDeps } from './ports.ts'
import { isTerminal, moveOf, nextStatus } from './transitions.ts'

export async function discardExecution(
  deps: Pick<ExecutionsDeps, 'store' | 'clock'>,
  caller: Caller,
  { venue, executionId }: { venue: string; executionId: string },
): Promise<ExecutionRow> {
  const row = await findOwned(deps, caller, venue, executionId)
  if (wasDiscarded(row)) return row
  if (nextStatus(row.status, 'discard') === null) throw sent(row)
  const result = await deps.store.discard(moveOf(row, 'discard', new Date(deps.clock.now())))
  if (result.kind === 'discarded') return result.row
  if (result.kind === 'behind') throw rejectIfConditional(result.why)
  if (result.kind === 'held')
    throw new Fault(
      'CONDITIONAL_ATTEMPT_CONFLICT',
      'an attempt holds the right to submit this execution: release it first',
    )
  // Another call won: it discarded the execution too, or sent it.
  const now = await findOwned(deps, caller, venue, executionId)
  if (wasDiscarded(now)) return now
  throw sent(now)
}

/** Cancelled without having been sent; anything the venue cancelled was sent. */
const wasDiscarded = ({ status, submitted_artifact, venue_ref }: ExecutionRow): boolean =>
  status === 'canceled' && submitted_artifact === null && venue_ref === null

const sent = ({ status }: ExecutionRow): Fault =>
  isTerminal(status)
    ? new Fault('EXECUTION_TERMINAL', `the execution is ${status}`)
    : new Fault(
        'IDEMPOTENCY_CONFLICT',
        `the execution is ${status}: only an unsent execution can be discarded; cancel it instead`,
      )
