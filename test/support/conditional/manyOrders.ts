// Thousands of armed conditional orders, written as arming writes them, and submit workers that send nothing.
import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import { createEarlyAttempts } from '#orders/conditional/earlyAttempts'
import { type FireAttempt, type FireDeps, fire } from '#orders/conditional/submitTriggered'
import { conditionalSteps } from '#orders/conditional/transitions'
import { createConditionalStore, type Triggered } from '#storage/postgres/conditional/store'
import type { Claim } from '#storage/postgres/executions/claim'
import type { Move } from '#storage/postgres/executions/moveExecution'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { createPool, type Pool } from '#storage/postgres/pool'
import { noon, rule, sha256 } from './book.ts'
import { beginWith } from './submitFixture.ts'

/** Of a venue to which nothing is sent. */
export type VenueResponse = 'accepts' | 'rejects' | 'is silent'

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

export interface OrderOwner {
  accountId: string
  keyId: string
}

export async function armMany(pool: Pool, { accountId, keyId }: OrderOwner, batch: readonly Planned[]): Promise<void> {
  const column = <K extends keyof Planned>(name: K) => batch.map((one) => one[name])
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

/** Fewer than the connections of a process: a statement that waits for one would exceed the timeout of the store. */
const firedAtOnce = 6

/** The database of a busy machine exceeds the timeout of the store now and then. */
export function ignoreUnavailable(error: unknown): null {
  if (error instanceof Fault && error.code === 'EXEC_UNAVAILABLE') return null
  throw error
}

/** For idempotent work. */
export async function retryUntilAvailable<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    const done = await work().then((value) => ({ value }), ignoreUnavailable)
    if (done !== null) return done.value
  }
}

export async function inParallel<T>(
  list: readonly T[],
  atOnce: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const queue = [...list]
  const worker = async (): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

interface Right {
  reservationId?: string
  fire?: FireAttempt
}

/** A process of the deployment: stores with their own connections. */
export function createProcess(url: string, { accountId }: OrderOwner, connectionsMax: number) {
  const pool = createPool({ url, log: silentLog, connectionsMax, connectTimeoutMs: 30_000, statementTimeoutMs: 30_000 })
  const orders = createConditionalStore(pool, conditionalSteps)
  const executions = createExecutionStore(pool)
  const owner = randomUUID()
  const moveOf = (id: string, from: Move['from'], to: Move['to'], event: string): Move => ({
    id,
    venue: 'lab',
    from,
    to,
    event,
    fills: [],
    at: noon,
  })

  /** Records the answer of the venue. */
  const answer = async (id: string, response: VenueResponse): Promise<void> => {
    const venueRef = randomUUID()
    if (response === 'accepts')
      await retryUntilAvailable(() => executions.move({ ...moveOf(id, 'submitted', 'acked', 'accepted'), venueRef }))
    if (response === 'rejects')
      await retryUntilAvailable(() =>
        executions.move({ ...moveOf(id, 'submitted', 'failed', 'rejected'), venueRef: null }),
      )
  }
  const claimOf = (executionId: string, { fire, reservationId }: Right = {}): Claim => ({
    accountId,
    key: fire?.key ?? randomUUID(),
    bodySha256: sha256(executionId),
    reservationId: reservationId ?? null,
    isChange: false,
    tradesAt: 'lab',
    move: moveOf(executionId, 'built', 'submitted', 'submit'),
    fire: fire?.fire,
  })
  const takeBack = (id: string) =>
    void retryUntilAvailable(() => executions.move(moveOf(id, 'submitted', 'built', 'refused')))
  /** Like a submit: a claim that was confirmed too late is undone. */
  const claim = (executionId: string, right: Right = {}) =>
    executions.claim({ ...claimOf(executionId, right), late: ({ id }) => takeBack(id) })
  const deps = (responseOf: (executionId: string) => VenueResponse): FireDeps => ({
    store: orders,
    executions: {
      find: (account, id) => executions.find(account, id),
      begin(attempt) {
        const { id } = attempt.execution
        return {
          claim: Promise.resolve(claimOf(id, { fire: attempt })),
          async submit(row) {
            const claimed = row === null ? await claim(id, { fire: attempt }) : { kind: 'claimed' }
            if (claimed.kind !== 'claimed')
              throw new Fault('CONDITIONAL_ATTEMPT_CONFLICT', `the execution is ${claimed.kind}`)
            await answer(id, responseOf(id))
            return (await retryUntilAvailable(() => executions.find(accountId, id)))!
          },
          takeBack: async () => undefined,
        }
      },
      look: async () => null,
    },
    seal: { open: () => ({}) } as unknown as FireDeps['seal'],
    clock: new ManualClock(noon.getTime()),
    log: silentLog,
    random: () => 0,
  })
  const halted = (given: FireDeps): FireDeps => ({
    ...given,
    executions: {
      ...given.executions,
      begin: beginWith(() => Promise.reject(new Fault('PERMISSION_DENIED', 'trading is halted'))),
    },
  })
  const lease = { owner, leaseMs: 5_000, limit: 20, at: noon }
  const triggerAndFire = async (
    ids: readonly string[],
    responseOf: (executionId: string) => VenueResponse,
  ): Promise<number> => {
    const decisions = ids.map((id) => ({ id, evidence: { n: 1 } }))
    const attempts = createEarlyAttempts(deps(responseOf))
    const late = ({ turns }: Triggered): void => {
      for (const { claimed } of turns) if (claimed !== null) takeBack(claimed.id)
    }
    const given = { at: noon, claim: lease, prepare: attempts.prepare, isRecalled: () => false, late }
    const { rows, turns } = (await orders.triggerUnlessRecalled(decisions, given))!
    await inParallel(turns, firedAtOnce, async (turn) => {
      await attempts.fire(turn).catch(ignoreUnavailable)
    })
    return rows.length
  }

  return {
    pool,
    orders,
    executions,
    claim,
    answer,
    /** Triggers these, and submits those of them that are leased with the trigger. Returns how many triggered. */
    triggerAndFire,
    /** The same, one after the other. */
    async triggerEachAndFire(
      ids: readonly string[],
      responseOf: (executionId: string) => VenueResponse,
    ): Promise<number> {
      let moved = 0
      for (const id of ids) moved += await retryUntilAvailable(() => triggerAndFire([id], responseOf))
      return moved
    },
    /** Submits what is due, once. Returns how many it claimed; a later call retries what timed out. `isHalted`: each is rejected. */
    async fireDue(
      limit: number,
      responseOf: (executionId: string) => VenueResponse,
      isHalted = false,
    ): Promise<number> {
      const due = await orders.claimFiring({ owner, leaseMs: 5_000, limit, at: noon }).catch(ignoreUnavailable)
      await inParallel(due ?? [], firedAtOnce, async (row) => {
        await fire(isHalted ? halted(deps(responseOf)) : deps(responseOf), row).catch(ignoreUnavailable)
      })
      return due?.length ?? 0
    },
    close: () => pool.end(),
  }
}
export type Process = ReturnType<typeof createProcess>

/** Runs in the background until it is stopped; the stop function rejects if it failed. */
export function runRepeatedly(work: () => Promise<unknown>): () => Promise<void> {
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
