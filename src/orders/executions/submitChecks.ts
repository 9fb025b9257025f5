// Checks of a submit, and their refusals.
import { Fault } from '#core/fault'
import { blockedCountries } from '#platform/geofence/geofence'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type { ChangeConflict } from '#storage/postgres/executions/findOrderChain'
import type { ReplacementConflict } from '#storage/postgres/executions/replacements'
import type { ExecutionAdapter, LaneExecution } from '#venues/lane'
import { pendingChange } from './cancelOrModify.ts'
import type { Caller, ExecutionsDeps } from './ports.ts'
import { laneExecutionOf } from './rows.ts'
import { isSigned } from './signatures.ts'
import type { SubmitRequest } from './submitRequest.ts'
import { isTerminal, nextStatus } from './transitions.ts'

/** From a country that the deployment does not serve, only a cancellation may be submitted. */
export async function rejectIfBlocked(
  { store }: Pick<ExecutionsDeps, 'store'>,
  caller: Caller,
  { executionId }: Pick<SubmitRequest, 'executionId'>,
): Promise<void> {
  if (!caller.isBlocked) return
  const row = await store.find(caller.accountId, executionId)
  if (row?.intent !== 'cancel') throw blockedCountries(caller.country)
}

/**
 * False: it was not sent yet. True: it was, with an unknown outcome, at a venue that takes the same bytes only once. Otherwise it throws.
 */
export function isSentAgain(
  { status, ...row }: ExecutionRow,
  { submit }: ExecutionAdapter,
  { fire }: Pick<SubmitRequest, 'fire'>,
): boolean {
  if (nextStatus(status, 'submit') !== null) return false
  if (fire === undefined && maySendAgain({ status, ...row }, { submit })) return true
  if (isTerminal(status)) throw new Fault('EXECUTION_TERMINAL', `the execution is ${status}`)
  throw otherExecution()
}

/** It was sent with an unknown outcome, to a venue that takes the same signed bytes only once. */
export const maySendAgain = (row: ExecutionRow, { submit }: Pick<ExecutionAdapter, 'submit'>): boolean =>
  nextStatus(row.status, 'resubmit') !== null &&
  row.venue_ref !== null &&
  submit?.takesSameBytesOnce?.(laneExecutionOf(row, null)) === true

/** The order that a cancellation or a modification is for. */
export async function targetOf(
  { store }: { store: Pick<ExecutionsDeps['store'], 'find'> },
  { accountId }: Pick<Caller, 'accountId'>,
  row: ExecutionRow,
): Promise<LaneExecution | null> {
  const target = row.target_id === null ? null : await store.find(accountId, row.target_id)
  return target === null ? null : laneExecutionOf(target, null)
}

/** A signature sealed until the fire is not stored in clear afterwards either; nor by a cancel with the same signature. */
export const keepsSignature = ({ intent, target }: LaneExecution, { fire }: Pick<SubmitRequest, 'fire'>): boolean =>
  fire === undefined &&
  !(intent === 'cancel' && target?.submittedArtifact != null && !isSigned(target.submittedArtifact))

export const otherExecution = (): Fault =>
  new Fault(
    'IDEMPOTENCY_CONFLICT',
    'the execution was submitted under another Idempotency-Key; refresh reports its status',
  )

export const changeConflict = (kind: ChangeConflict): Fault =>
  kind === 'in_doubt'
    ? pendingChange()
    : new Fault(
        'ARTIFACT_VERSION_CONFLICT',
        'the venue has since accepted another change to this order; build this one again',
      )

export function replacementRefusal(kind: ReplacementConflict): Fault {
  switch (kind) {
    case 'replaced_open':
      return new Fault(
        'CLAIM_GENERATION_UNDETERMINED',
        'the order that this one replaces is not confirmed as cancelled: submit its cancel and refresh it first',
      )
    case 'replaced_filled':
      return new Fault(
        'ARTIFACT_VERSION_CONFLICT',
        'less is left of the replaced order than this one is for, because more of it was filled: replace it again',
      )
    case 'replaced_again':
      return new Fault('ARTIFACT_VERSION_CONFLICT', 'another replacement of the same order was submitted')
  }
}
