// Arming: in one transaction the key is bound, an earlier order waiting behind the same execution is superseded, and the new one starts
// waiting.
import type { FireMode, TriggerRule } from '#schemas/conditional'
import type { ExecutionStatus } from '#schemas/executions'
import { hasLiveReservation } from '../executions/reservations.ts'
import type { Queryable } from '../pool.ts'
import { Rollback } from '../rollback.ts'
import { type ConditionalRow, conditionalColumns, isOpen } from './conditionalRow.ts'
import { bindKey } from './keys.ts'
import { moveConditionals } from './moveConditionals.ts'
import { lockGroup } from './ocoGroups.ts'
import type { ConditionalSteps } from './transitions.ts'

export interface NewConditional {
  id: string
  accountId: string
  keyId: string
  executionId: string
  venue: string
  marketId: string
  outcomeId: string
  fireMode: FireMode
  trigger: TriggerRule
  expiresAt: Date
  ocoGroupId: string | null
  armCountry: string | null
  /** Hosted mode only: the signed artifact sealed with key `keyId`, and its hash in clear. */
  artifact: { sealed: Buffer; keyId: string; sha256: Buffer } | null
  key: string
  bodySha256: Buffer
  at: Date
}

export type ArmResult =
  | { kind: 'armed'; row: ConditionalRow }
  /** The key was already bound; nothing was written. */
  | { kind: 'taken' }
  /** An order of the group has fired. */
  | { kind: 'group_closed' }
  | { kind: 'group_full' }
  | { kind: 'account_full' }
  /** An order behind this execution is firing, or a right to submit it is held. */
  | { kind: 'attempt' }
  | { kind: 'not_built'; status: ExecutionStatus | null }
  /** An order behind this execution has fired: the venue has it, even if its execution was never updated. */
  | { kind: 'has_fired' }

export interface ArmLimits {
  /** Open orders of a group. */
  groupMax: number
  /** Open orders of an account. */
  accountMax: number
}

const undo = (result: ArmResult): Rollback<ArmResult> => new Rollback(result)

/** Within a transaction. Throws `Rollback` with the obstacle. */
export async function armConditional(
  db: Queryable,
  steps: Pick<ConditionalSteps, 'replace'>,
  wanted: NewConditional,
  { groupMax, accountMax }: ArmLimits,
): Promise<ArmResult> {
  const { id, accountId, executionId, ocoGroupId, key, bodySha256, at } = wanted
  if (!(await bindKey(db, { accountId, kind: 'arm', key, bodySha256, conditionalId: id, at })))
    throw undo({ kind: 'taken' })
  if (!(await isBelowLimit(db, wanted, accountMax))) throw undo({ kind: 'account_full' })
  if (ocoGroupId !== null) await joinGroup(db, wanted, ocoGroupId, groupMax)
  await lockLiving(db, executionId)
  const execution = await db.query<{ status: ExecutionStatus }>(
    'SELECT status FROM executions WHERE id = $1 AND account_id = $2 FOR UPDATE',
    [executionId, accountId],
  )
  const status = execution.rows[0]?.status ?? null
  if (status !== 'built') throw undo({ kind: 'not_built', status })
  if (await hasFired(db, executionId)) throw undo({ kind: 'has_fired' })
  if (await hasLiveReservation(db, executionId, at)) throw undo({ kind: 'attempt' })
  // May have been armed while this one waited for the execution: it is locked only briefly, and nothing waits for it while holding the
  // execution.
  const earlier = await lockLiving(db, executionId, 'SKIP LOCKED')
  if (earlier !== undefined && earlier.status !== 'armed') throw undo({ kind: 'attempt' })
  if (earlier !== undefined) {
    await moveConditionals(db, [{ id: earlier.id, step: steps.replace, evidence: { replacedBy: id } }], at)
  }
  return { kind: 'armed', row: await insert(db, wanted) }
}

async function lockLiving(db: Queryable, executionId: string, wait: '' | 'SKIP LOCKED' = '') {
  const { rows } = await db.query<Pick<ConditionalRow, 'id' | 'status'>>(
    `SELECT id, status FROM conditional_orders WHERE execution_id = $1 AND ${isOpen} FOR UPDATE ${wait}`,
    [executionId],
  )
  return rows[0]
}

async function hasFired(db: Queryable, executionId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM conditional_orders WHERE execution_id = $1 AND status = 'fired' LIMIT 1`,
    [executionId],
  )
  return rowCount !== 0
}

/** So close to its limit an account arms one order at a time; no more than these are being armed at once. */
const closeToLimit = 100
/** Any number works as long as nothing else on the server uses it with an account. */
const armLock = 724_609

async function isBelowLimit(db: Queryable, wanted: NewConditional, max: number): Promise<boolean> {
  const near = max - closeToLimit
  if (near > 0 && (await countOthers(db, wanted, near)) < near) return true
  await db.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [armLock, wanted.accountId])
  // A new snapshot: the previous holder of the lock has committed.
  return (await countOthers(db, wanted, max)) < max
}

/** Open orders of the account behind other executions; counts no further than `max`. */
async function countOthers(db: Queryable, { accountId, executionId }: NewConditional, max: number): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM (
       SELECT FROM conditional_orders WHERE account_id = $1 AND execution_id <> $2 AND ${isOpen} LIMIT $3) AS living`,
    [accountId, executionId, max],
  )
  return rows[0]!.n
}

async function joinGroup(
  db: Queryable,
  { accountId, executionId, at }: NewConditional,
  id: string,
  groupMax: number,
): Promise<void> {
  await db.query(
    'INSERT INTO oco_groups (account_id, id, created_at) VALUES ($1, $2, $3) ON CONFLICT (account_id, id) DO NOTHING',
    [accountId, id, at],
  )
  const group = await lockGroup(db, accountId, id)
  if (group?.winner_id !== null) throw undo({ kind: 'group_closed' })
  const { rows } = await db.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM conditional_orders WHERE account_id = $1 AND oco_group_id = $2
       AND execution_id <> $3 AND ${isOpen}`,
    [accountId, id, executionId],
  )
  if (rows[0]!.n >= groupMax) throw undo({ kind: 'group_full' })
}

async function insert(db: Queryable, wanted: NewConditional): Promise<ConditionalRow> {
  const { rows } = await db.query<ConditionalRow>(
    `WITH c AS (
       INSERT INTO conditional_orders (id, account_id, key_id, execution_id, venue, market_id, outcome_id, status, fire_mode, trigger_rule,
         expires_at, oco_group_id, arm_country, sealed, seal_key_id, artifact_sha256, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 'armed', $8, $9, $10, $11, $12, $13, $14, $15, $16, $16) RETURNING *
     ), noted AS (
       INSERT INTO conditional_events (conditional_id, ts, actor, from_status, to_status, evidence)
       SELECT id, created_at, 'api', NULL, status, NULL FROM c
     ), trailed AS (
       INSERT INTO conditional_trails (conditional_id, is_highest)
       SELECT id, trigger_rule->>'when' = 'at_or_below' FROM c WHERE trigger_rule ? 'trail'
     )
     SELECT ${conditionalColumns} FROM c`,
    [
      wanted.id,
      wanted.accountId,
      wanted.keyId,
      wanted.executionId,
      wanted.venue,
      wanted.marketId,
      wanted.outcomeId,
      wanted.fireMode,
      JSON.stringify(wanted.trigger),
      wanted.expiresAt,
      wanted.ocoGroupId,
      wanted.armCountry,
      wanted.artifact?.sealed ?? null,
      wanted.artifact?.keyId ?? null,
      wanted.artifact?.sha256 ?? null,
      wanted.at,
    ],
  )
  return rows[0]!
}
