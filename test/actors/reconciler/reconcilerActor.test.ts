import { describe, expect, it, vi } from 'vitest'
import { spawnReconciler } from '#actors/reconciler/reconcilerActor'
import { backoffCapMs, initialReconcilerState, stepReconciler } from '#actors/reconciler/step'
import { start, stop } from '#actors/system'
import { ManualClock } from '#lib/clock'
import { silentLog } from '#lib/log'
import { createExecutionWorld } from '#test/support/execution/world'
import { withPostgres } from '#test/support/postgres'

describe('the step', () => {
  const pace = { intervalMs: 1_000 }
  it('looks once at a time', () => {
    const state = initialReconcilerState()
    expect(stepReconciler(pace, state, { kind: 'start' })).toEqual([{ kind: 'look' }])
    expect(stepReconciler(pace, state, { kind: 'due' })).toEqual([])
    expect(stepReconciler(pace, state, { kind: 'looked', ok: true })).toEqual([{ kind: 'dueIn', delayMs: 1_000 }])
  })
  it('waits longer after each failure, never beyond the cap', () => {
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
it('settles an order whose acceptance nobody heard, without anybody asking', async () => {
  const world = await createExecutionWorld(pg.pool)
  const system = start()
  const clock = new ManualClock(Date.now() + 60_000)
  world.venue.mood = 'drop'
  const { executionId: id } = (await world.build('b')).json.data
  expect((await world.submit(id, 's')).json.data.status).toBe('submitted')
  const reconciler = spawnReconciler(system, {
    store: world.store,
    lanes: world.lanes,
    pace: { intervalMs: 1_000 },
    clock,
    log: silentLog,
  })
  try {
    await vi.waitFor(async () => expect((await world.store.find(world.accountId, id))!.status).toBe('acked'), 5_000)
  } finally {
    await reconciler.stop()
    stop(system)
    await world.close()
  }
  expect(clock.pendingCount).toBe(0)
})
