import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { type ConditionalOrders, evening, noon, openConditionalOrders, sha256 } from '#test/support/conditional/book'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'
import type { ExecutionWorld } from '#test/support/execution/world'

const { pg, worldOf } = executionSuite()

interface Scene {
  world: ExecutionWorld
  book: ConditionalOrders
  clock: ManualClock
  built(): Promise<string>
  reserve(id: string): ReturnType<ExecutionWorld['post']>
  discard(id: string): ReturnType<ExecutionWorld['post']>
}

async function scene(): Promise<Scene> {
  const clock = new ManualClock(noon.getTime())
  const world = await worldOf({ clock })
  return {
    world,
    clock,
    book: await openConditionalOrders(pg.pool, world.accountId),
    built: async () => idOf(await world.build(randomUUID())),
    reserve: (id) => world.post(`${id}/reservations`, {}),
    discard: (id) => world.world.call('DELETE', `/v1/exec/novig/orders/${id}`),
  }
}

describe('an execution of an armed conditional order', () => {
  it('cannot be submitted, reserved, modified or discarded directly', async () => {
    const { world, book, built, reserve, discard } = await scene()
    const executionId = await built()
    await book.arm({ executionId, fireMode: 'client' })
    const tries = [
      world.submit(executionId, 's'),
      reserve(executionId),
      world.modify(executionId, 'm'),
      discard(executionId),
    ]
    for (const reply of await Promise.all(tries)) expect(refused(reply)).toEqual([409, 'CONDITIONAL_ARMED'])
    expect(refused(await world.cancel(executionId, 'c'))).toEqual([400, 'VALIDATION_ERROR'])
    expect(world.venue.calls).toBe(0)
  })
})

describe('an execution of a triggered conditional order', () => {
  it('in client mode is submitted only with its reservation', async () => {
    const { world, book, built, reserve, discard } = await scene()
    const executionId = await built()
    const { id } = await book.arm({ executionId, fireMode: 'client' })
    await book.trigger(id)
    expect(refused(await world.submit(executionId, 's'))).toEqual([409, 'RESERVATION_REQUIRED'])
    expect(refused(await discard(executionId))).toEqual([409, 'CONDITIONAL_ARMED'])
    const { reservationId } = (await reserve(executionId)).json.data
    expect(refused(await world.submit(executionId, 't'))).toEqual([409, 'RESERVATION_REQUIRED'])
    expect(refused(await reserve(executionId))).toEqual([409, 'CONDITIONAL_ATTEMPT_CONFLICT'])
    expect((await world.submit(executionId, 's', { reservationId })).json.data.status).toBe('acked')
    expect(world.venue.placed).toHaveLength(1)
  })

  it('in client mode can be reserved until the order expires', async () => {
    const { book, built, reserve, clock } = await scene()
    const executionId = await built()
    const { id } = await book.arm({ executionId, fireMode: 'client' })
    await book.trigger(id)
    clock.advance(evening.getTime() - noon.getTime())
    expect(refused(await reserve(executionId))).toEqual([409, 'CONDITIONAL_CLOSED_NOT_SUBMITTED'])
  })

  it('in hosted mode is submitted only by the worker', async () => {
    const { world, book, built, reserve, discard } = await scene()
    const executionId = await built()
    const { id } = await book.arm({ executionId })
    await book.trigger(id)
    for (const reply of [await world.submit(executionId, 's'), await reserve(executionId)])
      expect(refused(reply)).toEqual([409, 'CONDITIONAL_ATTEMPT_CONFLICT'])
    await book.store.claimFiring({ owner: 'a', leaseMs: 60_000, limit: 10, at: noon })
    for (const reply of [await world.submit(executionId, 's'), await reserve(executionId), await discard(executionId)])
      expect(refused(reply)).toEqual([409, 'CONDITIONAL_ATTEMPT_CONFLICT'])
    expect(world.venue.calls).toBe(0)
  })
})

it('a hosted submit claims its execution under the current lease, and not under an older one', async () => {
  const { world, book, built } = await scene()
  const executionId = await built()
  const { id } = await book.arm({ executionId })
  await book.trigger(id)
  const claim = async (leaseMs: number) =>
    (await book.store.claimFiring({ owner: 'a', leaseMs, limit: 10, at: noon })).find((row) => row.id === id)!.lease
  const [old, lease] = [await claim(0), await claim(60_000)]
  const submit = (right: typeof lease, key: string) =>
    world.store.claim({
      accountId: world.accountId,
      key,
      bodySha256: sha256('fire'),
      reservationId: null,
      isChange: false,
      tradesAt: 'novig',
      move: {
        id: executionId,
        venue: 'novig',
        from: 'built',
        to: 'submitted',
        event: 'submit',
        fills: [],
        at: noon,
      },
      fire: { conditionalId: id, lease: right, attempt: 2 },
      late: () => undefined,
    })
  expect(await submit(old, `cond:${id}:1`)).toEqual({ kind: 'behind', why: 'attempt' })
  expect(await submit(lease, `cond:${id}:2`)).toMatchObject({ kind: 'claimed' })
  expect((await book.store.find(world.accountId, id))!.fire_attempts).toBe(2)
})

describe('an execution whose conditional order ended unsent', () => {
  it('cannot be submitted, but can be discarded', async () => {
    const { world, book, built, reserve, discard } = await scene()
    const executionId = await built()
    const { id } = await book.arm({ executionId })
    await book.store.cancel({ accountId: world.accountId, id, key: 'c', bodySha256: sha256(id), at: noon })
    for (const reply of [await world.submit(executionId, 's'), await reserve(executionId)])
      expect(refused(reply)).toEqual([409, 'CONDITIONAL_CLOSED_NOT_SUBMITTED'])
    expect(world.venue.calls).toBe(0)
    expect((await discard(executionId)).status).toBe(200)
  })

  it('returns OCO_GROUP_CLOSED when another order of the group fired', async () => {
    const { world, book, built, reserve } = await scene()
    const ocoGroupId = randomUUID()
    const [first, second] = [await built(), await built()]
    const winner = await book.arm({ executionId: first, ocoGroupId })
    await book.arm({ executionId: second, ocoGroupId })
    await book.trigger(winner.id)
    await book.fire(winner.id)
    for (const reply of [await world.submit(second, 's'), await reserve(second)])
      expect(refused(reply)).toEqual([409, 'OCO_GROUP_CLOSED'])
  })
})

it('a reservation for one order of a group blocks the others until it is released', async () => {
  const { world, book, built, reserve } = await scene()
  const ocoGroupId = randomUUID()
  const [first, second, third] = [await built(), await built(), await built()]
  for (const [executionId, fireMode] of [
    [first, 'client'],
    [second, 'client'],
    [third, 'hosted'],
  ] as const) {
    const { id } = await book.arm({ executionId, fireMode, ocoGroupId })
    await book.trigger(id)
  }
  const due = () => book.store.claimFiring({ owner: 'a', leaseMs: 60_000, limit: 10, at: noon })
  const { reservationId } = (await reserve(first)).json.data
  expect(refused(await reserve(second))).toEqual([409, 'CONDITIONAL_ATTEMPT_CONFLICT'])
  expect(await due()).toEqual([])
  await world.world.call('DELETE', `/v1/exec/novig/orders/${first}/reservations/${reservationId}`)
  const held = (await reserve(second)).json.data.reservationId
  expect((await world.submit(second, 's', { reservationId: held })).json.data.status).toBe('acked')
  expect(await due()).toEqual([])
  expect(refused(await reserve(first))).toEqual([409, 'CONDITIONAL_ATTEMPT_CONFLICT'])
})
