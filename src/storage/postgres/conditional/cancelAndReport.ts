// Ends caused by callers: a cancellation, and a report of an order's outcome in client mode. Each within a transaction.
import type { ExecutionStatus, JsonObject } from '#schemas/executions'
import { moveExecution } from '../executions/moveExecution.ts'
import { isLive } from '../executions/reservations.ts'
import { reReserve } from '../executions/spendReservations.ts'
import type { Queryable } from '../pool.ts'
import { Rollback } from '../rollback.ts'
import { type ConditionalRow, conditionalColumns } from './conditionalRow.ts'
import { bindKey } from './keys.ts'
import { type ConditionalMove, moveConditionals } from './moveConditionals.ts'
import { acceptedSql, isBlockedByUnknown, isBlocking, lockWithGroup } from './ocoGroups.ts'
import { losers, recallFiring } from './recordResult.ts'
import type { ConditionalSteps } from './transitions.ts'

export interface CancelRequest {
  accountId: string
  id: string
  key: string
  bodySha256: Buffer
  /** For the event, if someone other than the owner cancels. */
  evidence?: JsonObject | undefined
  at: Date
}

export type CancelResult =
  /** Also if it was cancelled before. */
  | { kind: 'canceled'; row: ConditionalRow }
  | { kind: 'not_found' | 'taken' }
  | { kind: 'not_armed'; row: ConditionalRow }

export async function cancelConditional(
  db: Queryable,
  steps: Pick<ConditionalSteps, 'cancel'>,
  { accountId, id, key, bodySha256, evidence, at }: CancelRequest,
): Promise<CancelResult> {
  const { rows } = await db.query<ConditionalRow>(
    `SELECT ${conditionalColumns} FROM conditional_orders c WHERE c.id = $1 AND c.account_id = $2`,
    [id, accountId],
  )
  if (rows.length === 0) return { kind: 'not_found' }
  if (!(await bindKey(db, { accountId, kind: 'cancel', key, bodySha256, conditionalId: id, at })))
    throw new Rollback<CancelResult>({ kind: 'taken' })
  const row = await lockOne(db, id)
  if (row.status === 'canceled') return { kind: 'canceled', row }
  const isOurs =
    row.status === 'armed' ||
    (row.status === 'triggered' && (row.fire_mode === 'client' || (await isBlockedByUnknown(db, id))))
  // The caller may try again under the same key.
  if (!isOurs || (row.status === 'triggered' && (await isActedOn(db, row, at))))
    throw new Rollback<CancelResult>({ kind: 'not_armed', row })
  const [canceled] = await moveConditionals(db, [{ id, step: steps.cancel, evidence: evidence ?? null }], at)
  return { kind: 'canceled', row: canceled! }
}

/** Submitting or reserving its execution locks this row first, so what is read after this cannot change before the commit. */
async function lockOne(db: Queryable, id: string): Promise<ConditionalRow> {
  const { rows } = await db.query<ConditionalRow>(
    `SELECT ${conditionalColumns} FROM conditional_orders c WHERE c.id = $1 FOR UPDATE`,
    [id],
  )
  return rows[0]!
}

/**
 * The execution left `built`, or a right to submit it exists that its caller could still act on: a live one, a used one, or any given behind this
 * order.
 */
async function isActedOn(db: Queryable, { id, execution_id }: ConditionalRow, at: Date): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT 1 WHERE EXISTS (SELECT FROM executions WHERE id = $1 AND status <> 'built') OR EXISTS (
       SELECT FROM execution_reservations
       WHERE execution_id = $1 AND (conditional_id = $2 OR state = 'consumed' OR (${isLive('$3')})))`,
    [execution_id, id, at],
  )
  return rows.length > 0
}

export interface Report {
  accountId: string
  id: string
  outcome: 'fired' | 'not_submitted'
  /** The venue's id of the order, if it was sent elsewhere. */
  venueRef: string | null
  /** Why nothing was submitted. */
  reason: string
  at: Date
}

export type ReportResult =
  /** Also if the same was reported before. */
  | { kind: 'reported'; row: ConditionalRow }
  | { kind: 'not_found' }
  | { kind: 'not_reportable'; row: ConditionalRow }
  /**
   * For `not_submitted`: a right to submit is held, or the outcome of a submit is unknown, here or for another order of the group; or the venue
   * accepted it.
   */
  | { kind: 'attempt' }
  /** The venue did not confirm anything sent from here, and no venue id was given. */
  | { kind: 'unproved' }
  /** The named venue order belongs to this other execution. */
  | { kind: 'taken'; executionId: string }

const outcomes = { fired: 'fired', not_submitted: 'fire_failed' } as const

export async function reportConditional(
  db: Queryable,
  steps: Pick<ConditionalSteps, 'reportFired' | 'reportNotSubmitted' | 'loseToReport'>,
  { accountId, id, outcome, venueRef, reason, at }: Report,
): Promise<ReportResult> {
  const locked = await lockWithGroup(db, { id, accountId })
  if (locked === null) return { kind: 'not_found' }
  const { own, others, winnerId } = locked
  if (own.fire_mode === 'client' && own.status === outcomes[outcome]) return { kind: 'reported', row: own }
  // Its owner submitted it in time and reports late: the others of its group must not follow. Only one of a group wins.
  const isLate = outcome === 'fired' && own.status === 'expired' && own.triggered_at !== null && winnerId === null
  if (own.fire_mode !== 'client' || (own.status !== 'triggered' && !isLate)) return { kind: 'not_reportable', row: own }
  const execution = await readExecution(db, own.execution_id, at)
  if (outcome === 'not_submitted') {
    const { reserved, accepted, status } = execution
    if (reserved || accepted || status === 'submitted' || (await isBlocking(db, id, at))) return { kind: 'attempt' }
    const move = { id, step: steps.reportNotSubmitted, evidence: { reason }, lastError: reason }
    return { kind: 'reported', row: (await moveConditionals(db, [move], at))[0]! }
  }
  // Regardless of the rest of the group: what the venue accepted is accepted, and no other one is sent any more. An
  // unanswered submit may not be at the venue, even if its reference was predicted.
  if (venueRef === null && !execution.accepted) return { kind: 'unproved' }
  const reference = execution.accepted ? (execution.venue_ref ?? venueRef) : venueRef
  const evidence = { executionStatus: execution.status, venueRef: reference }
  const moves: ConditionalMove[] = [
    { id, step: steps.reportFired, evidence },
    ...losers(others, id, steps.loseToReport),
  ]
  await recallFiring(db, others, at)
  if (venueRef !== null && !execution.accepted) await linkExecution(db, own.execution_id, { execution, venueRef, at })
  const rows = await moveConditionals(db, moves, at)
  return { kind: 'reported', row: rows.find((row) => row.id === id)! }
}

/** What was sent elsewhere is followed from now on: the execution is `acked` under its venue order id, and keeps its spend reservation. */
async function linkExecution(
  db: Queryable,
  id: string,
  { execution, venueRef, at }: { execution: Reported; venueRef: string; at: Date },
): Promise<void> {
  const { venue, status, venue_ref } = execution
  if (status !== 'built' && status !== 'signed' && status !== 'submitted') return
  const row = await moveExecution(db, {
    id,
    venue,
    from: status,
    to: 'acked',
    event: 'reportedSent',
    // One derived from the signed artifact is known better.
    venueRef: venue_ref ?? venueRef,
    fills: [],
    detail: { reportedVenueRef: venueRef },
    at,
  })
  if (row === null) throw new VenueRefTaken()
  await reReserve(db, row, at)
}

/** The transaction is rolled back. */
export class VenueRefTaken extends Error {}

/** The execution to which the reported venue order belongs. */
export async function findOwnerOf(db: Queryable, { accountId, id, venueRef }: Report): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT e.id FROM executions e JOIN conditional_orders c ON c.venue = e.venue AND c.account_id = e.account_id
     WHERE c.id = $2 AND c.account_id = $1 AND e.venue_ref = $3 AND e.intent = 'order'`,
    [accountId, id, venueRef],
  )
  if (rows[0] === undefined) throw new Error(`the owner of venue order ${venueRef} is gone`)
  return rows[0].id
}

interface Reported {
  venue: string
  status: ExecutionStatus
  venue_ref: string | null
  accepted: boolean
  reserved: boolean
}

/** Reads the row as locked: while waiting for the lock the venue's answer may be recorded, and the statement's own snapshot would predate it. */
async function readExecution(db: Queryable, id: string, at: Date): Promise<Reported> {
  const { rows } = await db.query<Reported>(
    `SELECT venue, status, venue_ref, ${acceptedSql} AS accepted,
       EXISTS (SELECT FROM execution_reservations WHERE execution_id = $1 AND ${isLive('$2')}) AS reserved
     FROM executions WHERE id = $1 FOR UPDATE`,
    [id, at],
  )
  return rows[0]!
}
