// Reserved spend under caps: what reserves it, what never needs it, and what releases it.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'
import type { ExecutionWorld } from '#test/support/execution/world'

const { pg, worldOf, count, events } = executionSuite()
const minuteMs = 60_000
const beyond = [402, 'SPEND_CAP_EXCEEDED']

async function capped(dollars: number) {
  const clock = new ManualClock(Date.parse('2026-03-04T10:00:00Z'))
  const world = await worldOf({ clock })
  await setCap(world, dollars)
  return { world, clock }
}
const setCap = (world: ExecutionWorld, dollars: number) =>
  pg.pool.query(
    'INSERT INTO spend_caps VALUES ($1, $2) ON CONFLICT (scope_id) DO UPDATE SET daily_usd = EXCLUDED.daily_usd',
    [world.accountId, dollars],
  )
const reserved = async (world: ExecutionWorld): Promise<number> => {
  const { rows } = await pg.pool.query('SELECT sum(reserved) AS usd FROM spend_reserved WHERE scope_id = $1', [
    world.accountId,
  ])
  return Number(rows[0].usd)
}
const discard = (world: ExecutionWorld, id: string) => world.world.call('DELETE', `/v1/exec/novig/orders/${id}`)

/** An order of `size` that rests at the venue. */
async function placed(world: ExecutionWorld, size: number): Promise<string> {
  const id = idOf(await world.build(randomUUID(), { size }))
  expect((await world.submit(id, randomUUID())).json.data.status).toBe('acked')
  return id
}
const changed = async (world: ExecutionWorld, id: string, size: number): Promise<string> => {
  const change = idOf(await world.modify(id, randomUUID(), size))
  expect((await world.submit(change, randomUUID())).json.data.status).toBe('acked')
  return change
}

describe('an exhausted cap', () => {
  it('blocks no cancel, no reduction, and nothing that costs nothing', async () => {
    const { world } = await capped(10)
    const id = await placed(world, 10)
    await setCap(world, 1)
    expect(refused(await world.build('more', { size: 1 }))).toEqual(beyond)
    expect((await world.modify(id, 'same', 10)).status).toBe(200)
    const change = await changed(world, id, 4)
    expect((await world.submit(idOf(await world.cancel(change, 'c')), 'sc')).json.data.status).toBe('acked')
  })

  it('allows an order from before the cap to be reduced, and not increased', async () => {
    const world = await worldOf()
    const id = await placed(world, 5)
    await setCap(world, 1)
    expect(refused(await world.modify(id, 'up', 7))).toEqual(beyond)
    expect((await world.modify(id, 'down', 4)).status).toBe(200)
    expect((await world.modify(id, 'a little', 6)).status).toBe(200)
  })
})

describe('a modification', () => {
  it('reserves what it adds, and a chain of them never reserves less than the remaining order', async () => {
    const { world } = await capped(10)
    const first = await placed(world, 5)
    const second = await changed(world, first, 8)
    expect(await reserved(world)).toBe(8)
    // The replacement uses the reserved spend of the first order, and the two rest and end together.
    expect((await world.refresh(first)).json.data.status).toBe('acked')
    expect(await reserved(world)).toBe(8)
    const third = await changed(world, second, 8)
    expect((await world.refresh(second)).json.data.status).toBe('acked')
    expect(await reserved(world)).toBe(8)
    expect(refused(await world.build('more', { size: 3 }))).toEqual(beyond)
    const order = (await world.get(`/v1/exec/executions/${third}`)).json.data.unsigned.id
    world.venue.status.set(order, 'canceled')
    for (const id of [third, second, first]) expect((await world.refresh(id)).json.data.status).toBe('canceled')
    expect(await reserved(world)).toBe(0)
  })

  it('that the venue rejects releases what it would have added', async () => {
    const { world } = await capped(10)
    const id = await placed(world, 5)
    world.venue.mode = 'reject'
    await world.submit(idOf(await world.modify(id, 'm', 9)), 'sm')
    expect(await reserved(world)).toBe(5)
  })

  it('that was never accepted releases its spend although its order was partly filled', async () => {
    const { world } = await capped(10)
    const id = await placed(world, 5)
    const order = (await world.get(`/v1/exec/executions/${id}`)).json.data.unsigned.id
    await world.store.recordSighting({ id, at: new Date(), shown: true, matchedSize: '2' })
    for (const round of [1, 2]) {
      const built = idOf(await world.modify(id, `built ${round}`, 9))
      expect(await reserved(world)).toBe(9)
      expect((await discard(world, built)).status).toBe(200)
      expect(await reserved(world)).toBe(5)
    }
    world.venue.mode = 'reject'
    await world.submit(idOf(await world.modify(id, 'refused', 9)), 's')
    expect(await reserved(world)).toBe(5)
    world.venue.status.set(order, 'canceled')
    await world.refresh(id)
    expect(await reserved(world)).toBe(5)
  })

  it('whose order was filled keeps its reserved spend', async () => {
    const { world } = await capped(10)
    const id = await placed(world, 5)
    const change = await changed(world, id, 8)
    const order = (await world.get(`/v1/exec/executions/${change}`)).json.data.unsigned.id
    world.venue.status.set(order, 'canceled')
    world.venue.fills.set(order, ['part'])
    await world.refresh(change)
    await world.refresh(id)
    expect(await reserved(world)).toBe(8)
  })
})

describe('an unsent build', () => {
  it('reserves its spend for ten minutes and no longer', async () => {
    const { world, clock } = await capped(10)
    await world.build('old', { size: 8 })
    clock.advance(10 * minuteMs - 1)
    expect(refused(await world.build('new', { size: 5 }))).toEqual(beyond)
    clock.advance(1)
    expect((await world.build('new', { size: 5 })).status).toBe(200)
    expect(await reserved(world)).toBe(5)
  })

  it('does not reserve it longer when the clock is set back', async () => {
    const { world, clock } = await capped(10)
    const old = idOf(await world.build('old', { size: 8 }))
    clock.step(-60 * minuteMs)
    expect((await world.build('new', { size: 5 })).status).toBe(200)
    expect(await reserved(world)).toBe(5)
    expect(refused(await world.submit(old, 's'))).toEqual(beyond)
  })

  it('reserves its spend again when it is sent late, or is not sent', async () => {
    const { world, clock } = await capped(10)
    const old = idOf(await world.build('old', { size: 8 }))
    clock.advance(10 * minuteMs)
    const recent = idOf(await world.build('new', { size: 5 }))
    expect(refused(await world.submit(old, 's'))).toEqual(beyond)
    expect([world.venue.placed, await events(old)]).toEqual([[], 0])
    expect((await discard(world, recent)).status).toBe(200)
    expect((await world.submit(old, 's')).json.data.status).toBe('acked')
    expect(await reserved(world)).toBe(8)
  })

  it('keeps its reserved spend while no other order needs it, and reserves it only once when sent', async () => {
    const { world, clock } = await capped(10)
    const id = idOf(await world.build('old', { size: 8 }))
    clock.advance(60 * minuteMs)
    expect((await world.submit(id, 's')).json.data.status).toBe('acked')
    expect(await reserved(world)).toBe(8)
  })

  it('needs headroom in a cap that was set after the build', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('old', { size: 8 }))
    await setCap(world, 5)
    expect(refused(await world.submit(id, 's'))).toEqual(beyond)
    await setCap(world, 8)
    expect((await world.submit(id, 's')).json.data.status).toBe('acked')
    expect(await reserved(world)).toBe(8)
  })

  it('never exceeds the cap, however many are sent late at the same time', async () => {
    const { world, clock } = await capped(10)
    const ids: string[] = []
    for (let i = 0; i < 8; i++) {
      ids.push(idOf(await world.build(`b${i}`, { size: 3 })))
      clock.advance(10 * minuteMs)
    }
    const replies = await Promise.all(ids.map((id) => world.submit(id, `s${id}`)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(world.venue.placed).toHaveLength(3)
    expect(await reserved(world)).toBe(9)
  })
})

describe('a discard', () => {
  it('ends a build, releases its spend, is audited once with one event, and can be repeated', async () => {
    const { world } = await capped(10)
    const id = idOf(await world.build('b', { size: 8 }))
    const replies = await Promise.all([discard(world, id), discard(world, id), discard(world, id)])
    for (const reply of replies) expect([reply.status, reply.json.data.status]).toEqual([200, 'canceled'])
    expect([await reserved(world), await events(id)]).toEqual([0, 1])
    expect(await count(`execution_audit WHERE execution_id = $1 AND event = 'discard'`, [id])).toBe(1)
    expect(refused(await world.submit(id, 's'))).toEqual([409, 'EXECUTION_TERMINAL'])
    expect((await world.build('b', { size: 8 })).json.data.status).toBe('canceled')
    expect((await world.build('another', { size: 10 })).status).toBe(200)
  })

  it('is rejected for a sent, a reserved and a foreign execution', async () => {
    const { world } = await capped(20)
    const sent = await placed(world, 5)
    expect(refused(await discard(world, sent))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    world.venue.status.set((await world.get(`/v1/exec/executions/${sent}`)).json.data.unsigned.id, 'canceled')
    await world.refresh(sent)
    expect(refused(await discard(world, sent))).toEqual([409, 'EXECUTION_TERMINAL'])
    const held = idOf(await world.build('held'))
    const { reservationId } = (await world.post(`${held}/reservations`, {})).json.data
    expect(refused(await discard(world, held))).toEqual([409, 'CONDITIONAL_ATTEMPT_CONFLICT'])
    await world.world.call('DELETE', `/v1/exec/novig/orders/${held}/reservations/${reservationId}`)
    world.actAs(await world.newAccount())
    expect(refused(await discard(world, held))).toEqual([404, 'EXECUTION_NOT_FOUND'])
    world.actAs(world.accountId)
    expect((await discard(world, held)).status).toBe(200)
  })

  it('and a concurrent submit: exactly one succeeds', async () => {
    const { world } = await capped(100)
    for (let i = 0; i < 10; i++) {
      const id = idOf(await world.build(`b${i}`, { size: 1 }))
      const before = world.venue.placed.length
      const [gone, sent] = await Promise.all([discard(world, id), world.submit(id, `s${i}`)])
      expect([gone.status, sent.status].sort()).toEqual([200, 409])
      expect(world.venue.placed.length - before).toBe(sent.status === 200 ? 1 : 0)
    }
    expect(await reserved(world)).toBe(world.venue.placed.length)
  })
})
