import { describe, expect, it, vi } from 'vitest'
import { spawnReconciler } from '#actors/reconciler/reconcilerActor'
import { backoffCapMs, initialReconcilerState, stepReconciler } from '#actors/reconciler/step'
import { start, stop } from '#actors/system'
import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import { testLane } from '#test/support/execution/lane'
import { createExecutionWorld, type ExecutionWorld } from '#test/support/execution/world'
import { withPostgres } from '#test/support/postgres'
import type { ExecutionAdapter } from '#venues/lane'

describe('the step', () => {
  const pace = { intervalMs: 1_000 }
  it('polls once at a time', () => {
    const state = initialReconcilerState()
    expect(stepReconciler(pace, state, { kind: 'start' })).toEqual([{ kind: 'look' }])
    expect(stepReconciler(pace, state, { kind: 'due' })).toEqual([])
    expect(stepReconciler(pace, state, { kind: 'looked', ok: true })).toEqual([{ kind: 'dueIn', delayMs: 1_000 }])
  })
  it('waits longer after each failure, up to the maximum', () => {
    const state = initialReconcilerState()
    const delays = Array.from({ length: 12 }, () => stepReconciler(pace, state, { kind: 'looked', ok: false })[0])
    expect(delays.slice(0, 2)).toEqual([
      { kind: 'dueIn', delayMs: 2_000 },
      { kind: 'dueIn', delayMs: 4_000 },
    ])
    expect(delays.at(-1)).toEqual({ kind: 'dueIn', delayMs: backoffCapMs })
  })
})

const pg = withPostgres()

async function withReconciler(
  work: (given: {
    world: ExecutionWorld
    clock: ManualClock
    start(): void
    /** `withinMs`: in wall clock time of real work. */
    lookUntil(check: () => Promise<void>, withinMs?: number): Promise<void>
  }) => Promise<void>,
  options: Parameters<typeof createExecutionWorld>[1] = {},
): Promise<void> {
  const world = await createExecutionWorld(pg.pool, options)
  const system = start()
  const clock = new ManualClock(Date.now() + 60_000)
  let reconciler: ReturnType<typeof spawnReconciler> | null = null
  try {
    await work({
      world,
      clock,
      start() {
        const pace = { intervalMs: 1_000 }
        reconciler = spawnReconciler(system, { store: world.store, lanes: world.lanes, pace, clock, log: silentLog })
      },
      lookUntil: (check, withinMs = 15_000) =>
        vi.waitFor(
          async () => {
            clock.advance(1_000)
            await check()
          },
          { timeout: withinMs, interval: 20 },
        ),
    })
  } finally {
    await reconciler!.stop()
    stop(system)
    // Otherwise they would delay the next test's orders.
    await pg.pool.query(`UPDATE executions SET status = 'canceled' WHERE status IN ('submitted', 'acked')`)
    await world.close()
  }
  expect(clock.pendingCount).toBe(0)
}

const statusOf = async (world: ExecutionWorld, id: string) => (await world.store.find(world.accountId, id))!.status

it('settles an order whose acceptance was lost, without a request by its owner', async () => {
  await withReconciler(async ({ world, start, lookUntil }) => {
    world.venue.mode = 'drop'
    const { executionId: id } = (await world.build('b')).json.data
    expect((await world.submit(id, 's')).json.data.status).toBe('submitted')
    start()
    await lookUntil(async () => expect(await statusOf(world, id)).toBe('acked'))
  })
})

/** Each order is read at the venue and locked in the database, one after the other: real work, which is slow on a busy machine. */
const aThousandReadsMs = 60_000

it('sees a new order behind a thousand that have rested for long, and those as well', async () => {
  await withReconciler(async ({ world, start, lookUntil }) => {
    const built = await world.build('old')
    const { executionId: old } = built.json.data
    await world.submit(old, 'so')
    await pg.pool.query(
      `INSERT INTO executions (id, account_id, key_id, venue, intent, status, build_version, unsigned, unsigned_sha256, bounds,
         client_ref, venue_ref, created_at, updated_at)
       SELECT gen_random_uuid(), account_id, key_id, venue, intent, status, build_version, unsigned, unsigned_sha256, bounds,
         n::text, 'resting-' || n, created_at, created_at - n * interval '1 minute'
       FROM executions, generate_series(1, 1000) n WHERE id = $1`,
      [old],
    )
    // In the middle of the thousand, with a matching age.
    world.venue.status.set(built.json.data.unsigned.id, 'filled')
    await pg.pool.query(`UPDATE executions SET updated_at = created_at - interval '30030 seconds' WHERE id = $1`, [old])
    world.venue.mode = 'drop'
    const { executionId: id } = (await world.build('new')).json.data
    await world.submit(id, 'sn')
    start()
    await lookUntil(async () => {
      expect(await statusOf(world, id)).toBe('acked')
      expect(await statusOf(world, old)).toBe('filled')
    }, aThousandReadsMs)
  })
}, 90_000)

it('settles an order together with its changes, also with one whose acceptance was lost', async () => {
  await withReconciler(async ({ world, clock, start, lookUntil }) => {
    const { executionId: order } = (await world.build('b')).json.data
    await world.submit(order, 's')
    const { executionId: change } = (await world.modify(order, 'm')).json.data
    await world.submit(change, 'sm')
    world.venue.mode = 'drop'
    const lost = (await world.modify(order, 'l')).json.data
    await world.submit(lost.executionId, 'sl')
    const all = [order, change, lost.executionId]
    const statuses = () => Promise.all(all.map((id) => statusOf(world, id)))
    start()
    await lookUntil(async () => expect(await statuses()).toEqual(['acked', 'acked', 'acked']))
    world.venue.status.set(lost.unsigned.id, 'canceled')
    await lookUntil(async () => {
      clock.advance(60_000)
      expect(await statuses()).toEqual(['canceled', 'canceled', 'canceled'])
    })
    const events = await pg.pool.query(
      `SELECT 1 FROM outbox WHERE event = 'execution.status.changed' AND payload->>'executionId' = ANY($1)`,
      [all],
    )
    expect(events.rowCount).toBe(9)
  })
})

it('asks about a cancellation until it is accepted, and then stops', async () => {
  await withReconciler(async ({ world, start, lookUntil }) => {
    const { executionId: id } = (await world.build('b')).json.data
    await world.submit(id, 's')
    const { executionId: cancel } = (await world.cancel(id, 'c')).json.data
    world.venue.mode = 'drop'
    await world.submit(cancel, 'sc')
    start()
    await lookUntil(async () => {
      expect(await statusOf(world, cancel)).toBe('acked')
      expect(await statusOf(world, id)).toBe('canceled')
    })
    const open = await world.store.listOpen({
      venue: 'novig',
      untouchedSince: new Date(Date.now() + 1e9),
      limit: 10_000,
      from: null,
    })
    expect(open.map((row) => row.id)).not.toContain(cancel)
  })
})

it('leaves a failing venue alone until the next poll, and still asks the others', async () => {
  const lane = testLane()
  let requestCount = 0
  const read = () => {
    requestCount++
    return Promise.reject(new Fault('NETWORK_ERROR', 'away'))
  }
  const sick: ExecutionAdapter = { ...lane, refresh: { ...lane.refresh!, read } }
  await withReconciler(
    async ({ world, start, lookUntil }) => {
      world.venue.mode = 'drop'
      const place = async (venue: string, key: string): Promise<string> => {
        const path = `/v1/exec/${venue}/orders`
        const headers = { 'idempotency-key': key }
        const built = await world.world.post(`${path}/build`, { size: 5 }, { headers })
        const { executionId: id } = built.json.data
        await world.world.post(`${path}/${id}/submit`, { apiSecret: 'x' }, { headers })
        return id
      }
      // The newest are queried first: this one comes last.
      const id = await place('xo', 'well')
      for (let i = 0; i < 60; i++) await place('novig', `sick ${i}`)
      start()
      await lookUntil(async () => expect(await statusOf(world, id)).toBe('acked'))
      // From one poll: consecutive failures, and the requests sent at the same time.
      expect(requestCount).toBeLessThan(60)
    },
    { lanes: [sick, testLane({}, 'xo')] },
  )
})
