// What the owner can end: the cancel of an unfired order, and the report of the outcome of an order that the owner submits.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import { singleLineText } from '#schemas/text'
import type { ConditionalRow } from '#storage/postgres/conditional/conditionalRow'
import type { StoredOrder } from './arm.ts'
import { findReplay } from './keys.ts'
import type { Caller, ConditionalDeps } from './ports.ts'

const textMax = 300
const PlainText = singleLineText(textMax)

export const ReportBody = z
  .strictObject({
    /** `fired`: the venue accepted the order. `not_submitted`: it was refused or never sent. */
    outcome: z.enum(['fired', 'not_submitted']),
    /** The venue's id of an order that was not sent from here. */
    venueRef: PlainText.optional(),
    reason: PlainText.optional(),
  })
  .meta({ examples: [{ outcome: 'not_submitted' }] })
export type ReportBody = z.infer<typeof ReportBody>

export const noSuchOrder = (): Fault => new Fault('CONDITIONAL_NOT_FOUND', 'no such conditional order')

export async function cancelConditional(
  deps: Pick<ConditionalDeps, 'store' | 'clock'>,
  { accountId }: Pick<Caller, 'accountId'>,
  { id, key, evidence }: { id: string; key: string; evidence?: JsonObject },
): Promise<StoredOrder> {
  const bodySha256 = createHash('sha256').update(id).digest()
  const request = { accountId, kind: 'cancel', key, bodySha256 } as const
  const before = await findReplay(deps, request)
  if (before !== null) return before
  const result = await deps.store.cancel({ accountId, id, key, bodySha256, evidence, at: new Date(deps.clock.now()) })
  switch (result.kind) {
    case 'canceled':
      return { row: result.row, replay: false }
    case 'not_found':
      throw noSuchOrder()
    case 'not_armed':
      throw notCancelable(result.row)
    case 'taken': {
      const replay = await findReplay(deps, request)
      if (replay !== null) return replay
      throw new Error('an idempotency key is taken, but its order is missing')
    }
  }
}

function notCancelable({ status, fire_mode }: ConditionalRow): Fault {
  const isSubmitted = status === 'triggered' && fire_mode === 'client'
  return new Fault(
    'CONDITIONAL_NOT_ARMED',
    isSubmitted
      ? 'the order was or may be about to be submitted: report its outcome'
      : `the order is ${status} and can no longer be canceled`,
  )
}

export async function reportConditional(
  { store, clock }: Pick<ConditionalDeps, 'store' | 'clock'>,
  { accountId }: Pick<Caller, 'accountId'>,
  id: string,
  { outcome, venueRef, reason }: ReportBody,
): Promise<ConditionalRow> {
  if (outcome === 'not_submitted' && venueRef !== undefined)
    throw new Fault('VALIDATION_ERROR', 'venueRef: the venue has this order, so it was submitted; report fired')
  const result = await store.report({
    accountId,
    id,
    outcome,
    venueRef: venueRef ?? null,
    reason: reason === undefined ? 'reported as not submitted' : `reported as not submitted: ${reason}`,
    at: new Date(clock.now()),
  })
  switch (result.kind) {
    case 'reported':
      return result.row
    case 'not_found':
      throw noSuchOrder()
    case 'not_reportable':
      throw notReportable(result.row)
    case 'attempt':
      throw new Fault(
        'CONDITIONAL_ATTEMPT_CONFLICT',
        'an attempt to submit this order or another one of its group is in progress, or the venue accepted it',
      )
    case 'taken':
      throw new Fault(
        'IDEMPOTENCY_CONFLICT',
        `venueRef: this venue order belongs to execution ${result.executionId}: report the order of this execution`,
      )
    case 'unproved':
      throw new Fault(
        'VALIDATION_ERROR',
        'venueRef: the venue has not confirmed this order; refresh its execution, or give the venue’s order id',
      )
  }
}

function notReportable({ status, fire_mode }: ConditionalRow): Fault {
  if (fire_mode === 'client' && status === 'armed')
    return new Fault('CONDITIONAL_ARMED', 'the order has not triggered yet')
  const why = fire_mode === 'client' ? `the order is ${status}` : 'a hosted order is reported automatically'
  return new Fault('CONDITIONAL_NOT_ARMED', why)
}
