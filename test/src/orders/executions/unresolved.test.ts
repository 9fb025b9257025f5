// Executions of unknown outcome: what each waits for, until when, and what its owner can do.
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { type OrderAction, UnresolvedOrder } from '#schemas/orders'
import { testLane } from '#test/support/execution/lane'
import { executionSuite, idOf } from '#test/support/execution/suite'
import type { ExecutionStore, ExecutionWorld } from '#test/support/execution/world'
import type { ExecutionAdapter } from '#venues/lane'

const { pg, worldOf } = executionSuite()

/** Of the test adapter: 45 s to send, signatures valid for 60 s, a minute of margin. */
const deadlineMs = 45_000 + 60_000
const settlesMs = deadlineMs + 60_000
/** Until then its owner cannot resolve it: 45 s to send and a minute. */
const resolvableMs = 45_000 + 60_000

const isoAt = (ms: number): string => new Date(ms).toISOString()
const listOf = async (world: ExecutionWorld, query = ''): Promise<UnresolvedOrder[]> =>
  (await world.get(`/v1/exec/orders/in-doubt${query}`)).json.data.map((row: unknown) => UnresolvedOrder.parse(row))
const actionOf = <K extends OrderAction['kind']>({ actions }: UnresolvedOrder, kind: K) =>
  actions.find((action): action is Extract<OrderAction, { kind: K }> => action.kind === kind)

/** Submitted to a venue that drops the connection without accepting it. */
async function lost(options: Parameters<typeof worldOf>[0] = {}) {
  const clock = new ManualClock(Date.now())
  const world = await worldOf({ clock, ...options })
  const built = await world.build('b')
  const id = idOf(built)
  world.venue.mode = 'forget'
  const sentAt = clock.now()
  await world.submit(id, 's')
  return { world, clock, id, order: built.json.data.unsigned.id as string, sentAt }
}

const withoutRule = (): ExecutionAdapter => {
  const lane = testLane()
  const { lateBound: _, ...submit } = lane.submit!
  return { ...lane, submit }
}

describe('an order without a response', () => {
  it('waits until no late copy is accepted, then for reads, and then it is settled', async () => {
    const { world, clock, id, sentAt } = await lost()
    const [first] = await listOf(world)
    expect(first).toMatchObject({
      executionId: id,
      intent: 'order',
      status: 'submitted',
      size: '5',
      response: expect.any(String),
      missingSince: null,
      waitsFor: { code: 'late_copy_possible', text: expect.stringContaining('signatures older than 30 s are refused') },
      since: isoAt(sentAt),
      until: isoAt(sentAt + settlesMs),
    })
    const base = `/v1/exec/novig/orders/${id}`
    expect(first!.actions).toEqual([
      { kind: 'wait', until: isoAt(sentAt + settlesMs) },
      { kind: 'refresh', method: 'POST', path: `${base}/refresh`, fields: [], credentialFree: true, from: null },
      {
        kind: 'resolve',
        method: 'POST',
        path: `${base}/resolve`,
        fields: ['outcome', 'reason'],
        outcomes: ['failed', 'canceled', 'filled'],
        from: isoAt(sentAt + resolvableMs),
      },
    ])

    await world.refresh(id)
    const missingSince = isoAt(clock.now())
    const [missed] = await listOf(world)
    expect(missed).toMatchObject({ missingSince, waitsFor: { code: 'late_copy_possible' } })
    expect(actionOf(missed!, 'refresh')!.from).toBe(isoAt(clock.now() + 10_000))

    clock.advance(settlesMs)
    const [due] = await listOf(world)
    expect(due).toMatchObject({ waitsFor: { code: 'read_due' }, until: null })
    expect(actionOf(due!, 'wait')).toBeUndefined()
    expect([actionOf(due!, 'refresh')!.from, actionOf(due!, 'resolve')!.from]).toEqual([null, null])
    expect((await world.refresh(id)).json.data.status).toBe('failed')
    expect(await listOf(world)).toEqual([])
  })

  it('may get its response for 45 s, and counts as lost after that', async () => {
    const dies = (store: ExecutionStore): ExecutionStore => ({
      ...store,
      claim: async (claim) => {
        await store.claim(claim)
        throw new Error('killed')
      },
    })
    const { world, clock, sentAt } = await lost({ wrap: dies })
    expect(await listOf(world)).toMatchObject([
      { waitsFor: { code: 'response_pending' }, response: null, until: isoAt(sentAt + 45_000) },
    ])
    clock.advance(45_000)
    expect(await listOf(world)).toMatchObject([{ waitsFor: { code: 'late_copy_possible' } }])
  })

  it('waits for a read or its owner where no rule of the venue is known', async () => {
    const { world } = await lost({ lanes: [withoutRule()] })
    const [row] = await listOf(world)
    expect(row).toMatchObject({ waitsFor: { code: 'no_venue_rule' }, until: null })
    expect(row!.actions.map(({ kind }) => kind)).toEqual(['refresh', 'resolve'])
  })

  it('cannot have failed once the venue reported a fill', async () => {
    const { world, id } = await lost()
    await pg.pool.query('UPDATE executions SET matched_size = 2 WHERE id = $1', [id])
    const [row] = await listOf(world)
    expect(row).toMatchObject({ matchedSize: '2', waitsFor: { code: 'fills_incomplete' }, until: null })
    expect(actionOf(row!, 'resolve')!.outcomes).toEqual(['canceled', 'filled'])
  })

  it('may be sent again where the venue takes the same bytes only once', async () => {
    const lane = testLane()
    const once: ExecutionAdapter = {
      ...lane,
      submit: {
        ...lane.submit!,
        prepare: async (_context, { unsigned }) => ({ submittedArtifact: unsigned, venueRef: String(unsigned.id) }),
        takesSameBytesOnce: () => true,
      },
    }
    const { world, id } = await lost({ lanes: [once] })
    expect(actionOf((await listOf(world))[0]!, 'resubmit')).toEqual({
      kind: 'resubmit',
      method: 'POST',
      path: `/v1/exec/novig/orders/${id}/submit`,
      fields: ['apiSecret'],
    })
    world.venue.mode = 'accept'
    expect((await world.submit(id, 'again')).json.data.status).toBe('acked')
    expect(await listOf(world)).toEqual([])
  })

  it('can still be resolved when the lane is not armed and the artifact is damaged', async () => {
    const { world, id } = await lost()
    world.lanes.clear()
    await pg.pool.query(`UPDATE executions SET unsigned = '{}' WHERE id = $1`, [id])
    const [row] = await listOf(world)
    expect(row).toMatchObject({ executionId: id, waitsFor: { code: 'no_venue_rule' } })
    expect(row!.actions.map(({ kind }) => kind)).toEqual(['resolve'])
  })
})

it('lists a cancel without a response, which can only have failed', async () => {
  const world = await worldOf()
  const order = idOf(await world.build('b'))
  await world.submit(order, 's')
  const cancel = idOf(await world.cancel(order, 'c'))
  world.venue.mode = 'forget'
  await world.submit(cancel, 'sc')
  const [row, ...others] = await listOf(world)
  expect(others).toEqual([])
  expect(row).toMatchObject({ executionId: cancel, intent: 'cancel', targetExecutionId: order })
  expect(actionOf(row!, 'resolve')!.outcomes).toEqual(['failed'])
})

it('lists an accepted order that the venue no longer shows, until it is shown again', async () => {
  const clock = new ManualClock(Date.now())
  const world = await worldOf({ clock })
  const built = await world.build('b')
  const [id, order] = [idOf(built), built.json.data.unsigned.id as string]
  await world.submit(id, 's')
  expect(await listOf(world)).toEqual([])
  world.venue.status.delete(order)
  await world.refresh(id)
  const missingSince = isoAt(clock.now())
  const [row] = await listOf(world)
  expect(row).toMatchObject({
    ...{ executionId: id, status: 'acked', missingSince, since: missingSince, until: null },
    waitsFor: { code: 'not_shown' },
  })
  expect(actionOf(row!, 'resolve')!.outcomes).toEqual(['canceled', 'filled'])
  world.venue.status.set(order, 'acked')
  await world.refresh(id)
  expect(await listOf(world)).toEqual([])
})

it('is paged, and shows nothing of another account', async () => {
  const { world, id } = await lost()
  const second = idOf(await world.build('b2'))
  await world.submit(second, 's2')
  const first = await world.get('/v1/exec/orders/in-doubt?limit=1')
  const next = await listOf(world, `?limit=1&cursor=${first.json.nextCursor}`)
  expect([first.json.data[0].executionId, next[0]!.executionId]).toEqual([second, id])
  expect(await listOf(world, '?venue=kalshi')).toEqual([])
  world.actAs(await world.newAccount())
  expect(await listOf(world)).toEqual([])
})
