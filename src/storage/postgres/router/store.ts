// Kept plans in PostgreSQL. A plan is written once with all its legs; afterwards each leg gets its execution, or the reason why there is none.
import type { JsonObject } from '#schemas/executions'
import type { RouterGroupKind } from '#schemas/router'
import { type ExecutionRow, executionColumns } from '../executions/executionRow.ts'
import { asUnavailable, inTransaction, type Pool, type Queryable } from '../pool.ts'
import { Rollback } from '../rollback.ts'
import { type CountedLeg, isClosedSince, isUnchanged, lockClosing } from './closing.ts'
import { groupColumns, legColumns, type RouterGroupRow, type RouterLegRow } from './groupRow.ts'

export type NewLeg = Omit<RouterLegRow, 'group_id' | 'position' | 'execution_id' | 'error'>

export interface NewGroup {
  id: string
  accountId: string
  keyId: string
  key: string
  bodySha256: Buffer
  kind: RouterGroupKind
  closesId: string | null
  plan: JsonObject
  legs: readonly NewLeg[]
  /** Of a group that closes another: the legs that it takes into account. */
  counted?: readonly CountedLeg[]
  at: Date
}

/** `key_used`: nothing was written. `changed`: neither, because a counted leg is no longer as it was. */
type InsertGroupResult = 'made' | 'key_used' | 'changed'

/** A group with its legs by position. */
export interface StoredGroup {
  group: RouterGroupRow
  legs: RouterLegRow[]
}

export interface GroupPage {
  accountId: string
  /** `seq` of the last row of the previous page. */
  before: string | null
  limit: number
}

const statementTimeoutMs = 1_500

export function createRouterStore(pool: Pool) {
  const orUnavailable = <T>(work: Promise<T>): Promise<T> => asUnavailable('EXEC_UNAVAILABLE', work)
  return {
    insert: (group: NewGroup): Promise<InsertGroupResult> => orUnavailable(insertWhole(pool, group)),
    find: (accountId: string, id: string): Promise<StoredGroup | null> =>
      orUnavailable(firstOf(findGroups(pool, 'g.account_id = $1 AND g.id = $2', [accountId, id]))),
    findByKey: (accountId: string, key: string): Promise<StoredGroup | null> =>
      orUnavailable(firstOf(findGroups(pool, 'g.account_id = $1 AND g.key = $2', [accountId, key]))),
    /** Those that close one of the groups, oldest first. */
    findClosing: (accountId: string, ids: readonly string[]): Promise<StoredGroup[]> =>
      orUnavailable(findGroups(pool, 'g.account_id = $1 AND g.closes_id = ANY($2)', [accountId, [...ids]])),
    /** Newest first. */
    list: (page: GroupPage): Promise<StoredGroup[]> => orUnavailable(listGroups(pool, page)),
    /** Legs without an execution may be built again: their errors are cleared, so that no group closes this one meanwhile. False: one has. */
    reopenLegs: (groupId: string): Promise<boolean> =>
      orUnavailable(inTransaction(pool, (client) => reopenLegs(client, groupId), { statementTimeoutMs })),
    /** Of a leg without an execution; an earlier error is replaced. False: its group was closed without it. */
    setExecution: (groupId: string, position: number, executionId: string): Promise<boolean> =>
      orUnavailable(
        inTransaction(pool, (client) => setExecution(client, { groupId, position, executionId }), {
          statementTimeoutMs,
        }),
      ),
    setError: (groupId: string, position: number, error: JsonObject) =>
      orUnavailable(setOutcome(pool, { groupId, position, executionId: null, error })),
    findExecutions: (accountId: string, ids: readonly string[]): Promise<ExecutionRow[]> =>
      orUnavailable(findExecutions(pool, accountId, ids)),
  }
}
export type RouterStore = ReturnType<typeof createRouterStore>

const firstOf = async (found: Promise<StoredGroup[]>): Promise<StoredGroup | null> => (await found)[0] ?? null

async function insertWhole(pool: Pool, group: NewGroup): Promise<InsertGroupResult> {
  try {
    return await inTransaction(pool, (client) => insertClosing(client, group), { statementTimeoutMs })
  } catch (error) {
    if (error instanceof Rollback) return error.result as InsertGroupResult
    throw error
  }
}

async function insertClosing(db: Queryable, group: NewGroup): Promise<InsertGroupResult> {
  const { id, closesId, counted = [] } = group
  if (closesId !== null) await lockClosing(db, closesId)
  if (!(await insertGroup(db, group))) return 'key_used'
  if (closesId !== null && !(await isUnchanged(db, { closesId, exceptId: id, counted }))) throw new Rollback('changed')
  return 'made'
}

async function insertGroup(db: Queryable, group: NewGroup): Promise<boolean> {
  const { id, accountId, keyId, key, bodySha256, kind, closesId, plan, legs, at } = group
  const { rowCount } = await db.query(
    `INSERT INTO router_groups (id, account_id, key_id, key, body_sha256, kind, closes_id, plan, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (account_id, key) DO NOTHING`,
    [id, accountId, keyId, key, bodySha256, kind, closesId, JSON.stringify(plan), at],
  )
  if (rowCount !== 1) return false
  await db.query(
    `INSERT INTO router_legs (group_id, position, component, venue, market_id, outcome_id, outcome_side, is_buy, size, price, expected, build,
       closes_position)
     SELECT $1, l.position, l.component, l.venue, l.market_id, l.outcome_id, l.outcome_side, l.is_buy, l.size, l.price, l.expected, l.build,
       l.closes_position
     FROM jsonb_to_recordset($2::jsonb) AS l(position smallint, component smallint, venue text, market_id text, outcome_id text,
       outcome_side text, is_buy boolean, size numeric, price numeric, expected jsonb, build jsonb, closes_position smallint)`,
    [id, JSON.stringify(legs.map((leg, position) => ({ ...leg, position })))],
  )
  return true
}

async function findGroups(db: Queryable, where: string, values: readonly unknown[]): Promise<StoredGroup[]> {
  const { rows } = await db.query<RouterGroupRow>(
    `SELECT ${groupColumns} FROM router_groups g WHERE ${where} ORDER BY g.seq`,
    [...values],
  )
  return withLegs(db, rows)
}

async function listGroups(db: Queryable, { accountId, before, limit }: GroupPage): Promise<StoredGroup[]> {
  const { rows } = await db.query<RouterGroupRow>(
    `SELECT ${groupColumns} FROM router_groups g WHERE g.account_id = $1 AND ($2::bigint IS NULL OR g.seq < $2)
     ORDER BY g.seq DESC LIMIT $3`,
    [accountId, before, limit],
  )
  return withLegs(db, rows)
}

async function withLegs(db: Queryable, groups: readonly RouterGroupRow[]): Promise<StoredGroup[]> {
  if (groups.length === 0) return []
  const { rows } = await db.query<RouterLegRow>(
    `SELECT ${legColumns} FROM router_legs l WHERE l.group_id = ANY($1) ORDER BY l.group_id, l.position`,
    [groups.map(({ id }) => id)],
  )
  const legs = Map.groupBy(rows, ({ group_id }) => group_id)
  return groups.map((group) => ({ group, legs: legs.get(group.id) ?? [] }))
}

async function reopenLegs(db: Queryable, groupId: string): Promise<boolean> {
  await lockClosing(db, groupId)
  if (await isClosedSince(db, groupId)) return false
  await db.query(
    'UPDATE router_legs SET error = NULL WHERE group_id = $1 AND execution_id IS NULL AND error IS NOT NULL',
    [groupId],
  )
  return true
}

async function setExecution(
  db: Queryable,
  leg: { groupId: string; position: number; executionId: string },
): Promise<boolean> {
  const { groupId, position, executionId } = leg
  await lockClosing(db, groupId)
  if (await isClosedSince(db, groupId)) {
    const { rowCount } = await db.query(
      'SELECT FROM router_legs WHERE group_id = $1 AND position = $2 AND execution_id = $3',
      [groupId, position, executionId],
    )
    return rowCount === 1
  }
  await setOutcome(db, { ...leg, error: null })
  return true
}

async function setOutcome(
  db: Queryable,
  leg: { groupId: string; position: number; executionId: string | null; error: JsonObject | null },
): Promise<void> {
  await db.query(
    `UPDATE router_legs SET execution_id = $3, error = $4 WHERE group_id = $1 AND position = $2 AND execution_id IS NULL`,
    [leg.groupId, leg.position, leg.executionId, leg.error === null ? null : JSON.stringify(leg.error)],
  )
}

async function findExecutions(db: Queryable, accountId: string, ids: readonly string[]): Promise<ExecutionRow[]> {
  if (ids.length === 0) return []
  const { rows } = await db.query<ExecutionRow>(
    `SELECT ${executionColumns} FROM executions e WHERE e.account_id = $1 AND e.id = ANY($2)`,
    [accountId, [...ids]],
  )
  return rows
}
