// The dead man's switch of an account: what it cancels, and that it does so once.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startCancelAfterJob } from '#actors/orders/cancelAfterJob'
import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import { buildCancels } from '#orders/executions/index'
import {
  type CancelAfterRow,
  endCancelAfter,
  type NewCancelAfter,
  setCancelAfter,
} from '#storage/postgres/executions/cancelAfter'
import type { Queryable } from '#storage/postgres/pool'
import type { Reply } from '#test/src/server/http/world'
import { stopsAtInsert, submitAll } from '#test/support/execution/batch'
import { testLane } from '#test/support/execution/lane'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'
import type { ExecutionStore, ExecutionWorld } from '#test/support/execution/world'

const { pg, worldOf, count } = executionSuite()
const patiently = { timeout: 15_000 }
const path = '/v1/exec/cancel-after'
const lanes = () => [testLane(), testLane({}, 'limitless')]

const set = ({ world }: ExecutionWorld, body: object): Promise<Reply> => world.post(path, body)
const stateOf = async (world: ExecutionWorld) => (await world.get(path)).json.data

async function placed({ world }: ExecutionWorld, venue: 'novig' | 'limitless' = 'novig'): Promise<string> {
  const keyed = () => ({ headers: { 'idempotency-key': randomUUID() } })
  const id = idOf(await world.post(`/v1/exec/${venue}/orders/build`, { size: 5 }, keyed()))
  await world.post(`/v1/exec/${venue}/orders/${id}/submit`, { apiSecret: 's' }, keyed())
  return id
}

const pass = ({ accountId }: ExecutionWorld) =>
  pg.pool.query(
    `UPDATE cancel_after SET deadline = clock_timestamp() - interval '1 second' WHERE account_id = $1 AND status = 'armed'`,
    [accountId],
  )
const fieldsKept = async ({ accountId }: ExecutionWorld): Promise<object[]> => {
  const given = [accountId]
  const { rows } = await pg.pool.query<{ fields: object }>(
    'SELECT fields FROM cancel_after WHERE account_id = $1',
    given,
  )
  return rows.map(({ fields }) => fields)
}
const endLeases = () => pg.pool.query("UPDATE cancel_after SET leased_until = now() WHERE status = 'lapsed'")
const cancelsOf = ({ accountId }: ExecutionWorld) =>
  count(`executions WHERE account_id = $1 AND intent = 'cancel'`, [accountId])
const eventsOf = ({ accountId }: ExecutionWorld) =>
  count(`outbox WHERE account_id = $1 AND event = 'execution.cancel_after.lapsed'`, [accountId])

const options = () => ({ signal: new AbortController().signal })
const take = async (world: ExecutionWorld): Promise<CancelAfterRow | undefined> =>
  (await world.store.takeLapsed({ limit: 100, leaseMs: 60_000 })).find((row) => row.account_id === world.accountId)

describe('a dead man’s switch', () => {
  it('is armed, moved, switched off and read', async () => {
    const world = await worldOf({ lanes: lanes() })
    expect(await stateOf(world)).toEqual({ armed: null, lastLapse: null })
    const first = (await set(world, { seconds: 3_600, venues: ['novig', 'novig'] })).json.data
    expect(first).toMatchObject({ armed: { seconds: 3_600, venues: ['novig'] }, lastLapse: null })
    const second = (await set(world, { seconds: 60 })).json.data
    expect(second.armed).toMatchObject({ seconds: 60, venues: null })
    expect(Date.parse(second.armed.deadline)).toBeLessThan(Date.parse(first.armed.deadline))
    expect(await count('cancel_after WHERE account_id = $1', [world.accountId])).toBe(1)
    expect(await stateOf(world)).toEqual(second)
    expect((await set(world, { seconds: 0 })).json.data).toEqual({ armed: null, lastLapse: null })
    await pass(world)
    expect(await take(world)).toBeUndefined()
  })

  it.each([
    ['no seconds', {}],
    ['4 seconds', { seconds: 4 }],
    ['more than an hour', { seconds: 3_601 }],
    ['a fraction of a second', { seconds: 7.5 }],
    ['no venue', { seconds: 60, venues: [] }],
    ['an unknown venue', { seconds: 60, venues: ['nowhere'] }],
    ['fields of an unknown venue', { seconds: 60, fields: { nowhere: {} } }],
    ['an unknown field', { seconds: 60, minutes: 1 }],
  ])('is refused with %s', async (_what, body) => {
    const world = await worldOf()
    expect(refused(await set(world, body))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('builds the cancels of the orders in flight after its deadline, announces them once, and sends nothing', async () => {
    const world = await worldOf({ lanes: lanes() })
    const [a, b] = [await placed(world), await placed(world, 'limitless')]
    await set(world, { seconds: 60 })
    expect(await take(world)).toBeUndefined()
    await pass(world)
    const row = await take(world)
    expect((await stateOf(world)).lastLapse).toMatchObject({ id: row!.id, status: 'lapsed', result: null })
    expect(await buildCancels(world.deps, row!, options())).toBe('done')
    const { armed, lastLapse } = await stateOf(world)
    expect([armed, lastLapse.status, lastLapse.result.remaining]).toEqual([null, 'done', 0])
    expect(lastLapse.result.orders).toMatchObject([
      { executionId: b, venue: 'limitless', error: null },
      { executionId: a, venue: 'novig', error: null },
    ])
    expect([await cancelsOf(world), await eventsOf(world), world.venue.canceled]).toEqual([2, 1, []])
    expect(await take(world)).toBeUndefined()
    const ids = lastLapse.result.orders.map((order: { cancelExecutionId: string }) => order.cancelExecutionId)
    await submitAll(world, 's', ids, { novig: { apiSecret: 's' }, limitless: { apiSecret: 's' } })
    expect(world.venue.canceled).toHaveLength(2)
  })

  it('concerns the venues it names, and the fields of their cancels, which it keeps until then', async () => {
    const lane = testLane({}, 'limitless')
    const body = z.strictObject({ signer: z.literal('s') })
    const world = await worldOf({ lanes: [testLane(), { ...lane, cancel: { ...lane.cancel!, body } }] })
    await placed(world)
    const id = await placed(world, 'limitless')
    const fields = { limitless: { signer: 's' } }
    await set(world, { seconds: 60, venues: ['limitless'], fields })
    expect(await fieldsKept(world)).toEqual([fields])
    await pass(world)
    await buildCancels(world.deps, (await take(world))!, options())
    const { result } = (await stateOf(world)).lastLapse
    expect(result.orders).toMatchObject([{ executionId: id, error: null }])
    expect(await fieldsKept(world)).toEqual([{}])
  })

  it.each([
    ['a credential', { fields: { novig: { apiSecret: 'secret' } } }, [400, 'VALIDATION_ERROR']],
    ['a venue that is not armed', { venues: ['kalshi'] }, [404, 'VENUE_NOT_SUPPORTED']],
    ['fields of a venue that is not armed', { fields: { kalshi: {} } }, [404, 'VENUE_NOT_SUPPORTED']],
    ['a venue without cancels', { venues: ['limitless'] }, [501, 'NOT_IMPLEMENTED']],
  ])('stores nothing of a request with %s', async (_what, more, refusal) => {
    const { cancel: _, ...withoutCancel } = testLane({}, 'limitless')
    const world = await worldOf({ lanes: [testLane(), withoutCancel] })
    expect(refused(await set(world, { seconds: 60, ...more }))).toEqual(refusal)
    expect(await fieldsKept(world)).toEqual([])
  })

  it('keeps no fields once it is switched off', async () => {
    const lane = testLane()
    const body = z.strictObject({ signer: z.string() })
    const world = await worldOf({ lanes: [{ ...lane, cancel: { ...lane.cancel!, body } }] })
    await set(world, { seconds: 60, fields: { novig: { signer: 's' } } })
    await set(world, { seconds: 0 })
    expect(await fieldsKept(world)).toEqual([{}])
  })

  it('lapses although it is set again after its deadline, and is armed again', async () => {
    const world = await worldOf()
    await placed(world)
    await set(world, { seconds: 60 })
    await pass(world)
    const state = (await set(world, { seconds: 60 })).json.data
    expect([state.armed.seconds, state.lastLapse.status]).toEqual([60, 'lapsed'])
    const row = await take(world)
    expect(row!.id).toBe(state.lastLapse.id)
    expect(await buildCancels(world.deps, row!, options())).toBe('done')
    expect(await cancelsOf(world)).toBe(1)
    expect((await stateOf(world)).armed).not.toBeNull()
    await pass(world)
    const late = (await set(world, { seconds: 0 })).json.data
    expect([late.armed, late.lastLapse.status]).toEqual([null, 'lapsed'])
  })

  const changes: [what: string, change: (db: Queryable, wanted: NewCancelAfter) => Promise<void>][] = [
    ['set again', setCancelAfter],
    ['switched off', (db, { accountId }) => endCancelAfter(db, accountId)],
  ]
  it.each(changes)('lapses if its deadline passes while it is being %s', async (_what, change) => {
    const world = await worldOf()
    await set(world, { seconds: 60 })
    let statements = 0
    let hasPassed = false
    const query = async (...given: unknown[]): Promise<unknown> => {
      if (statements++ === 1) {
        hasPassed = true
        await pass(world)
      }
      return (pg.pool.query as (...all: unknown[]) => Promise<unknown>).apply(pg.pool, given)
    }
    const db: Queryable = { query: query as unknown as Queryable['query'] }
    const { accountId } = world
    await change(db, { id: randomUUID(), accountId, keyId: accountId, seconds: 60, venues: null, fields: {} })
    expect(statements).toBeGreaterThan(0)
    expect(await count(`cancel_after WHERE account_id = $1 AND status = 'lapsed'`, [accountId])).toBe(hasPassed ? 1 : 0)
  })

  it('is taken by one of several processes', async () => {
    const world = await worldOf()
    await set(world, { seconds: 60 })
    await pass(world)
    const taken = await Promise.all(Array.from({ length: 6 }, () => take(world)))
    expect(taken.filter((row) => row !== undefined)).toHaveLength(1)
  })

  it('makes each cancel once, if its process died between two of them', async () => {
    const dead = await worldOf({ wrap: stopsAtInsert(5) })
    for (let i = 0; i < 4; i++) await placed(dead)
    await set(dead, { seconds: 60 })
    await pass(dead)
    const first = (await take(dead))!
    void buildCancels(dead.deps, first, options())
    await expect.poll(() => cancelsOf(dead), patiently).toBe(1)
    await endLeases()
    const alive = await worldOf()
    alive.actAs(dead.accountId)
    // Placed since: not part of the lapse.
    await placed(alive)
    const row = (await alive.store.takeLapsed({ limit: 100, leaseMs: 60_000 })).find(({ id }) => id === first.id)!
    expect(await buildCancels(alive.deps, row, options())).toBe('done')
    expect([await cancelsOf(dead), await eventsOf(dead)]).toEqual([4, 1])
    // The first process was only slow.
    expect(await buildCancels(alive.deps, first, options())).toBe('lost')
    expect([await cancelsOf(dead), await eventsOf(dead)]).toEqual([4, 1])
    expect((await stateOf(alive)).lastLapse.result).toMatchObject({ remaining: 1 })
  })

  it('tries again what was refused for a passing reason', async () => {
    let fails = true
    const wrap = (store: ExecutionStore): ExecutionStore => ({
      ...store,
      async findFamily(id) {
        if (fails) throw new Fault('EXEC_UNAVAILABLE', 'the storage is away')
        return store.findFamily(id)
      },
    })
    const world = await worldOf({ wrap })
    await placed(world)
    await set(world, { seconds: 60 })
    await pass(world)
    expect(await buildCancels(world.deps, (await take(world))!, options())).toBe('postponed')
    expect([await cancelsOf(world), await eventsOf(world)]).toEqual([0, 0])
    fails = false
    await endLeases()
    expect(await buildCancels(world.deps, (await take(world))!, options())).toBe('done')
    expect([await cancelsOf(world), await eventsOf(world)]).toEqual([1, 1])
  })

  it('is looked for every second, until the job is stopped', async () => {
    const world = await worldOf()
    await placed(world)
    const clock = new ManualClock(Date.now())
    let looks = 0
    const store = {
      takeLapsed: (wanted: { limit: number; leaseMs: number }) => {
        looks++
        return world.store.takeLapsed(wanted)
      },
    }
    const job = startCancelAfterJob({
      store,
      build: (row, ending) => buildCancels(world.deps, row, ending),
      clock,
      log: silentLog,
    })
    expect(looks).toBe(1)
    await set(world, { seconds: 60 })
    await pass(world)
    await expect
      .poll(async () => {
        clock.advance(1_000)
        return (await stateOf(world)).lastLapse?.status
      }, patiently)
      .toBe('done')
    await job.stop()
    const before = looks
    clock.advance(10_000)
    expect(looks).toBe(before)
    expect(await cancelsOf(world)).toBe(1)
  })
})

describe('the venue’s own dead man’s switch', () => {
  const schedule = ({ world }: ExecutionWorld, seconds: number) =>
    world.post('/v1/exec/novig/schedule-cancel', { seconds })
  const switching = () =>
    testLane({
      scheduleCancel: (_context, at) => ({
        unsigned: { at },
        request: { method: 'POST', url: 'http://venue/exchange', body: { at }, signatureAt: 'signature' },
      }),
    })

  it('is built, and nothing is stored', async () => {
    const clock = new ManualClock(1_790_000_000_000)
    const world = await worldOf({ lanes: [switching()], clock })
    const at = 1_790_000_060_000
    expect((await schedule(world, 60)).json.data).toEqual({
      venue: 'novig',
      at: new Date(at).toISOString(),
      unsigned: { at },
      request: { method: 'POST', url: 'http://venue/exchange', body: { at }, signatureAt: 'signature' },
    })
    expect((await schedule(world, 0)).json.data).toMatchObject({ at: null, unsigned: { at: null } })
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(0)
  })

  it('is refused with a time that is too close, and where the venue has none to sign', async () => {
    const world = await worldOf({ lanes: [switching()] })
    expect(refused(await schedule(world, 9))).toEqual([400, 'VALIDATION_ERROR'])
    expect(refused(await schedule(await worldOf(), 60))).toEqual([501, 'NOT_IMPLEMENTED'])
  })
})
