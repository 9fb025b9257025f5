// Armed conditional orders by the thousand, written as arming writes them, and fire loops that send nothing anywhere.
import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { conditionalSteps } from '#conditional/transitions'
import { silentLog } from '#lib/log'
import type { FiringRow } from '#storage/postgres/conditional/firing'
import { createConditionalStore } from '#storage/postgres/conditional/store'
import type { Move } from '#storage/postgres/executions/moveExecution'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { createPool, type Pool } from '#storage/postgres/pool'
import { noon, rule, sha256 } from './book.ts'

/** Of a venue that nothing is sent to. */
export type Fate = 'accepts' | 'rejects' | 'is silent'

export interface Planned {
  id: string
  executionId: string
  fireMode: 'hosted' | 'client'
  ocoGroupId: string | null
  expiresAt: Date
}

export const plan = (more: Partial<Planned> = {}): Planned => ({
  id: randomUUID(),
  executionId: randomUUID(),
  fireMode: 'hosted',
  ocoGroupId: null,
  expiresAt: new Date(noon.getTime() + 3_600_000),
  ...more,
})

export interface Keepers {
  accountId: string
  keyId: string
}

export async function armCrowd(pool: Pool, { accountId, keyId }: Keepers, crowd: readonly Planned[]): Promise<void> {
  const column = <K extends keyof Planned>(name: K) => crowd.map((one) => one[name])
  await pool.query(
    `INSERT INTO executions (id, account_id, key_id, venue, intent, status, build_version, unsigned, unsigned_sha256, bounds, created_at, updated_at)
     SELECT id, $2, $3, 'lab', 'order', 'built', 1, '{}', sha256('{}'), '{}', $4, $4 FROM unnest($1::uuid[]) AS id`,
    [column('executionId'), accountId, keyId, noon],
  )
  await pool.query(
    `INSERT INTO oco_groups (account_id, id, created_at)
     SELECT DISTINCT $1::uuid, id, $3::timestamptz FROM unnest($2::uuid[]) AS id WHERE id IS NOT NULL`,
    [accountId, column('ocoGroupId'), noon],
  )
  await pool.query(
    `WITH c AS (
       INSERT INTO conditional_orders (id, account_id, key_id, execution_id, venue, market_id, outcome_id, status, fire_mode, trigger_rule,
         expires_at, oco_group_id, sealed, seal_key_id, artifact_sha256, created_at, updated_at)
       SELECT id, $1, $2, execution_id, 'lab', 'm1', 'o1', 'armed', mode, $3, expires_at, oco,
         CASE WHEN mode = 'hosted' THEN '\\x01'::bytea END, CASE WHEN mode = 'hosted' THEN 'k1' END,
         CASE WHEN mode = 'hosted' THEN '\\x02'::bytea END, $4, $4
       FROM unnest($5::uuid[], $6::uuid[], $7::text[], $8::uuid[], $9::timestamptz[]) AS w (id, execution_id, mode, oco, expires_at)
       RETURNING id
     )
     INSERT INTO conditional_events (conditional_id, ts, actor, from_status, to_status) SELECT id, $4, 'api', NULL, 'armed' FROM c`,
    [
      accountId,
      keyId,
      JSON.stringify(rule),
      noon,
      column('id'),
      column('executionId'),
      column('fireMode'),
      column('ocoGroupId'),
      column('expiresAt'),
    ],
  )
}

/** Fewer than a process has connections: a statement that waits for one is late by the store's own measure. */
const firedAtOnce = 6

export async function inTurns<T>(list: readonly T[], atOnce: number, work: (one: T) => Promise<void>): Promise<void> {
  const queue = [...list]
  const worker = async (): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** A process of the deployment: stores on connections of its own. */
export function createProcess(url: string, { accountId }: Keepers, connectionsMax: number) {
  const pool = createPool({ url, log: silentLog, connectionsMax, connectTimeoutMs: 30_000, statementTimeoutMs: 30_000 })
  const orders = createConditionalStore(pool, conditionalSteps)
  const executions = createExecutionStore(pool)
  const owner = randomUUID()
  const moveOf = (id: string, from: string, to: string, event: string): Move => ({
    id,
    from,
    to,
    event,
    fills: [],
    at: noon,
  })

  /** What the venue says, written down. */
  const answer = async (id: string, fate: Fate): Promise<void> => {
    if (fate === 'accepts')
      await executions.move({ ...moveOf(id, 'submitted', 'acked', 'accepted'), venueRef: randomUUID() })
    if (fate === 'rejects') await executions.move({ ...moveOf(id, 'submitted', 'failed', 'rejected'), venueRef: null })
  }
  const claim = (
    executionId: string,
    right: { reservationId?: string; fire?: { conditionalId: string; lease: FiringRow['lease'] } },
  ) =>
    executions.claim({
      accountId,
      key: right.fire === undefined ? randomUUID() : `cond:${right.fire.conditionalId}:1`,
      bodySha256: sha256(executionId),
      reservationId: right.reservationId ?? null,
      isChange: false,
      tradesAt: 'lab',
      move: moveOf(executionId, 'built', 'submitted', 'submit'),
      ...(right.fire === undefined ? {} : { fire: { ...right.fire, attempt: 1 } }),
      late: () => undefined,
    })

  return {
    pool,
    orders,
    executions,
    claim,
    answer,
    /** Fires what is due, once over. How many it claimed. */
    async fireDue(limit: number, fateOf: (row: FiringRow) => Fate): Promise<number> {
      const due = await orders.claimFiring({ owner, leaseMs: 600_000, limit, at: noon })
      await inTurns(due, firedAtOnce, async (row) => {
        const { id, execution_id, lease } = row
        const claimed = await claim(execution_id, { fire: { conditionalId: id, lease } })
        if (claimed.kind !== 'claimed') throw new Error(`a fire found its execution ${claimed.kind}`)
        const fate = fateOf(row)
        await answer(execution_id, fate)
        if (fate === 'is silent') return
        const outcome = fate === 'accepts' ? 'fired' : 'fire_failed'
        const settled = await orders.settleFire({
          id,
          lease,
          outcome,
          lastError: fate === 'rejects' ? 'no' : undefined,
          at: noon,
        })
        if (settled === null) throw new Error('a lease was lost while it held')
      })
      return due.length
    },
    close: () => pool.end(),
  }
}
export type Process = ReturnType<typeof createProcess>

/** In the background, again and again, until it is stopped; its failure is the stopper's. */
export function again(work: () => Promise<unknown>): () => Promise<void> {
  let going = true
  const run = (async () => {
    while (going) {
      await work()
      await turn()
    }
  })()
  run.catch(() => undefined)
  return async () => {
    going = false
    await run
  }
}
