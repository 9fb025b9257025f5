// The machine's clock is set by an hour, either way, at any moment of an order's life: none is sent twice, lost or ended too early.
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'
import type { ExecutionStore } from '#test/support/execution/world'

const { worldOf, setStatus } = executionSuite()
const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Of the test adapter: 45 s to send, signatures valid for 60 s, a minute of margin. */
const tooLateMs = 45_000 + 60_000 + minuteMs
const either = [-hourMs, hourMs]

async function table(wrap?: (store: ExecutionStore, clock: ManualClock) => ExecutionStore) {
  const clock = new ManualClock(Date.now())
  const world = await worldOf({ clock, ...(wrap && { wrap: (store: ExecutionStore) => wrap(store, clock) }) })
  const built = await world.build('b')
  const look = async (id: string) => (await world.refresh(id)).json.data
  return { clock, world, id: idOf(built), order: built.json.data.unsigned.id as string, look }
}

describe.each(either)('the clock is set by %i ms', (byMs) => {
  it('after a claim: an order that missed its deadline is not sent later, and may be submitted again', async () => {
    const { world, id } = await table((store, clock) => ({
      ...store,
      claim: async (claim) => {
        const claimed = await store.claim(claim)
        clock.advance(45_001)
        clock.step(byMs)
        return claimed
      },
    }))
    expect(refused(await world.submit(id, 's'))).toEqual([503, 'NETWORK_ERROR'])
    expect(world.venue.placed).toEqual([])
    expect((await world.get(`/v1/exec/executions/${id}`)).json.data.status).toBe('built')
  })

  it('after a relay without an answer: an order that is not shown yet does not fail, and is found', async () => {
    const { clock, world, id, order, look } = await table()
    world.venue.mode = 'forget'
    await world.submit(id, 's')
    expect((await look(id)).status).toBe('submitted')
    clock.step(byMs)
    for (let looks = 0; looks < 3; looks++) {
      clock.advance(11_000)
      expect((await look(id)).status).toBe('submitted')
    }
    world.venue.status.set(order, 'acked')
    expect((await look(id)).status).toBe('acked')
  })

  it('between two queries: one query does not count as two', async () => {
    const { clock, world, id, look } = await table()
    world.venue.mode = 'forget'
    await world.submit(id, 's')
    clock.advance(10 * tooLateMs)
    await look(id)
    clock.step(byMs)
    clock.advance(9_999)
    expect((await look(id)).status).toBe('submitted')
    clock.step(-byMs)
    clock.advance(1)
    expect((await look(id)).status).toBe('failed')
  })

  it('and back, between two queries: the second does not settle it earlier', async () => {
    const { clock, world, id, look } = await table()
    world.venue.mode = 'forget'
    await world.submit(id, 's')
    clock.advance(10 * tooLateMs)
    clock.step(byMs)
    await look(id)
    clock.step(-byMs)
    clock.advance(9_999)
    expect((await look(id)).status).toBe('submitted')
  })

  it('while the outcome of a modification is unknown: the order does not end', async () => {
    const { clock, world, id, order, look } = await table()
    await world.submit(id, 's')
    world.venue.mode = 'forget'
    await world.submit(idOf(await world.modify(id, 'm')), 'sm')
    world.venue.status.set(order, 'canceled')
    expect((await look(id)).status).toBe('acked')
    clock.step(byMs)
    clock.advance(11_000)
    expect((await look(id)).status).toBe('acked')
  })

  it('after an end: an order that rests at the venue is restored after a minute, neither an hour later nor at once', async () => {
    const { clock, world, id, order, look } = await table()
    await world.submit(id, 's')
    world.venue.status.set(order, 'canceled')
    await look(id)
    clock.step(byMs)
    world.venue.status.set(order, 'acked')
    if (byMs > 0) expect((await look(id)).status).toBe('canceled')
    clock.advance(minuteMs)
    expect((await look(id)).status).toBe('acked')
  })

  it('after a reservation: at most one attempt holds it, for at most two minutes', async () => {
    const { clock, world, id } = await table()
    const reserve = () => world.post(`${id}/reservations`, {})
    const first = (await reserve()).json.data.reservationId
    clock.step(byMs)
    const second = await reserve()
    expect(second.status, second.text).toBe(200)
    expect(refused(await world.submit(id, 's1', { reservationId: first }))).toEqual([409, 'RESERVATION_EXPIRED'])
    const sent = await world.submit(id, 's2', { reservationId: second.json.data.reservationId })
    expect(sent.json.data?.status, sent.text).toBe('acked')
    expect(world.venue.placed).toHaveLength(1)
  })

  it('before an order was sent, and back: the order is still refreshed', async () => {
    const { clock, world, id } = await table()
    clock.step(byMs)
    world.venue.mode = 'drop'
    await world.submit(id, 's')
    clock.step(-byMs)
    clock.advance(10_000)
    for (const from of ['newest', null] as const) {
      const open = await world.store.listOpen({
        venue: 'novig',
        untouchedSince: new Date(clock.now() - 2_000),
        limit: 10_000,
        from,
      })
      expect(open.map((row) => row.id)).toContain(id)
    }
    await setStatus(id, 'failed')
  })
})
