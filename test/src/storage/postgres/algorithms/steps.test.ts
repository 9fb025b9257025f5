// Leases of algorithms: what is written under an old one, or after a cancel, is refused, and there is one live slice.
import { afterEach, describe, expect, it } from 'vitest'
import { openAlgorithmWorld } from '#test/support/algorithms/world'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((world) => world.close()))
})

const slice = { price: '0.5', size: '2', takes: false, stage: 0 }

async function scene() {
  const world = await openAlgorithmWorld(pg.pool)
  open.push(world)
  await pg.pool.query("UPDATE execution_algorithms SET due_at = 'infinity'")
  const id = await world.created()
  const at = new Date(world.clock.now())
  const { store } = world.algorithms
  return {
    ...world,
    id,
    at,
    store,
    take: async (leaseMs = 60_000) =>
      (await store.takeDue({ limit: 5, leaseMs, at })).map((row) => ({ id: row.id, epoch: row.lease_epoch })),
  }
}

describe('a lease', () => {
  it('is held by one process at a time, and is over after its time', async () => {
    const { take, id } = await scene()
    const [first] = await take(0)
    expect(first).toMatchObject({ id })
    const [second] = await take()
    expect(second).toMatchObject({ id })
    expect(second!.epoch).not.toBe(first!.epoch)
    expect(await take()).toEqual([])
  })

  it('that is lost writes nothing', async () => {
    const { take, store, at } = await scene()
    const [lost] = await take(0)
    const [held] = await take()
    expect(await store.decideSlice(lost!, slice, at)).toBeNull()
    expect(await store.decideSlice(held!, slice, at)).toBe(0)
    const built = { number: 0, executionId: '00000000-0000-4000-8000-000000000000', signBy: null, at }
    expect(await store.recordBuilt(lost!, built)).toBe(false)
    const end = {
      number: 0,
      outcome: 'refused',
      filledSize: '0',
      averagePrice: null,
      error: 'e',
      endsAs: null,
      at,
    } as const
    expect(await store.endSlice(lost!, end)).toBe(false)
    expect(await store.finish(lost!, { as: 'failed', lastError: null, filledSize: '0', averagePrice: null, at })).toBe(
      false,
    )
    expect(await store.endSlice(held!, end)).toBe(true)
  })
})

it('has one live slice at a time', async () => {
  const { take, store, at, id } = await scene()
  const [held] = await take()
  expect(await store.decideSlice(held!, slice, at)).toBe(0)
  await expect(store.decideSlice(held!, slice, at)).rejects.toThrow()
  expect((await store.listSlices(id, 10)).map(({ number }) => number)).toEqual([0])
})

it('decides and sends nothing after a cancel, and does not end while a slice is live', async () => {
  const { take, store, at, accountId, id, read } = await scene()
  const [held] = await take()
  expect(await store.decideSlice(held!, slice, at)).toBe(0)
  expect((await store.cancel(accountId, id, at)).kind).toBe('canceled')
  expect(await store.countAttempt(held!, 0)).toBeNull()
  const totals = { lastError: null, filledSize: '0', averagePrice: null, at }
  expect(await store.finish(held!, { as: 'expired', ...totals })).toBe(false)
  const end = {
    number: 0,
    outcome: 'withdrawn',
    filledSize: '0',
    averagePrice: null,
    error: null,
    endsAs: null,
    at,
  } as const
  expect(await store.endSlice(held!, end)).toBe(true)
  expect(await store.decideSlice(held!, slice, at)).toBeNull()
  expect(await store.finish(held!, { as: 'expired', ...totals })).toBe(true)
  expect(await read(id)).toMatchObject({ status: 'canceled', liveSlice: null })
})

it('is due at once when it was canceled during a step', async () => {
  const { take, store, at, accountId, id } = await scene()
  const [held] = await take()
  await store.cancel(accountId, id, at)
  const later = new Date(at.getTime() + 3_600_000)
  const rest = { lastError: null, filledSize: '0', averagePrice: null, at }
  expect(await store.endStep(held!, { waitReason: 'slice_open', dueAt: later, ...rest })).toBe(true)
  expect(await take()).toMatchObject([{ id }])
})

it('counts slices that fail in a row, and forgets them after one that did not', async () => {
  const { take, store, at, id, accountId } = await scene()
  const [held] = await take()
  const outcomes = ['failed', 'refused', 'unsigned', 'canceled'] as const
  const counts: [number, number][] = []
  for (const [number, outcome] of outcomes.entries()) {
    await store.decideSlice(held!, slice, at)
    const rest = { filledSize: '0', averagePrice: null, error: null, endsAs: null, at }
    await store.endSlice(held!, { number, outcome, ...rest })
    const row = (await store.find(accountId, id))!
    counts.push([row.failures, row.unsigned_count])
  }
  expect(counts).toEqual([
    [1, 0],
    [2, 0],
    [2, 1],
    [0, 0],
  ])
})
