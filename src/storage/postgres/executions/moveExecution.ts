// The one place that writes a status: the row, its audit entry and the webhook event are written together, and only from the status the
// caller saw.

import type { ExecutionStatus } from '#schemas/executions'
import { executionStatusChanged } from '#schemas/webhookEvents/executionStatusChanged'
import type { Queryable } from '../pool.ts'
import { prepared } from '../preparedStatements.ts'
import { type ExecutionRow, executionColumns } from './executionRow.ts'
import { familyOf } from './orderChain.ts'
import { releaseCredits } from './spendReservations.ts'

export interface Move {
  id: string
  /** Of the execution. */
  venue: string
  from: ExecutionStatus
  /** `updated_at` of the row as seen, if it may have left and returned to `from` since. */
  unchangedSince?: Date | undefined
  to: ExecutionStatus
  /** What happened, as the table of transitions names it: stored in `last_event` and in the audit entry. It is not the webhook event. */
  event: string
  /** Undefined leaves it; null clears it. */
  venueRef?: string | null | undefined
  submittedArtifact?: object | null | undefined
  error?: string | null | undefined
  /** Undefined leaves it; null: unknown. */
  submittedAs?: Buffer | null | undefined
  /** Filled size according to the venue, decimal string; less than previously known changes nothing. */
  matchedSize?: string | undefined
  fills: readonly { key: string; fill: object; filledAt: Date }[]
  /** The end was not reported by the venue: its spend reservation is kept. */
  keepsReservation?: boolean
  /** For the audit: what the move is based on if not a report of the venue. */
  detail?: object | undefined
  at: Date
}

/** Null: the row is no longer in `from`, or its venue order belongs to another execution; nothing was written. */
export async function moveExecution(db: Queryable, move: Move): Promise<ExecutionRow | null> {
  try {
    return await write(db, move)
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint === 'executions_venue_ref') return null
    throw error
  }
}

async function write(db: Queryable, move: Move): Promise<ExecutionRow | null> {
  const statement = ended.has(move.to) && move.keepsReservation !== true ? endStatement : liveStatement
  const webhookEvent = webhookEventOf(move)
  const { rows } = await db.query<ExecutionRow>(
    statement([
      move.id,
      move.from,
      move.to,
      move.event,
      move.at,
      move.venueRef !== undefined,
      move.venueRef ?? null,
      move.submittedArtifact !== undefined,
      move.submittedArtifact == null ? null : JSON.stringify(move.submittedArtifact),
      move.error !== undefined,
      move.error ?? null,
      move.fills.map(({ key }) => key),
      move.fills.map(({ fill }) => JSON.stringify(fill)),
      move.fills.map(({ filledAt }) => filledAt),
      move.detail === undefined ? null : JSON.stringify(move.detail),
      move.matchedSize ?? null,
      move.submittedAs !== undefined,
      move.submittedAs ?? null,
      webhookEvent?.event ?? null,
      webhookEvent === null ? null : JSON.stringify(webhookEvent.payload),
      move.unchangedSince ?? null,
    ]),
  )
  return rows[0] ?? null
}

/** Null: the status stays. */
const webhookEventOf = ({ id, venue, from, to, at }: Move) =>
  from === to ? null : executionStatusChanged({ executionId: id, venue, status: to, previousStatus: from, at })

/** Any number works as long as nothing else on the server uses it with an account. */
const fillsLock = 724_603

const ended: ReadonlySet<string> = new Set(['failed', 'expired', 'canceled'])

const changed = `status = $3,
         matched_size = greatest(CASE WHEN $3 = 'acked' AND matched_size = 0 THEN NULL ELSE matched_size END, $16::numeric),
         last_event = $4, updated_at = CASE WHEN $2 = $3 AND $4 <> 'resubmit' THEN updated_at ELSE $5 END,
         unknown_outcome = CASE WHEN $2 = $3 THEN unknown_outcome END,
         missing_since = CASE WHEN ($3 = 'acked' AND $2 <> $3) OR $4 = 'resubmit' THEN NULL ELSE missing_since END,
         venue_ref = CASE WHEN $6::boolean THEN $7 ELSE venue_ref END,
         submitted_artifact = CASE WHEN $8::boolean THEN $9::jsonb ELSE submitted_artifact END,
         error = CASE WHEN $10::boolean THEN $11 ELSE error END,
         submitted_as = CASE WHEN $17::boolean THEN $18::bytea ELSE submitted_as END`

// Fills of an account are numbered by one writer at a time, until its commit: they become visible in numeric order, and a reader that
// pages after the last one it saw misses none.
const recorded = `locked_account AS (
       SELECT e.*, pg_advisory_xact_lock(${fillsLock}, hashtext(account_id::text)) FROM e WHERE cardinality($12::text[]) > 0
     ), filled AS (
       INSERT INTO execution_fills (execution_id, account_id, venue, venue_key, fill, filled_at)
       SELECT e.id, e.account_id, e.venue, f.key, f.fill, f.at
       FROM locked_account e, unnest($12::text[], $13::jsonb[], $14::timestamptz[]) WITH ORDINALITY AS f (key, fill, at, n) ORDER BY f.n
       ON CONFLICT (execution_id, venue_key) DO NOTHING RETURNING 1
     ), audited AS (
       INSERT INTO execution_audit (execution_id, from_status, to_status, event, detail, at)
       SELECT id, $2, $3, $4, $15::jsonb, $5 FROM e
     ), outbox_event AS (
       INSERT INTO outbox (event, account_id, payload, created_at)
       SELECT $19::text, account_id, $20::jsonb, $5 FROM e WHERE $19::text IS NOT NULL
     )
     SELECT ${executionColumns} FROM e`

const liveStatement = prepared(`WITH e AS (
       UPDATE executions SET ${changed} WHERE id = $1 AND status = $2 AND ($4 <> 'resubmit' OR venue_ref = $7)
         AND ($21::timestamptz IS NULL OR updated_at = $21) RETURNING *
     ), ${recorded}`)

// Ended without any fill: the dollars were never spent. An order and its changes count as one: while one of them may still be filled the
// others keep their spend reservation, since a change reserves only what it adds. The reservation of a member that the venue never accepted
// is released immediately, whatever was filled of the others.
const endStatement = prepared(`WITH ${familyOf}, ends AS (
       SELECT f.* FROM family f
       WHERE f.spend_day IS NOT NULL AND cardinality($12::text[]) = 0
         AND CASE WHEN f.id = $1 AND ($2 IN ('built', 'signed') OR ($2 = 'submitted' AND $3 = 'failed'))
               THEN coalesce(f.matched_size, 0) = 0
             WHEN $2 IN ('built', 'signed') THEN false
             ELSE (f.id = $1 OR f.status IN ('failed', 'expired', 'canceled'))
               AND NOT EXISTS (SELECT FROM execution_fills x JOIN family o ON o.id = x.execution_id)
               -- Nor did the venue report a match whose fill is not recorded yet.
               AND NOT EXISTS (SELECT FROM family o WHERE o.matched_size > 0)
               AND NOT EXISTS (SELECT FROM family o WHERE o.id <> $1 AND o.status IN ('submitted', 'acked', 'filled')) END
     ), e AS (
       UPDATE executions x SET ${changed},
         spend_day = CASE WHEN EXISTS (SELECT FROM ends WHERE ends.id = $1) THEN NULL ELSE x.spend_day END,
         held_usd = CASE WHEN EXISTS (SELECT FROM ends WHERE ends.id = $1) THEN 0 ELSE x.held_usd END
       -- Unless its spend reservation was released since it was read above.
       WHERE x.id = $1 AND x.status = $2 AND ($21::timestamptz IS NULL OR x.updated_at = $21)
         AND x.held_usd = (SELECT f.held_usd FROM family f WHERE f.id = $1) RETURNING x.*
     ), others AS (
       UPDATE executions x SET spend_day = NULL, held_usd = 0 FROM ends, e
       WHERE x.id = ends.id AND x.id <> e.id AND x.held_usd = ends.held_usd RETURNING x.id
     ), credits_to_release AS (
       SELECT * FROM ends WHERE ends.id IN (SELECT id FROM e UNION ALL SELECT id FROM others)
     ), released AS (
       ${releaseCredits('credits_to_release')}
     ), ${recorded}`)
