// Execution algorithms in PostgreSQL.
import type { AlgorithmStatus } from '#schemas/algorithms'
import { asUnavailable, inTransaction, type Pool, type Queryable } from '../pool.ts'
import { Rollback } from '../rollback.ts'
import { type AlgorithmRow, algorithmColumns, type SliceRow, sliceColumns } from './algorithmRow.ts'
import { type InsertAlgorithmResult, insertAlgorithm, type NewAlgorithm } from './insertAlgorithm.ts'
import { readProgress } from './progress.ts'
import * as steps from './steps.ts'

export type CancelAlgorithmResult =
  /** Also if it was canceled before. */
  { kind: 'canceled'; row: AlgorithmRow } | { kind: 'not_found' } | { kind: 'has_ended'; row: AlgorithmRow }

export interface AlgorithmFilter {
  accountId: string
  /** Null: all. */
  statuses: readonly AlgorithmStatus[] | null
  venue: string | null
  /** `seq` of the last row of the previous page. */
  before: string | null
  limit: number
}

const statementTimeoutMs = 1_500

/** `onChanged`: something that the order stream reports is committed. */
export function createAlgorithmStore(pool: Pool, onChanged: () => void = () => undefined) {
  const orUnavailable = <T>(work: Promise<T>): Promise<T> => asUnavailable('EXEC_UNAVAILABLE', work)
  const bound =
    <R extends unknown[], Result>(work: (db: Queryable, ...rest: R) => Promise<Result>) =>
    (...rest: R): Promise<Result> =>
      orUnavailable(work(pool, ...rest))
  const notifying =
    <R extends unknown[], Result>(work: (db: Queryable, ...rest: R) => Promise<Result>) =>
    async (...rest: R): Promise<Result> => {
      const result = await orUnavailable(work(pool, ...rest))
      onChanged()
      return result
    }
  return {
    async insert(wanted: NewAlgorithm, runningMax: number): Promise<InsertAlgorithmResult> {
      const result = await orUnavailable(insertWhole(pool, wanted, runningMax))
      onChanged()
      return result
    },
    find: (accountId: string, id: string) =>
      orUnavailable(findWhere(pool, 'a.account_id = $1 AND a.id = $2', accountId, id)),
    findByKey: (accountId: string, key: string) =>
      orUnavailable(findWhere(pool, 'a.account_id = $1 AND a.key = $2', accountId, key)),
    list: bound(listAlgorithms),
    listSlices: bound(listSlices),
    async cancel(accountId: string, id: string, at: Date): Promise<CancelAlgorithmResult> {
      const result = await orUnavailable(
        inTransaction(pool, (client) => cancel(client, accountId, id, at), { statementTimeoutMs }),
      )
      onChanged()
      return result
    },
    takeDue: bound(steps.takeDueAlgorithms),
    readProgress: bound(readProgress),
    decideSlice: bound(steps.decideSlice),
    usePlanned: bound(steps.usePlanned),
    recordBuilt: notifying(steps.recordBuilt),
    countAttempt: bound(steps.countAttempt),
    readSealed: bound(steps.readSealed),
    recordSent: notifying(steps.recordSent),
    countCancel: bound(steps.countCancel),
    recordCancel: notifying(steps.recordCancel),
    endSlice: notifying(steps.endSlice),
    endStep: bound(steps.endStep),
    finish: notifying(steps.finishAlgorithm),
  }
}
export type AlgorithmStore = ReturnType<typeof createAlgorithmStore>

/** An algorithm of which one slice could not be inserted is not inserted either. */
async function insertWhole(pool: Pool, wanted: NewAlgorithm, runningMax: number): Promise<InsertAlgorithmResult> {
  try {
    return await inTransaction(
      pool,
      async (client) => {
        const result = await insertAlgorithm(client, wanted, runningMax)
        if (result.kind === 'execution_taken') throw new Rollback(result)
        return result
      },
      { statementTimeoutMs },
    )
  } catch (error) {
    if (error instanceof Rollback) return error.result as InsertAlgorithmResult
    throw error
  }
}

async function findWhere(db: Queryable, where: string, accountId: string, value: string): Promise<AlgorithmRow | null> {
  const { rows } = await db.query<AlgorithmRow>(
    `SELECT ${algorithmColumns} FROM execution_algorithms a WHERE ${where}`,
    [accountId, value],
  )
  return rows[0] ?? null
}

/** Newest first. */
async function listAlgorithms(db: Queryable, filter: AlgorithmFilter): Promise<AlgorithmRow[]> {
  const { accountId, statuses, venue, before, limit } = filter
  const { rows } = await db.query<AlgorithmRow>(
    `SELECT ${algorithmColumns} FROM execution_algorithms a
     WHERE a.account_id = $1 AND ($2::text[] IS NULL OR a.status = ANY ($2)) AND ($3::text IS NULL OR a.venue = $3)
       AND ($4::bigint IS NULL OR a.seq < $4)
     ORDER BY a.seq DESC LIMIT $5`,
    [accountId, statuses, venue, before, limit],
  )
  return rows
}

/** The newest `limit`, oldest first. */
async function listSlices(db: Queryable, algorithmId: string, limit: number): Promise<SliceRow[]> {
  const { rows } = await db.query<SliceRow>(
    `SELECT ${sliceColumns} FROM execution_algorithm_slices s WHERE s.algorithm_id = $1 ORDER BY s.number DESC LIMIT $2`,
    [algorithmId, limit],
  )
  return rows.reverse()
}

/** From then on no slice is decided or sent; the live one is withdrawn at the next step. */
async function cancel(db: Queryable, accountId: string, id: string, at: Date): Promise<CancelAlgorithmResult> {
  const { rows: held } = await db.query<{ status: AlgorithmStatus }>(
    'SELECT status FROM execution_algorithms WHERE account_id = $1 AND id = $2 FOR UPDATE',
    [accountId, id],
  )
  const status = held[0]?.status
  if (status === undefined) return { kind: 'not_found' }
  if (status === 'running') {
    await db.query(
      `WITH a AS (
         UPDATE execution_algorithms SET status = 'ending', ends_as = 'canceled', wait_reason = NULL, due_at = least(due_at, $2),
           updated_at = greatest($2, updated_at)
         WHERE id = $1 RETURNING id
       )
       INSERT INTO execution_algorithm_events (algorithm_id, event, at) SELECT id, 'ending', $2 FROM a`,
      [id, at],
    )
  }
  const row = (await findWhere(db, 'a.account_id = $1 AND a.id = $2', accountId, id))!
  return { kind: row.status === 'ending' || row.status === 'canceled' ? 'canceled' : 'has_ended', row }
}
