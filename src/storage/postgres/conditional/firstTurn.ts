// The first turn of an order that triggers in a process that fires: leased along with its trigger, or claimed as well.
//
//   longer:   trigger, lease ─► COMMIT ─► prepared ─► key, halts, attempt, claim ─► COMMIT ─► relay
//   at once:  read ─► prepared ─► key, halts, group, trigger, lease, attempt, claim ─► COMMIT ─► relay
//
// At once goes one order that nothing stands in the way of, and its statements are those of the longer way. Whatever stands in the way undoes
// all of it: the longer way has a word for it.
import type { JsonObject } from '#schemas/executions'
import { type Claim, type ClaimResult, claimIn } from '../executions/claim.ts'
import { type ExecutionRow, executionColumns } from '../executions/executionRow.ts'
import type { Queryable } from '../pool.ts'
import { prepared } from '../prepared.ts'
import { Undo } from '../undo.ts'
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
import { lockGroup } from './groups.ts'
import { moveConditionals } from './moveConditionals.ts'
import type { ConditionalSteps } from './steps.ts'

export interface TriggerDecision {
  id: string
  /** Book time, reference, samples, spread, size, source sequence: whatever the decision rests on. */
  evidence: JsonObject
}

/** A turn that begins at once: what it needs was read along with its lease. */
export interface FirstTurn {
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

type Read = Pick<FirstTurn, 'execution' | 'artifact'> & { order: ConditionalRow }

/** What the turns of these need, by id. */
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
 * Within the transaction that triggered these, and waits for nobody: leases those in hosted mode that nothing stands in the way of, `limit` of
 * them at most. The other ones are found by looking.
 */
export async function claimTriggered(
  db: Queryable,
  steps: Pick<ConditionalSteps, 'claimFiring'>,
  triggered: readonly ConditionalRow[],
  lease: FiringClaim,
): Promise<FirstTurn[]> {
  const hosted = triggered.filter(({ fire_mode }) => fire_mode === 'hosted')
  const free = firstOfGroups(await lockFree(db, hosted))
  const admitted = lease.room?.admit(free.slice(0, lease.limit)) ?? free.slice(0, lease.limit)
  const ids = admitted.map(({ id }) => id)
  if (ids.length === 0) return []
  const moves = ids.map((id) => claimOf(id, steps, lease))
  // All of it is on its way together.
  const [rows, read] = await Promise.all([moveConditionals(db, moves, lease.at), readTurns(db, ids)])
  return rows.map((row) => {
    const { execution, artifact } = read.get(row.id)!
    return { held: heldBy(row, lease), execution, artifact }
  })
}

export interface AtOnce {
  lease: FiringClaim
  /** Of an order as it will be held: the claim of its execution, with the right to it; null: it goes the longer way. Writes nothing. */
  prepare(turn: FirstTurn): Promise<Claim | null>
}

/** Anything but `claimed`: nothing was written, and the longer way says why. */
export type AtOnceResult =
  | { kind: 'claimed'; held: FiringRow; row: ExecutionRow }
  | Exclude<ClaimResult, { kind: 'claimed' }>
  /** It cannot be fired at once, was not prepared in time, or somebody is at it, or at its group. */
  | { kind: 'not_now' }
  /** The decision does not stand any more. */
  | { kind: 'recalled' }

const undo = (result: AtOnceResult): Undo<AtOnceResult> => new Undo(result)

/** Within a transaction, and waits for nobody who is at the order or at its group. */
export async function triggerAndClaim(
  db: Queryable,
  steps: Pick<ConditionalSteps, 'trigger' | 'claimFiring'>,
  { id, evidence }: TriggerDecision,
  { lease, prepare }: AtOnce,
): Promise<AtOnceResult> {
  const { order, ...needs } = (await readTurns(db, [id])).get(id) ?? {}
  if (order?.status !== 'armed' || order.fire_mode !== 'hosted') throw undo({ kind: 'not_now' })
  if (lease.room?.admit([order]).length === 0) throw undo({ kind: 'not_now' })
  // As the lease will have it: should somebody else have taken one meanwhile, it is lost.
  const lease_epoch = String(BigInt(order.lease_epoch) + 1n)
  const claim = await prepare({ ...(needs as Omit<Read, 'order'>), held: heldBy({ ...order, lease_epoch }, lease) })
  if (claim === null) throw undo({ kind: 'not_now' })
  let held: FiringRow | undefined
  const ahead = async (): Promise<void> => {
    const waits = { waits: false }
    const group = order.oco_group_id
    const [, triggered, leased] = await Promise.all([
      group === null ? null : lockGroup(db, order.account_id, group, waits),
      moveConditionals(db, [{ id, step: steps.trigger, evidence }], lease.at, waits),
      moveConditionals(db, [claimOf(id, steps, lease)], lease.at, waits),
    ])
    if (triggered.length + leased.length < 2) throw undo({ kind: 'not_now' })
    held = heldBy(leased[0]!, lease)
  }
  const row = await claimIn(db, claim, { ahead })
  const fire_attempts = claim.fire!.attempt
  return { kind: 'claimed', held: { ...held!, fire_attempts }, row }
}
