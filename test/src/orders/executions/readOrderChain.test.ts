// An order and its modifications are one: they rest and end together, whichever is queried, and whatever is killed or overtaken in between.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { testLane } from '#test/support/execution/lane'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'
import type { ExecutionStore, ExecutionWorld } from '#test/support/execution/world'
import type { ExecutionAdapter } from '#venues/lane'

const { pg, worldOf, events } = executionSuite()
const minuteMs = 60_000
/** Of the test adapter: nothing sent before can be accepted any more. */
const tooLateMs = 3 * minuteMs

/** An adapter whose venue modifies an order in place: both ids refer to one order. */
function inPlace(): ExecutionAdapter {
  const lane = testLane()
  const { replaces: _, ...modify } = lane.modify!
  return {
    ...lane,
    modify: modify as NonNullable<ExecutionAdapter['modify']>,
    submit: {
      ...lane.submit!,
      // Like Kalshi: the order's id is known before an amend is sent, and the response has no other.
      prepare: async (_context, { unsigned, target }) => ({
        submittedArtifact: unsigned,
        venueRef: target?.venueRef ?? null,
      }),
      async relay(context, execution, prepared, send) {
        if (execution.intent !== 'modify') return lane.submit!.relay(context, execution, prepared, send)
        const id = execution.target!.venueRef!
        const sent = await context.http.request({ url: `${context.urls.REST}/orders/${id}` })
        if (sent.status !== 200 || execution.unsigned.size === 13) return { kind: 'unknown', cause: 'no answer' }
        return { kind: 'accepted', venueRef: id, status: 'acked', fills: [] }
      },
    },
    refresh: {
      ...lane.refresh!,
      async read(context, execution, ...rest) {
        const seen = await lane.refresh!.read(context, execution, ...rest)
        // The change of size 13 never arrived.
        return execution.unsigned.size === 13 ? { ...seen, status: null, undone: true } : seen
      },
    },
  }
}

async function table(options: Parameters<typeof worldOf>[0] = {}) {
  const clock = new ManualClock(Date.now())
  const world = await worldOf({ clock, ...options })
  await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 1000)', [world.accountId])
  const order = await rests(world, await world.build(randomUUID(), { size: 5 }))
  const change = async (of: string, size = 5) => rests(world, await world.modify(of, randomUUID(), size))
  const look = async (id: string) => (await world.refresh(id)).json.data
  const statusOf = async (id: string) => (await world.get(`/v1/exec/executions/${id}`)).json.data.status as string
  return { world, clock, order, change, look, statusOf }
}

/** Sends it. `venueId` is its id at the test venue. */
async function rests(world: ExecutionWorld, built: Awaited<ReturnType<ExecutionWorld['build']>>) {
  const id = idOf(built)
  const sent = await world.submit(id, randomUUID())
  return { id, venueId: built.json.data.unsigned.id as string, status: sent.json.data?.status as string }
}

const reserved = async ({ accountId }: ExecutionWorld): Promise<number> =>
  (
    await pg.pool.query<{ n: number }>(
      'SELECT coalesce(sum(reserved), 0)::float AS n FROM spend_reserved WHERE scope_id = $1',
      [accountId],
    )
  ).rows[0]!.n

describe('a modification with an unknown outcome', () => {
  it('is queried with the order: one refresh finds both, and a cancel of the order cancels its replacement', async () => {
    const { world, order, change, look, statusOf } = await table()
    world.venue.mode = 'drop'
    const changed = await change(order.id)
    expect(changed.status).toBe('submitted')
    world.venue.mode = 'accept'
    expect((await look(order.id)).status).toBe('acked')
    expect(await statusOf(changed.id)).toBe('acked')
    expect((await world.submit(idOf(await world.cancel(order.id, 'c')), 'sc')).json.data.status).toBe('acked')
    expect(world.venue.status.get(changed.venueId)).toBe('canceled')
    expect((await look(order.id)).status).toBe('canceled')
  })

  it('keeps the order open until the venue has not shown it for a minute', async () => {
    const { world, clock, order, change, look } = await table()
    world.venue.mode = 'forget'
    const changed = await change(order.id)
    world.venue.status.set(order.venueId, 'canceled')
    expect(await look(order.id)).toMatchObject({
      status: 'acked',
      observation: { reason: expect.stringContaining('a change to it was sent') },
    })
    clock.advance(minuteMs - 1)
    expect((await look(order.id)).status).toBe('acked')
    clock.advance(1)
    expect((await look(order.id)).status).toBe('canceled')
    expect((await look(changed.id)).status).toBe('submitted')
    clock.advance(tooLateMs)
    expect((await look(changed.id)).status).toBe('failed')
    expect([await events(order.id), await reserved(world)]).toEqual([3, 0])
  })

  it('that its owner resolved: the order still follows the venue', async () => {
    const lane = testLane()
    const { lateBound: _, ...submit } = lane.submit!
    const { world, order, change, look, clock } = await table({
      lanes: [{ ...lane, submit, refresh: { ...lane.refresh!, credentialFree: false } }],
    })
    world.venue.mode = 'forget'
    const changed = await change(order.id)
    world.venue.mode = 'accept'
    clock.advance(10 * minuteMs)
    const word = { outcome: 'canceled', reason: 'so it seems' }
    expect((await world.post(`${changed.id}/resolve`, word, 'r')).json.data.status).toBe('canceled')
    expect((await look(order.id)).status).toBe('acked')
    expect((await world.submit(idOf(await world.cancel(order.id, 'c')), 'sc')).json.data.status).toBe('acked')
    expect(world.venue.status.get(order.venueId)).toBe('canceled')
  })
})

it('a modification that is sent and accepted while the order is being read does not end the order', async () => {
  const lane = testLane()
  let meanwhile: (() => Promise<unknown>) | null = null
  const read: NonNullable<ExecutionAdapter['refresh']>['read'] = async (...given) => {
    const act = meanwhile
    meanwhile = null
    await act?.()
    return lane.refresh!.read(...given)
  }
  for (const mode of ['accept', 'drop'] as const) {
    const { world, order, change, look } = await table({ lanes: [{ ...lane, refresh: { ...lane.refresh!, read } }] })
    meanwhile = async () => {
      world.venue.mode = mode
      await change(order.id)
    }
    expect((await look(order.id)).status).toBe('acked')
    expect((await look(order.id)).status).toBe('acked')
    expect(await events(order.id)).toBe(2)
  }
})

describe('an order that was replaced', () => {
  it('does not end while the venue shows it', async () => {
    const { world, clock, order, change, look } = await table()
    const changed = await change(order.id)
    world.venue.status.set(changed.venueId, 'canceled')
    world.venue.status.set(order.venueId, 'acked')
    expect([(await look(order.id)).status, (await look(changed.id)).status]).toEqual(['acked', 'canceled'])
    world.venue.status.set(order.venueId, 'canceled')
    clock.advance(minuteMs)
    expect((await look(order.id)).status).toBe('canceled')
  })

  it('ends when the venue has not shown it for a minute', async () => {
    const { world, clock, order, change, look } = await table()
    const changed = await change(order.id)
    world.venue.status.set(changed.venueId, 'canceled')
    world.venue.status.delete(order.venueId)
    expect((await look(order.id)).status).toBe('acked')
    clock.advance(minuteMs - 1)
    expect((await look(order.id)).status).toBe('acked')
    clock.advance(1)
    expect((await look(order.id)).status).toBe('canceled')
    expect(await reserved(world)).toBe(0)
  })
})

it.each(['replaced', 'changed in place'])(
  '%s: queried concurrently, each end has one event and all reserved spend is released',
  async (how) => {
    const { world, order, change } = await table(how === 'replaced' ? {} : { lanes: [inPlace()] })
    for (let turn = 0; turn < 6; turn++) {
      const first = turn === 0 ? order : await rests(world, await world.build(randomUUID(), { size: 5 }))
      const members = [first.id]
      const venueIds = [first.venueId]
      for (let i = 0; i < 3; i++) {
        const { id, venueId } = await change(members.at(-1)!, 6 + i)
        members.push(id)
        venueIds.push(venueId)
      }
      world.venue.status.set(how === 'replaced' ? venueIds.at(-1)! : first.venueId, 'canceled')
      await Promise.all([...members, ...members.toReversed()].map((id) => world.refresh(id)))
      for (const id of members) {
        expect((await world.refresh(id)).json.data.status).toBe('canceled')
        expect(await events(id)).toBe(3)
      }
      expect(await reserved(world)).toBe(0)
    }
  },
)

describe('changed in place', () => {
  it('a modification that never arrived ends alone', async () => {
    const { clock, order, change, look, statusOf } = await table({ lanes: [inPlace()] })
    const first = await change(order.id, 6)
    const lost = await change(order.id, 13)
    expect([first.status, lost.status]).toEqual(['acked', 'submitted'])
    await look(lost.id)
    clock.advance(tooLateMs)
    expect((await look(lost.id)).status).toBe('failed')
    expect(await statusOf(first.id)).toBe('acked')
    expect((await look(order.id)).status).toBe('acked')
  })

  it('a process killed between the end of one and the end of the others leaves nothing unfinished', async () => {
    let dies = false
    const mortal = (store: ExecutionStore): ExecutionStore => ({
      ...store,
      move: async (...given) => {
        const moved = await store.move(...given)
        if (dies) throw new Error('killed')
        return moved
      },
    })
    const { world, order, change, look, statusOf } = await table({ lanes: [inPlace()], wrap: mortal })
    const members = [order.id, (await change(order.id, 6)).id, (await change(order.id, 4)).id]
    world.venue.status.set(order.venueId, 'canceled')
    dies = true
    for (const id of members) expect((await world.refresh(id)).status).toBe(500)
    dies = false
    expect((await look(order.id)).status).toBe('canceled')
    for (const id of members) expect([await statusOf(id), await events(id)]).toEqual(['canceled', 3])
    expect(await reserved(world)).toBe(0)
    for (const id of members) expect(refused(await world.modify(id, randomUUID()))).toEqual([409, 'EXECUTION_TERMINAL'])
  })
})
