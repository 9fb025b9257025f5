// Hosted orders being sent to the venue: leased by one process, whose writes count only under its lease.

import { conditionalOutcomeUnknown } from '#schemas/webhookEvents/conditionalStatusChanged'
import type { Queryable } from '../pool.ts'
import { prepared } from '../preparedStatements.ts'
import { insertOutboxEvents } from '../webhooks/insertOutboxEvents.ts'
import { isFresh } from './blockedOrders.ts'
import { type ConditionalRow, conditionalColumns, conditionalOf } from './conditionalRow.ts'
import { after, moveConditionals } from './moveConditionals.ts'
import { isHeldBack } from './ocoGroups.ts'
import type { ConditionalSteps } from './transitions.ts'

/** Identifies one lease of one order. The epoch is a bigint as text. */
export interface FiringLease {
  owner: string
  epoch: string
}

export interface FiringRow extends ConditionalRow {
  lease: FiringLease
}

export interface FiringClaim {
  /** Unique per run of a process. */
  owner: string
  leaseMs: number
  limit: number
  at: Date
  /** Absent: any of them. */
  capacity?: FiringCapacity | undefined
  /** Starts nothing new; settles what was left behind. */
  settlesOnly?: boolean | undefined
}

/** The claimer's remaining capacity. */
export interface FiringCapacity {
  /** Those without capacity. */
  full(): { accounts: readonly string[]; venues: readonly string[] }
  /** Those of them, in their order, that there is capacity for; it is then taken. */
  admit<T extends Pick<ConditionalRow, 'account_id' | 'venue'>>(wanted: readonly T[]): T[]
}

/** SQL, of `c`: the outcome of what was sent is known, from the venue or from its owner. */
const isKnown = `EXISTS (
    SELECT FROM executions e WHERE e.id = c.execution_id AND e.status NOT IN ('built', 'signed', 'submitted'))`

/** SQL, of `c`: to be fired for the first time (unless `settlesOnly`), or left behind by its firing process. A group has one attempt at a time. */
const isDue = (at: string, settlesOnly: string): string => `c.fire_mode = 'hosted' AND (
    (c.status = 'triggered' AND NOT ${settlesOnly}::boolean AND c.expires_at > ${at} AND ${isFresh('c', at)} AND NOT ${isHeldBack('c', at)})
    OR (c.status = 'firing' AND (c.leased_until IS NULL OR c.leased_until <= clock_timestamp())
      AND (c.retry_at IS NULL OR c.retry_at <= clock_timestamp() OR ${isKnown})))`

type Candidate = Pick<ConditionalRow, 'id' | 'account_id' | 'venue' | 'status' | 'oco_group_id'>
type Grouped = Pick<ConditionalRow, 'account_id' | 'oco_group_id'>

/** Null: it is in no group. */
const groupOf = ({ account_id, oco_group_id }: Grouped): string | null =>
  oco_group_id === null ? null : `${account_id} ${oco_group_id}`

const freeGroups = prepared(
  // The planner knows that arrays are short; for a set it assumes a hundred rows.
  `SELECT account_id, id AS oco_group_id FROM oco_groups WHERE account_id = ANY ($1::uuid[]) AND id = ANY ($2::uuid[])
     AND (account_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[])) ORDER BY account_id, id FOR UPDATE SKIP LOCKED`,
)

/** Locks those of these orders' groups that are not locked already; returns the orders in none of the others. */
export async function lockFree<T extends Grouped>(db: Queryable, orders: readonly T[]): Promise<T[]> {
  const grouped = orders.filter((one) => groupOf(one) !== null)
  if (grouped.length === 0) return [...orders]
  const { rows } = await db.query<{ account_id: string; oco_group_id: string }>(
    freeGroups([grouped.map(({ account_id }) => account_id), grouped.map(({ oco_group_id }) => oco_group_id)]),
  )
  const held = new Set(rows.map(groupOf))
  return orders.filter((one) => groupOf(one) === null || held.has(groupOf(one)))
}

/** One per group. */
export function firstOfGroups<T extends Grouped>(orders: readonly T[]): T[] {
  const taken = new Set<string>()
  return orders.filter((one) => {
    const group = groupOf(one)
    if (group === null) return true
    if (taken.has(group)) return false
    taken.add(group)
    return true
  })
}

/** SQL, of `alias`: the condition of the index used to find due orders. */
export const isLiving = (alias: string): string =>
  `${alias}.fire_mode = 'hosted' AND ${alias}.status IN ('triggered', 'firing')`

/** Round-robin by account and venue; within each, longest triggered first. */
export async function findDue(
  db: Queryable,
  { limit, at, capacity, settlesOnly = false }: Pick<FiringClaim, 'limit' | 'at' | 'capacity' | 'settlesOnly'>,
): Promise<readonly Candidate[]> {
  const full = capacity?.full() ?? { accounts: [], venues: [] }
  const { rows } = await db.query<Candidate & { turn: unknown }>(
    `WITH RECURSIVE pairs AS (
       (SELECT f.account_id, f.venue FROM conditional_orders f WHERE ${isLiving('f')} ORDER BY f.account_id, f.venue LIMIT 1)
       UNION ALL
       SELECT n.account_id, n.venue FROM pairs p CROSS JOIN LATERAL (
         SELECT x.account_id, x.venue FROM conditional_orders x WHERE ${isLiving('x')} AND (x.account_id, x.venue) > (p.account_id, p.venue)
         ORDER BY x.account_id, x.venue LIMIT 1) n
     )
     SELECT d.id, d.account_id, d.venue, d.status, d.oco_group_id FROM pairs p CROSS JOIN LATERAL (
       SELECT c.id, c.account_id, c.venue, c.status, c.oco_group_id, c.triggered_at, row_number() OVER (ORDER BY c.triggered_at, c.id) AS turn
       FROM conditional_orders c
       WHERE c.account_id = p.account_id AND c.venue = p.venue AND ${isLiving('c')} AND ${isDue('$1', '$5')}
       ORDER BY c.triggered_at, c.id LIMIT $2) d
     WHERE p.account_id <> ALL ($3::uuid[]) AND p.venue <> ALL ($4::text[]) ORDER BY d.turn, d.triggered_at, d.id LIMIT $2`,
    [at, limit, full.accounts, full.venues, settlesOnly],
  )
  return capacity?.admit(rows) ?? rows
}

/** Of these, those in no group that are fired for the first time: claimed in one statement that waits for no lock. */
export async function claimAlone(
  db: Queryable,
  steps: Pick<ConditionalSteps, 'claimFiring'>,
  candidates: readonly Candidate[],
  claim: FiringClaim,
): Promise<FiringRow[]> {
  const moves = candidates.map(({ id }) => claimOf(id, steps, claim))
  return (await moveConditionals(db, moves, claim.at, { waits: false })).map((row) => heldBy(row, claim))
}

export const isOutsideOcoGroup = ({ status, oco_group_id }: Candidate): boolean =>
  status === 'triggered' && oco_group_id === null

export const claimOf = (
  id: string,
  { claimFiring: step }: Pick<ConditionalSteps, 'claimFiring'>,
  claim: FiringClaim,
) => ({
  id,
  step,
  lease: { owner: claim.owner, ms: claim.leaseMs },
})

export const heldBy = (row: ConditionalRow, { owner }: FiringClaim): FiringRow => ({
  ...row,
  lease: { owner, epoch: row.lease_epoch },
})

/** Within a transaction: claims those of these that are still due, and waits for no lock. */
export async function claimDue(
  db: Queryable,
  steps: Pick<ConditionalSteps, 'claimFiring'>,
  candidates: readonly Candidate[],
  claim: FiringClaim,
): Promise<FiringRow[]> {
  const { owner, leaseMs, at, settlesOnly = false } = claim
  const ours = await lockFree(db, candidates)
  const { rows: due } = await db.query<Candidate>(
    `SELECT c.id, c.account_id, c.venue, c.status, c.oco_group_id FROM conditional_orders c
     WHERE c.id = ANY ($2::uuid[]) AND ${isDue('$1', '$3')} ORDER BY c.id FOR UPDATE SKIP LOCKED`,
    [at, ours.map(({ id }) => id), settlesOnly],
  )
  const dueIds = new Set(due.map(({ id }) => id))
  // In the order in which they were triggered.
  const next = firstOfGroups(ours.filter(({ id }) => dueIds.has(id)))
  const first = next.filter(({ status }) => status === 'triggered').map(({ id }) => claimOf(id, steps, claim))
  const again = next.filter(({ status }) => status === 'firing').map(({ id }) => id)
  const claimed = [...(await moveConditionals(db, first, at)), ...(await leaseAgain(db, again, owner, leaseMs, at))]
  return claimed.map((row) => heldBy(row, claim))
}

async function leaseAgain(
  db: Queryable,
  ids: readonly string[],
  owner: string,
  leaseMs: number,
  at: Date,
): Promise<ConditionalRow[]> {
  if (ids.length === 0) return []
  const { rows } = await db.query<ConditionalRow>(
    `UPDATE conditional_orders c SET lease_owner = $2, lease_epoch = lease_epoch + 1, retry_at = NULL, updated_at = greatest(updated_at, $4),
       changed_in = pg_current_xact_id(), leased_until = clock_timestamp() + $3::integer * interval '1 millisecond'
     WHERE id = ANY ($1::uuid[]) AND status = 'firing' RETURNING ${conditionalColumns}`,
    [ids, owner, leaseMs, at],
  )
  return rows
}

/** SQL, of `c`: order $1 is being fired by holder $2 under epoch $3. An expired lease is still held until another process takes it. */
export const isHeld = `c.id = $1 AND c.status = 'firing' AND c.lease_owner = $2 AND c.lease_epoch = $3::bigint`

export interface SealedArtifact {
  sealed: Buffer
  keyId: string
  sha256: Buffer
}

/** Of a table or a subquery aliased `c`, as `SealedArtifact`. */
export const sealedColumns = 'c.sealed, c.seal_key_id AS "keyId", c.artifact_sha256 AS sha256'

export async function readArtifact(db: Queryable, id: string, lease: FiringLease): Promise<SealedArtifact | null> {
  const { rows } = await db.query<SealedArtifact>(`SELECT ${sealedColumns} FROM conditional_orders c WHERE ${isHeld}`, [
    id,
    lease.owner,
    lease.epoch,
  ])
  return rows[0] ?? null
}

/** A fire loop's right to submit the execution of an order that it holds, as attempt number `attempt`. */
export interface SubmitLease {
  conditionalId: string
  lease: FiringLease
  attempt: number
}

const countAttempt = prepared(
  `UPDATE conditional_orders c SET fire_attempts = greatest(fire_attempts, $4), updated_at = greatest(updated_at, $5), changed_in = pg_current_xact_id()
   WHERE ${isHeld} AND c.execution_id = $6 AND c.expires_at > $5`,
)

/** Within the transaction that claims the execution: counted with it, under the order's lock. False: the lease was lost, or the order has expired. */
export async function beginAttempt(
  db: Queryable,
  executionId: string,
  { conditionalId, lease, attempt }: SubmitLease,
  at: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(countAttempt([conditionalId, lease.owner, lease.epoch, attempt, at, executionId]))
  return rowCount === 1
}

export interface Pause {
  id: string
  lease: FiringLease
  afterMs: number
  /** Null leaves the previous one. */
  lastError: string | null
  /** Attempts so far, including those refused before they claimed anything. */
  attempts?: number
  /** The last attempt may be at the venue: its owner is notified, once for each attempt. */
  isUnknown?: boolean
  at: Date
}

/**
 * Releases it until its next attempt or check, this long from now. False: the lease was lost. Within a transaction if its outcome is unknown: the
 * webhook event is inserted by a statement of its own.
 */
export async function postponeFiring(
  db: Queryable,
  { id, lease, afterMs, lastError, attempts = 0, isUnknown = false, at }: Pause,
): Promise<boolean> {
  const { rows } = await db.query<ConditionalRow & { is_newly_unknown: boolean }>(
    `WITH was AS (
       SELECT c.id, c.reported_attempt FROM conditional_orders c WHERE ${isHeld} FOR UPDATE
     ), c AS (
       UPDATE conditional_orders x SET lease_owner = NULL, leased_until = NULL, last_error = coalesce($5, last_error),
         updated_at = ${after('$6', 'updated_at')}, fire_attempts = greatest(fire_attempts, $7), changed_in = pg_current_xact_id(),
         reported_attempt = CASE WHEN $8::boolean THEN fire_attempts ELSE x.reported_attempt END,
         retry_at = clock_timestamp() + $4::integer * interval '1 millisecond'
       FROM was WHERE x.id = was.id RETURNING x.*, x.reported_attempt > was.reported_attempt AS is_newly_unknown
     )
     SELECT ${conditionalColumns}, c.is_newly_unknown FROM c`,
    [id, lease.owner, lease.epoch, afterMs, lastError, at, attempts, isUnknown],
  )
  const row = rows[0]
  if (row === undefined) return false
  if (row.is_newly_unknown) {
    const stored = conditionalOutcomeUnknown(conditionalOf(row))
    await insertOutboxEvents(db, [{ accountId: row.account_id, stored }], at)
  }
  return true
}
