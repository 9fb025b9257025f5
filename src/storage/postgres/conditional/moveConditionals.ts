// The one place that writes a conditional order's status: the row, its event and its webhook event are written in one transaction, and the
// sealed artifact is erased in the statement that ends the order. Several rows, such as a group's winner and its losers, move in one
// statement.

import type { ConditionalStatus } from '#schemas/conditional'
import type { JsonObject } from '#schemas/executions'
import { conditionalStatusChanged } from '#schemas/webhookEvents/conditionalStatusChanged'
import type { Queryable } from '../pool.ts'
import { prepared } from '../preparedStatements.ts'
import { type AccountEvent, insertOutboxEvents } from '../webhooks/insertOutboxEvents.ts'
import { isFresh, isStopped } from './blockedOrders.ts'
import { type ConditionalRow, conditionalColumns, conditionalOf } from './conditionalRow.ts'
import { isHeldBack } from './ocoGroups.ts'
import type { Step } from './transitions.ts'

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

export interface MoveOptions {
  /** False: skips locked orders. */
  waits?: boolean
}

/**
 * The rows that moved. A missing row was in none of its step's statuses, or it or its lease had expired; nothing was written for it. Within a
 * transaction if a step leads to a status that webhooks report: those events are inserted by a statement of their own.
 */
export async function moveConditionals(
  db: Queryable,
  moves: readonly ConditionalMove[],
  at: Date,
  options?: MoveOptions,
): Promise<ConditionalRow[]> {
  const { rows, webhookEvents } = await updateConditionals(db, moves, at, options)
  if (webhookEvents.length > 0) await insertOutboxEvents(db, webhookEvents, at)
  return rows
}

export interface MovedOrders {
  rows: ConditionalRow[]
  /** To be inserted by the caller, in the same transaction. By order id. */
  webhookEvents: AccountEvent[]
}

/** As `moveConditionals`, for a caller that inserts the webhook events together with its next statement, without a round trip of their own. */
export async function updateConditionals(
  db: Queryable,
  moves: readonly ConditionalMove[],
  at: Date,
  { waits = true }: MoveOptions = {},
): Promise<MovedOrders> {
  if (moves.length === 0) return { rows: [], webhookEvents: [] }
  const ids = moves.map(({ id }) => id)
  const move = waits ? waiting : passing
  const { rows: moved } = await db.query<MovedRow>(move([JSON.stringify(moves.map(recordOf)), at, ids]))
  const webhookEvents = moved.toSorted((a, b) => (a.id < b.id ? -1 : 1)).flatMap((row) => webhookEventOf(row) ?? [])
  return { rows: moved.map(({ previous_status: _, ...row }) => row), webhookEvents }
}

interface MovedRow extends ConditionalRow {
  previous_status: ConditionalStatus
}

function webhookEventOf({ previous_status, ...row }: MovedRow): AccountEvent | null {
  const stored = conditionalStatusChanged(conditionalOf(row), previous_status)
  return stored && { accountId: row.account_id, stored }
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
    FROM was JOIN m ON m.id = was.id WHERE x.id = was.id RETURNING x.*, was.status AS previous_status
  ), noted AS (
    INSERT INTO conditional_events (conditional_id, ts, actor, from_status, to_status, evidence)
    SELECT c.id, was.at, m.actor, was.status, c.status, m.evidence FROM c JOIN was ON was.id = c.id JOIN m ON m.id = c.id ORDER BY c.id
  ), closed AS (
    UPDATE oco_groups g SET winner_id = c.id FROM c
    WHERE c.status = 'fired' AND g.account_id = c.account_id AND g.id = c.oco_group_id AND g.winner_id IS NULL
  )
  SELECT ${conditionalColumns}, c.previous_status FROM c`

const waiting = prepared(statement('FOR UPDATE OF x'))
const passing = prepared(statement('FOR UPDATE OF x SKIP LOCKED'))
