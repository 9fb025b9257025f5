// What an account has in flight, in one snapshot of the database.
import { type AlgorithmRow, algorithmColumns, isRunning } from '../algorithms/algorithmRow.ts'
import { type ConditionalRow, conditionalColumns, isOpen } from '../conditional/conditionalRow.ts'
import { inTransaction, type Pool } from '../pool.ts'
import { type OrderRow, orderColumns } from './readChanges.ts'

export interface OpenOrders {
  /** Newest first. `up_to`: number of the last change of status included in this state. */
  executions: (OrderRow & { up_to: string })[]
  conditionals: (ConditionalRow & { up_to: string })[]
  algorithms: (AlgorithmRow & { up_to: string })[]
}

/** At most `limit` of each. */
export const readOpenOrders = (pool: Pool, accountId: string, limit: number): Promise<OpenOrders> =>
  inTransaction(
    pool,
    async (client) => {
      await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
      const executions = await client.query<OpenOrders['executions'][number]>(
        `SELECT ${orderColumns}, coalesce((SELECT max(a.id) FROM execution_audit a WHERE a.execution_id = e.id), 0) AS up_to
         FROM executions e
         WHERE e.account_id = $1 AND e.status IN ('submitted', 'acked') AND NOT (e.intent = 'cancel' AND e.status = 'acked')
         ORDER BY e.seq DESC LIMIT $2`,
        [accountId, limit],
      )
      const conditionals = await client.query<OpenOrders['conditionals'][number]>(
        `SELECT ${conditionalColumns}, coalesce((SELECT max(v.id) FROM conditional_events v WHERE v.conditional_id = c.id), 0) AS up_to
         FROM conditional_orders c WHERE c.account_id = $1 AND c.${isOpen} ORDER BY c.seq DESC LIMIT $2`,
        [accountId, limit],
      )
      const algorithms = await client.query<OpenOrders['algorithms'][number]>(
        `SELECT ${algorithmColumns}, coalesce((SELECT max(v.id) FROM execution_algorithm_events v WHERE v.algorithm_id = a.id), 0) AS up_to
         FROM execution_algorithms a WHERE a.account_id = $1 AND a.${isRunning} ORDER BY a.seq DESC LIMIT $2`,
        [accountId, limit],
      )
      return { executions: executions.rows, conditionals: conditionals.rows, algorithms: algorithms.rows }
    },
    { statementTimeoutMs: 1_500 },
  )
