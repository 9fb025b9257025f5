// Executions of paper accounts that were submitted and of which nothing more is recorded: their process ended before the paper exchange had
// them, or before it recorded that it had. The exchange takes nothing for an execution that is not `submitted`.
import { type ExecutionRow, executionColumns } from '../executions/executionRow.ts'
import type { Move } from '../executions/moveExecution.ts'
import { moveReserved } from '../executions/moveReserved.ts'
import type { Queryable } from '../pool.ts'

/** `reached`: the exchange has done what the execution requires. */
export type MoveUnplaced = (row: ExecutionRow, reached: boolean, now: Date) => Move | null

/** Within a transaction: ends those that were submitted before `before`. The number of executions that were moved. */
export async function settleUnplaced(
  db: Queryable,
  moveOf: MoveUnplaced,
  { before, now, limit }: { before: Date; now: Date; limit: number },
): Promise<number> {
  const { rows } = await db.query<ExecutionRow>(
    `SELECT ${executionColumns} FROM executions e
     WHERE e.status = 'submitted' AND e.updated_at < $1 AND EXISTS (SELECT FROM paper_accounts p WHERE p.account_id = e.account_id)
       AND NOT EXISTS (SELECT FROM paper_orders o WHERE o.execution_id = e.id)
     ORDER BY e.updated_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
    [before, limit],
  )
  let moved = 0
  for (const row of rows) {
    // With the row locked: nothing is taken for it from here on.
    const { rows: found } = await db.query<{ placed: boolean; reached: boolean }>(
      `SELECT EXISTS (SELECT FROM paper_orders WHERE execution_id = $1) AS placed,
         EXISTS (SELECT FROM paper_settlements WHERE execution_id = $1)
           OR EXISTS (SELECT FROM paper_orders WHERE account_id = $2 AND $1 = ANY(changed_by)) AS reached`,
      [row.id, row.account_id],
    )
    const { placed, reached } = found[0]!
    const move = placed ? null : moveOf(row, reached, now)
    if (move !== null && (await moveReserved(db, move)) !== null) moved++
  }
  return moved
}
