// The one place that writes a conditional order's status: the row, its event and its notification are written together, and the sealed
// artifact is erased in the statement that ends the order. Several rows, such as a group's winner and its losers, move in one statement; so
// does one that passes through a status.

import type { JsonObject } from '#schemas/executions'
import type { Queryable } from '../pool.ts'
import { prepared } from '../preparedStatements.ts'
import { isFresh, isStopped } from './blockedOrders.ts'
import { type ConditionalRow, conditionalColumns } from './conditionalRow.ts'
import { isHeldBack } from './ocoGroups.ts'
import type { ConditionalSteps, Step } from './transitions.ts'

export interface ConditionalMove {
  id: string
  step: Step
  /** For the event; for a trigger it is the order's own evidence as well. */
  evidence?: JsonObject | null
  /** Undefined leaves it. */
  lastError?: string | undefined
  /** For a claim: who fires it, and for how long by the database's clock. */
  lease?: { owner: string; ms: number } | undefined
  /** Only while it is leased under this epoch. */
  epoch?: string | undefined
}

/**
 * The rows that moved; with `waits` false locked ones are skipped. A missing row was in none of its step's statuses, or it or its lease had expired;
 * nothing was written for it.
 */
export async function moveConditionals(
  db: Queryable,
  moves: readonly ConditionalMove[],
  at: Date,
  { waits = true }: { waits?: boolean } = {},
): Promise<ConditionalRow[]> {
  if (moves.length === 0) return []
  const ids = moves.map(({ id }) => id)
  const move = waits ? waiting : passing
  const { rows } = await db.query<ConditionalRow>(move([JSON.stringify(moves.map(recordOf)), at, ids]))
  return rows
}

const recordOf = ({ id, step, evidence, lastError, lease, epoch }: ConditionalMove) => ({
  id,
  from: step.from,
  to: step.to,
  actor: step.actor,
  evidence: evidence ?? null,
  lastError: lastError ?? null,
  leaseOwner: lease?.owner ?? null,
  leaseMs: lease?.ms ?? null,
  epoch: epoch ?? null,
})

/** SQL, of `c`: the notification's payload. */
export const notice = (
  status: string,
  previous: string,
  attempts: string,
  at: string,
): string => `jsonb_build_object('conditionalId', c.id, 'executionId', c.execution_id,
      'venue', c.venue, 'marketId', c.market_id, 'outcomeId', c.outcome_id, 'fireMode', c.fire_mode, 'ocoGroupId', c.oco_group_id,
      'status', ${status}, 'previousStatus', ${previous}, 'fireAttempts', ${attempts}, 'lastError', c.last_error,
      'triggerEvidence', c.trigger_evidence,
      'occurredAt', to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`

/**
 * SQL: `at`, or a millisecond after `last`. The caller may have read its clock before it waited, or on another machine, but the times of an
 * order's events must increase: receivers of webhooks distinguish two events of one status by their times.
 */
export const after = (at: string, last: string): string =>
  `greatest(${at}::timestamptz, ${last} + interval '1 millisecond')`

const lives = `m."to" IN ('armed', 'triggered', 'firing')`

const statement = (lock: string): string => `WITH m AS (
    SELECT * FROM json_to_recordset($1::json) AS m (id uuid, "from" text[], "to" text, actor text, evidence jsonb, "lastError" text,
      "leaseOwner" text, "leaseMs" integer, epoch bigint)
  ), was AS (
    SELECT x.id, x.status, ${after('$2', 'x.updated_at')} AS at FROM conditional_orders x JOIN m ON m.id = x.id
    -- The planner assumes a hundred rows for a record set, but knows the length of an array.
    WHERE x.id = ANY ($3::uuid[]) AND x.status = ANY (m."from") AND (m.epoch IS NULL OR x.lease_epoch = m.epoch)
      -- Only unexpired orders may trigger or fire; only expired ones may expire. Other transitions check expiry themselves.
      AND (m."to" NOT IN ('triggered', 'firing') OR x.expires_at > $2) AND (m."to" <> 'expired' OR x.expires_at <= $2)
      AND (m."to" <> 'triggered' OR NOT ${isStopped('x', '$2')})
      -- Read after taking the group lock: only one order of a group may be firing.
      AND (m."to" <> 'firing' OR (x.fire_mode = 'hosted' AND ${isFresh('x', '$2')} AND NOT ${isHeldBack('x', '$2')}))
      -- Skips orders that triggered again meanwhile; a firing one is released by its holder.
      AND (m."to" <> 'armed' OR (x.fire_mode = 'hosted' AND (x.status = 'firing' OR NOT ${isFresh('x', '$2')})))
    ORDER BY x.id ${lock}
  ), c AS (
    UPDATE conditional_orders x SET status = m."to", updated_at = was.at, changed_in = pg_current_xact_id(),
      trigger_evidence = CASE m."to" WHEN 'triggered' THEN m.evidence WHEN 'armed' THEN NULL ELSE x.trigger_evidence END,
      -- The time of the decision, not of the event: the age of the evidence is measured from here.
      triggered_at = CASE m."to" WHEN 'triggered' THEN $2 WHEN 'armed' THEN NULL ELSE x.triggered_at END,
      -- A fired order keeps no earlier error.
      last_error = CASE WHEN m."to" <> 'fired' THEN coalesce(m."lastError", x.last_error) END,
      sealed = CASE WHEN ${lives} THEN x.sealed END,
      seal_key_id = CASE WHEN ${lives} THEN x.seal_key_id END,
      artifact_sha256 = CASE WHEN ${lives} THEN x.artifact_sha256 END,
      lease_owner = m."leaseOwner",
      lease_epoch = x.lease_epoch + CASE WHEN m."to" = 'firing' THEN 1 ELSE 0 END,
      leased_until = clock_timestamp() + m."leaseMs" * interval '1 millisecond',
      retry_at = NULL
    FROM was JOIN m ON m.id = was.id WHERE x.id = was.id RETURNING x.*
  ), noted AS (
    INSERT INTO conditional_events (conditional_id, ts, actor, from_status, to_status, evidence)
    SELECT c.id, was.at, m.actor, was.status, c.status, m.evidence FROM c JOIN was ON was.id = c.id JOIN m ON m.id = c.id ORDER BY c.id
  ), closed AS (
    UPDATE oco_groups g SET winner_id = c.id FROM c
    WHERE c.status = 'fired' AND g.account_id = c.account_id AND g.id = c.oco_group_id AND g.winner_id IS NULL
  ), outbox_event AS (
    INSERT INTO outbox (event, account_id, payload, created_at)
    SELECT 'conditional.' || c.status, c.account_id, ${notice('c.status', 'was.status', 'c.fire_attempts', 'was.at')}, $2
    FROM c JOIN was ON was.id = c.id WHERE c.status IN ('triggered', 'fired', 'fire_failed', 'expired') ORDER BY c.id
  )
  SELECT ${conditionalColumns} FROM c`

const waiting = prepared(statement('FOR UPDATE OF x'))
const passing = prepared(statement('FOR UPDATE OF x SKIP LOCKED'))

/** An armed order in hosted mode that triggers, is leased, and has its attempt counted: as three moves in a row. */
export interface Pass {
  id: string
  executionId: string
  evidence: JsonObject
  lease: { owner: string; ms: number }
  /** The epoch that the lease will have. */
  epoch: string
  attempt: number
  /** Of the trigger and the lease. */
  at: Date
  /** Of the attempt. */
  attemptAt: Date
}

/**
 * Null: it cannot take all of these moves now, or is locked; nothing was written. The order's row is written once: each time costs an entry
 * in all its indexes, and a second write in the same transaction repeats the foreign key look-ups.
 */
export async function queueForSubmit(
  db: Queryable,
  { trigger, claimFiring }: Pick<ConditionalSteps, 'trigger' | 'claimFiring'>,
  { id, executionId, evidence, lease, epoch, attempt, at, attemptAt }: Pass,
): Promise<ConditionalRow | null> {
  const { rows } = await db.query<ConditionalRow>(
    passage([
      id,
      at,
      executionId,
      JSON.stringify(evidence),
      lease.owner,
      lease.ms,
      epoch,
      attempt,
      attemptAt,
      trigger.from,
      trigger.to,
      trigger.actor,
      claimFiring.to,
      claimFiring.actor,
    ]),
  )
  return rows[0] ?? null
}

const passage = prepared(`WITH was AS (
    SELECT x.id, x.status, x.fire_attempts, t.at, ${after('$9', 't.at')} AS attempt_at
    FROM conditional_orders x CROSS JOIN LATERAL (SELECT ${after('$2', 'x.updated_at')} AS at) t
    WHERE x.id = $1 AND x.status = ANY ($10::text[]) AND x.fire_mode = 'hosted' AND x.execution_id = $3 AND x.lease_epoch + 1 = $7::bigint
      AND x.expires_at > $2 AND x.expires_at > $9
      -- Read after taking the group lock, as for each of the moves.
      AND NOT ${isStopped('x', '$2')} AND NOT ${isHeldBack('x', '$2')}
    FOR UPDATE OF x SKIP LOCKED
  ), c AS (
    UPDATE conditional_orders x SET status = $13, updated_at = was.attempt_at, changed_in = pg_current_xact_id(),
      trigger_evidence = $4::jsonb, triggered_at = $2, lease_owner = $5, lease_epoch = $7::bigint,
      leased_until = clock_timestamp() + $6::integer * interval '1 millisecond', retry_at = NULL,
      fire_attempts = greatest(x.fire_attempts, $8)
    FROM was WHERE x.id = was.id RETURNING x.*
  ), noted AS (
    INSERT INTO conditional_events (conditional_id, ts, actor, from_status, to_status, evidence)
    SELECT c.id, move.at, move.actor, move.from_status, move.to_status, move.evidence
    FROM c JOIN was ON was.id = c.id CROSS JOIN LATERAL (VALUES
      (was.at, $12, was.status, $11, $4::jsonb),
      (was.attempt_at, $14, $11, $13, NULL)) AS move (at, actor, from_status, to_status, evidence) ORDER BY move.at
  ), outbox_event AS (
    INSERT INTO outbox (event, account_id, payload, created_at)
    SELECT 'conditional.' || $11::text, c.account_id, ${notice('$11::text', 'was.status', 'was.fire_attempts', 'was.at')}, $2
    FROM c JOIN was ON was.id = c.id
  )
  SELECT ${conditionalColumns} FROM c`)
