// Withdraws the live slice. What was not sent is discarded. What rests is canceled at the venue, and stays the live slice until the venue has
// confirmed its end.
import { Fault } from '#core/fault'
import { wordsOf } from '#core/refusals'
import type { OpenSliceRow } from '#storage/postgres/algorithms/algorithmRow'
import type { AlgorithmDeps } from './ports.ts'
import { pauseAfter, sliceKeyOf, takeBack } from './sendSlice.ts'
import { hasLeft, sendsItself } from './state.ts'
import type { Step, StepResult } from './step.ts'

export async function withdraw(
  deps: AlgorithmDeps,
  step: Step,
  live: OpenSliceRow,
  { isUnsigned }: { isUnsigned: boolean },
): Promise<StepResult | 'lost'> {
  if (!hasLeft(live.execution_status))
    return takeBack(
      deps,
      step,
      live,
      isUnsigned
        ? { outcome: 'unsigned', error: 'a slice was not submitted in time' }
        : { outcome: 'withdrawn', error: null },
    )
  const traits = deps.orders.lane(step.row.account_id, step.row.venue)
  const isUnattended = sendsItself(step.row, traits)
  if (!traits.cancels) return { kind: 'wait', reason: 'slice_open', error: `${step.row.venue} has no cancel` }
  try {
    const cancelId = await builtCancel(deps, step, live, { isOffered: !isUnattended })
    if (cancelId === 'lost') return 'lost'
    if (!isUnattended) return { kind: 'wait', reason: 'cancel_awaiting_signature' }
    const status = await deps.orders.submit(step.caller, {
      venue: step.row.venue,
      executionId: cancelId,
      // Sent once at most: an execution that has left is not sent under another key.
      key: `${sliceKeyOf(step.row.id, live.number)}:cancel:${step.at.getTime()}`,
      body: {},
    })
    if (status === 'failed') return refused(step, live, 'the venue refused the cancel of a slice')
    return { kind: 'again', reason: 'cancel_unconfirmed' }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return refused(step, live, wordsOf(error))
  }
}

/** The cancel is built or sent again after a pause. */
const refused = (step: Step, { canceled_at: since }: OpenSliceRow, error: string): StepResult => ({
  kind: 'wait',
  reason: 'cancel_unconfirmed',
  pauseMs: pauseAfter(step, since ?? step.at),
  error,
})

async function builtCancel(
  { store, orders }: AlgorithmDeps,
  { row, lease, caller, at }: Step,
  live: OpenSliceRow,
  { isOffered }: { isOffered: boolean },
): Promise<string | 'lost'> {
  // Built before, and not sent yet.
  if (live.cancel_id !== null && live.cancel_status === 'built') return live.cancel_id
  const { number } = live
  const count = await store.countCancel(lease, { number, at })
  if (count === null) return 'lost'
  const cancelId = await orders.cancel(caller, {
    venue: row.venue,
    executionId: live.execution_id!,
    key: `${sliceKeyOf(row.id, number)}:cancel:${count}`,
    body: row.cancel_body,
  })
  return (await store.recordCancel(lease, { number, cancelId, isOffered, at })) ? cancelId : 'lost'
}
