// The machine's clock is set by an hour, either way, at any moment of an order's life: none is sent twice, lost, or ended before its time.
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#lib/clock'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'
import type { ExecutionStore } from '#test/support/execution/world'

const { worldOf, setStatus } = executionSuite()
const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Of the test lane: 45 s to leave, 60 s of signatures, a minute of margin. */
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
  it('behind a claim: what could not leave in time does not leave later, and may be sent again', async () => {
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

  it('behind a relay that nobody answered: an order that is not shown yet has not failed, and is found', async () => {
    const { clock, world, id, order, look } = await table()
    world.venue.mood = 'forget'
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

  it('between two looks: one look is not two', async () => {
    const { clock, world, id, look } = await table()
    world.venue.mood = 'forget'
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

  it('and back, between two looks: the second settles it no earlier', async () => {
    const { clock, world, id, look } = await table()
    world.venue.mood = 'forget'
    await world.submit(id, 's')
    clock.advance(10 * tooLateMs)
    clock.step(byMs)
    await look(id)
    clock.step(-byMs)
    clock.advance(9_999)
    expect((await look(id)).status).toBe('submitted')
  })

  it('while a change is in doubt: its order has not ended', async () => {
    const { clock, world, id, order, look } = await table()
    await world.submit(id, 's')
    world.venue.mood = 'forget'
    await world.submit(idOf(await world.modify(id, 'm')), 'sm')
    world.venue.status.set(order, 'canceled')
    expect((await look(id)).status).toBe('acked')
    clock.step(byMs)
    clock.advance(11_000)
    expect((await look(id)).status).toBe('acked')
  })

  it('behind an end: what stands at the venue is not kept from coming back for an hour, nor brought back at once', async () => {
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

  it('behind a reservation: one attempt holds the right or none, and for two minutes at most', async () => {
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

  it('before an order was sent, and back: it is among those that are looked after', async () => {
    const { clock, world, id } = await table()
    clock.step(byMs)
    world.venue.mood = 'drop'
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
