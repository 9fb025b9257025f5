// Triggers an order and leases it in the same transaction, in a process that fires orders; or also claims its execution.
//
//   slow:     trigger, lease ─► COMMIT ─► prepared ─► key, halts, attempt, claim ─► COMMIT ─► relay
//   fast:     read ─► prepared ─► key, halts, group, trigger and lease and attempt, claim ─► COMMIT ─► relay
//
// A single unobstructed order takes the fast path, and leaves the same rows as the slow path. Any obstacle rolls all of it back, and the
// slow path reports it.
import type { JsonObject } from '#schemas/executions'
import { type Claim, type ClaimResult, claimIn } from '../executions/claim.ts'
import { type ExecutionRow, executionColumns } from '../executions/executionRow.ts'
import type { Queryable } from '../pool.ts'
import { prepared } from '../preparedStatements.ts'
import { Rollback } from '../rollback.ts'
import { type ConditionalRow, conditionalColumns } from './conditionalRow.ts'
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
import { moveConditionals, queueForSubmit } from './moveConditionals.ts'
import { lockGroup } from './ocoGroups.ts'
import type { ConditionalSteps } from './transitions.ts'

export interface TriggerDecision {
  id: string
  /** Book time, reference, samples, spread, size, source sequence: the evidence of the decision. */
  evidence: JsonObject
}

/** A fire that starts immediately: the rows it needs were read together with its lease. */
export interface TriggerAndClaim {
  held: FiringRow
  execution: ExecutionRow | null
  artifact: SealedArtifact
}

const ordersOf = prepared(
  `SELECT ${conditionalColumns}, ${sealedColumns} FROM conditional_orders c WHERE c.id = ANY ($1::uuid[])`,
)
const executionsOf = prepared(
  `SELECT ${executionColumns} FROM conditional_orders c JOIN executions e ON e.id = c.execution_id WHERE c.id = ANY ($1::uuid[])`,
)

type Read = Pick<TriggerAndClaim, 'execution' | 'artifact'> & { order: ConditionalRow }

/** Rows needed to fire these orders, by id. */
export async function readTurns(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, Read>> {
  const [orders, executions] = await Promise.all([
    db.query<ConditionalRow & SealedArtifact>(ordersOf([ids])),
    db.query<ExecutionRow>(executionsOf([ids])),
  ])
  const executionOf = new Map(executions.rows.map((row) => [row.id, row]))
  return new Map(
    orders.rows.map(({ sealed, keyId, sha256, ...order }) => [
      order.id,
      { order, execution: executionOf.get(order.execution_id) ?? null, artifact: { sealed, keyId, sha256 } },
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
): Promise<TriggerAndClaim[]> {
  const hosted = triggered.filter(({ fire_mode }) => fire_mode === 'hosted')
  const free = firstOfGroups(await lockFree(db, hosted))
  const admitted = lease.capacity?.admit(free.slice(0, lease.limit)) ?? free.slice(0, lease.limit)
  const ids = admitted.map(({ id }) => id)
  if (ids.length === 0) return []
  const moves = ids.map((id) => claimOf(id, steps, lease))
  // Pipelined.
  const [rows, read] = await Promise.all([moveConditionals(db, moves, lease.at), readTurns(db, ids)])
  return rows.map((row) => {
    const { execution, artifact } = read.get(row.id)!
    return { held: heldBy(row, lease), execution, artifact }
  })
}

export interface FastPath {
  lease: FiringClaim
  /** For an order as it will be held: the claim of its execution, with the right to it; null: it takes the slow path. Writes nothing. */
  prepare(turn: TriggerAndClaim): Promise<Claim | null>
}

/** Anything but `claimed`: nothing was written, and the slow path reports why. */
export type AtOnceResult =
  | { kind: 'claimed'; held: FiringRow; row: ExecutionRow }
  | Exclude<ClaimResult, { kind: 'claimed' }>
  /** It cannot be fired directly, was not prepared in time, or it or its group is locked. */
  | { kind: 'not_now' }
  /** The decision was withdrawn. */
  | { kind: 'recalled' }

const undo = (result: AtOnceResult): Rollback<AtOnceResult> => new Rollback(result)

/** Within a transaction; waits for no lock on the order or its group. */
export async function triggerAndClaim(
  db: Queryable,
  steps: Pick<ConditionalSteps, 'trigger' | 'claimFiring'>,
  { id, evidence }: TriggerDecision,
  { lease, prepare }: FastPath,
): Promise<AtOnceResult> {
  const { order, ...needs } = (await readTurns(db, [id])).get(id) ?? {}
  if (order?.status !== 'armed' || order.fire_mode !== 'hosted') throw undo({ kind: 'not_now' })
  if (lease.capacity?.admit([order]).length === 0) throw undo({ kind: 'not_now' })
  // The epoch the lease will have: if another process has taken one meanwhile, this one is lost.
  const lease_epoch = String(BigInt(order.lease_epoch) + 1n)
  const claim = await prepare({ ...(needs as Omit<Read, 'order'>), held: heldBy({ ...order, lease_epoch }, lease) })
  if (claim === null) throw undo({ kind: 'not_now' })
  let held: FiringRow | undefined
  const begin = async (): Promise<boolean> => {
    const { at: attemptAt } = claim.move
    const { attempt } = claim.fire!
    const { owner, leaseMs: ms, at } = lease
    const group = order.oco_group_id
    const [, row] = await Promise.all([
      group === null ? null : lockGroup(db, order.account_id, group, { waits: false }),
      queueForSubmit(db, steps, {
        id,
        executionId: order.execution_id,
        evidence,
        lease: { owner, ms },
        epoch: lease_epoch,
        attempt,
        at,
        attemptAt,
      }),
    ])
    if (row === null) throw undo({ kind: 'not_now' })
    held = heldBy(row, lease)
    return true
  }
  const row = await claimIn(db, claim, { begin })
  return { kind: 'claimed', held: held!, row }
}
