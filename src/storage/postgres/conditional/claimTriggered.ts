// Leases orders in the transaction that triggers them, in a process that fires orders. An order that triggers alone and is prepared in time is
// also claimed in it; the others, and one whose claim meets an obstacle, are claimed in a transaction of their own:
//
//   trigger, lease, claim ─► COMMIT ─► relay
//   trigger, lease ─► COMMIT ─► claim ─► COMMIT ─► relay
import { type Claim, claimIn } from '../executions/claim.ts'
import { type ExecutionRow, executionColumns } from '../executions/executionRow.ts'
import type { Queryable } from '../pool.ts'
import { prepared } from '../preparedStatements.ts'
import type { ConditionalRow } from './conditionalRow.ts'
import {
  claimOf,
  type FiringClaim,
  type FiringRow,
  firstOfGroups,
  heldBy,
  lockFree,
  type SealedArtifact,
  sealedColumns,
} from './firing.ts'
import { moveConditionals } from './moveConditionals.ts'
import type { ConditionalSteps } from './transitions.ts'

/** An order leased with its trigger, and the rows needed to fire it. */
export interface ClaimedTurn {
  held: FiringRow
  execution: ExecutionRow | null
  artifact: SealedArtifact
  /** The execution as claimed in the same transaction; null: it was not. */
  claimed: ExecutionRow | null
}

const artifactsOf = prepared(
  `SELECT c.id, c.execution_id, ${sealedColumns} FROM conditional_orders c WHERE c.id = ANY ($1::uuid[])`,
)
const executionsOf = prepared(
  `SELECT ${executionColumns} FROM conditional_orders c JOIN executions e ON e.id = c.execution_id WHERE c.id = ANY ($1::uuid[])`,
)

type NeededRows = Pick<ClaimedTurn, 'execution' | 'artifact'>

/** By the order's id. */
async function readNeededRows(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, NeededRows>> {
  const [orders, executions] = await Promise.all([
    db.query<Pick<ConditionalRow, 'id' | 'execution_id'> & SealedArtifact>(artifactsOf([ids])),
    db.query<ExecutionRow>(executionsOf([ids])),
  ])
  const executionOf = new Map(executions.rows.map((row) => [row.id, row]))
  return new Map(
    orders.rows.map(({ id, execution_id, ...artifact }) => [
      id,
      { execution: executionOf.get(execution_id) ?? null, artifact },
    ]),
  )
}

/**
 * Within the transaction that triggered these, waiting for no lock: leases those in hosted mode that are unobstructed, at most `limit` of
 * them. The others are found by polling.
 */
export async function claimTriggered(
  db: Queryable,
  steps: Pick<ConditionalSteps, 'claimFiring'>,
  triggered: readonly ConditionalRow[],
  lease: FiringClaim,
): Promise<ClaimedTurn[]> {
  const hosted = triggered.filter(({ fire_mode }) => fire_mode === 'hosted')
  const free = firstOfGroups(await lockFree(db, hosted))
  const admitted = lease.capacity?.admit(free.slice(0, lease.limit)) ?? free.slice(0, lease.limit)
  const ids = admitted.map(({ id }) => id)
  if (ids.length === 0) return []
  const moves = ids.map((id) => claimOf(id, steps, lease))
  // Pipelined.
  const [rows, needed] = await Promise.all([moveConditionals(db, moves, lease.at), readNeededRows(db, ids)])
  return rows.map((row) => ({ held: heldBy(row, lease), ...needed.get(row.id)!, claimed: null }))
}

/** For each lock of the claim: orders that trigger later wait for this transaction. */
const lockTimeoutMs = 50

/** Within the same transaction. Null: an obstacle, which left nothing behind; a claim in a transaction of its own reports it. */
export async function claimWithTrigger(db: Queryable, claim: Claim): Promise<ExecutionRow | null> {
  // Pipelined.
  const saved = db.query(`SAVEPOINT claim; SET LOCAL lock_timeout = ${lockTimeoutMs}`)
  try {
    const [, row] = await Promise.all([saved, claimIn(db, claim)])
    return row
  } catch {
    // If this succeeds the trigger is intact, whatever happened to the claim.
    await db.query('ROLLBACK TO SAVEPOINT claim')
    return null
  }
}
