// The orders of the service bench: resting ones, and the adapter and submit loop of those that fire, and their states.
import { type Firing, spawnFiring } from '#actors/firing/conditionalSubmitActor'
import type { start } from '#actors/system'
import { systemClock } from '#core/clock'
import { createCursorCodec } from '#core/cursor'
import { silentLog } from '#core/log'
import type { WarmupDeps } from '#orders/conditional/warmup'
import { CredentialBreaker, createFiredExecutions } from '#orders/executions/index'
import { warmupSubmit } from '#roles/submitWarmup'
import type { TriggerRule } from '#schemas/conditional'
import { createExecutionStore } from '#storage/postgres/executions/store'
import type { Pool } from '#storage/postgres/pool'
import { signedLane } from '#test/support/conditional/signedLane'
import { openSeal, sealedText } from '#test/support/conditional/submitFixture'
import { createTestContext } from '#test/support/execution/context'
import type { ExecutionAdapter } from '#venues/lane'

type FiredStore = Parameters<typeof spawnFiring>[1]['store']

/** Orders that never trigger, spread over the books. */
export async function armResting(
  pool: Pool,
  accountId: string,
  { resting, books, rule, until }: { resting: number; books: number; rule: TriggerRule; until: Date },
): Promise<void> {
  await pool.query(
    `WITH e AS (
       INSERT INTO executions (id, account_id, key_id, venue, intent, status, build_version, unsigned, unsigned_sha256, bounds, created_at, updated_at)
       SELECT gen_random_uuid(), $1, $1, 'lab', 'order', 'built', 1, '{}', sha256('{}'), '{}', now(), now() FROM generate_series(1, $2) RETURNING id)
     INSERT INTO conditional_orders (id, account_id, key_id, execution_id, venue, market_id, outcome_id, status, fire_mode, trigger_rule, expires_at,
       created_at, updated_at)
     SELECT gen_random_uuid(), $1, $1, id, 'lab', 'm', 'book' || (row_number() OVER () % $3), 'armed', 'client', $4, $5, now(), now() FROM e`,
    [accountId, resting, books, JSON.stringify(rule), until],
  )
}

/** An adapter whose relay reports when it begins; the venue accepts everything at once. */
export function relayingLane(begins: (executionId: string) => void): ExecutionAdapter {
  const lane = signedLane()
  return {
    ...lane,
    submit: {
      ...lane.submit!,
      async relay(_context, { executionId }) {
        begins(executionId)
        return { kind: 'accepted', venueRef: executionId, status: 'acked', fills: [] }
      },
    },
  }
}

/** The submit loop, and the warm-up for it. */
export function fireAt(
  system: ReturnType<typeof start>,
  pool: Pool,
  lane: ExecutionAdapter,
  store: FiredStore & WarmupDeps['store'],
): { firing: Firing; warmUp(): Promise<void> } {
  const { context } = createTestContext('http://127.0.0.1:9')
  const executions = {
    breaker: new CredentialBreaker(systemClock),
    store: createExecutionStore(pool),
    knownLanes: [lane],
    lanes: new Map([['lab', { lane, context }]]),
    cursors: createCursorCodec(Buffer.alloc(32)),
    clock: systemClock,
    log: silentLog,
    newId: () => crypto.randomUUID(),
  }
  const fired = { blocks: () => false, signal: new AbortController().signal }
  const deps = { store, seal: { ...openSeal!, seal: () => sealedText({}) }, clock: systemClock }
  const own = { log: silentLog, random: Math.random, executions: createFiredExecutions(executions, fired) }
  return { firing: spawnFiring(system, { ...deps, ...own }), warmUp: warmupSubmit(deps, executions, fired)! }
}

/** The orders that fire, counted by status and last error. */
export async function orderStatesOf(pool: Pool, executionIds: Iterable<string>): Promise<unknown[]> {
  const { rows } = await pool.query(
    `SELECT c.status, c.fire_attempts, c.last_error, e.status AS execution, count(*)::integer AS orders
     FROM conditional_orders c JOIN executions e ON e.id = c.execution_id WHERE c.execution_id = ANY ($1::uuid[]) GROUP BY 1, 2, 3, 4`,
    [[...executionIds]],
  )
  return rows
}
