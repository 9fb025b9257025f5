import { randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { type FiringOptions, leaseMs, spawnFiring } from '#actors/firing/conditionalSubmitActor'
import { startExpirySweep } from '#actors/firing/expiryJob'
import { start, stop } from '#actors/system'
import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import { createDatabaseClock } from '#storage/postgres/databaseClock'
import { evening, noon, openConditionalOrders } from '#test/support/conditional/book'
import { signedLane } from '#test/support/conditional/signedLane'
import { beginWith, openSubmitFixture, sealedText } from '#test/support/conditional/submitFixture'
import { executionSuite } from '#test/support/execution/suite'

const { pg, worldOf } = executionSuite()

type Given = Awaited<ReturnType<typeof openSubmitFixture>> & {
  venue: Awaited<ReturnType<typeof worldOf>>['venue']
  actors: ReturnType<typeof spawnFiring>[]
  clock: ManualClock
}

async function withActors(
  count: number,
  work: (given: Given) => Promise<void>,
  more: (harness: Awaited<ReturnType<typeof openSubmitFixture>>) => Partial<FiringOptions> = () => ({}),
): Promise<void> {
  const clock = new ManualClock(noon.getTime())
  const world = await worldOf({ clock, lanes: [signedLane()] })
  const harness = await openSubmitFixture(pg.pool, world)
  const systems = Array.from({ length: count }, start)
  const actors = systems.map((system) =>
    spawnFiring(system, { ...harness.deps, store: harness.book.store, clock, log: silentLog, ...more(harness) }),
  )
  try {
    await work({ ...harness, venue: world.venue, actors, clock })
  } finally {
    await Promise.all(actors.map((actor) => actor.stop()))
    for (const system of systems) stop(system)
  }
  expect(clock.pendingCount).toBe(0)
}

const soon = { timeout: 15_000, interval: 5 }

it('fires an order that triggers in this process immediately, without a timer', async () => {
  await withActors(1, async ({ triggered, book, actors }) => {
    const { id } = await triggered()
    actors[0]!.wake()
    await vi.waitFor(async () => expect(await book.statusOf(id)).toBe('fired'), soon)
    expect(actors[0]!.stats()).toMatchObject({ fired: 1, troubled: 0 })
  })
})

it('fires orders leased along with their trigger immediately, and grants no more slots than it has', async () => {
  await withActors(1, async ({ armed, find, book, venue, actors, clock }) => {
    const [firing] = actors
    const ids = [await armed(), await armed()].map(({ id }) => id)
    const at = new Date(clock.now())
    const claim = firing!.claim(ids.length, at)!
    expect([claim.limit, firing!.claim(1_000, at)!.limit, firing!.claim(1, at)]).toEqual([2, 30, null])
    const decisions = ids.map((id) => ({ id, evidence: { book: 1 } }))
    const given = { at, claim, isRecalled: () => false, late: () => undefined }
    const { turns } = (await book.store.triggerUnlessRecalled(decisions, given))!
    firing!.begin(turns)
    firing!.release(claim)
    await vi.waitFor(async () => {
      for (const id of ids) expect(await book.statusOf(id)).toBe('fired')
    }, soon)
    expect(venue.placed).toHaveLength(2)
    expect(await find(ids[0]!)).toMatchObject({ fire_attempts: 1, trigger_evidence: { book: 1 } })
    expect(await book.history(ids[0]!)).toEqual([
      'null>armed api',
      'armed>triggered trigger_engine',
      'triggered>firing exec_fire',
      'firing>fired exec_fire',
    ])
    await vi.waitFor(() => expect(firing!.stats()).toMatchObject({ fired: 2, working: 0, troubled: 0 }))
  })
})

/** Triggers new orders, leased by this actor and, if it is one alone, claimed. */
async function triggered(firing: ReturnType<typeof spawnFiring>, { armed, book, clock }: Given, count: number) {
  const orders = []
  for (let made = 0; made < count; made++) orders.push(await armed())
  const at = new Date(clock.now())
  const claim = await vi.waitFor(() => {
    const made = firing.claim(count, at)
    if (made === null) throw new Error('no slot: its first poll still uses them')
    return made
  }, soon)
  const given = { at, claim, prepare: firing.prepare, isRecalled: () => false, late: () => undefined }
  const decisions = orders.map(({ id }) => ({ id, evidence: {} }))
  const { turns } = (await book.store.triggerUnlessRecalled(decisions, given))!
  return { orders, turns, claim }
}

it('sends an order that was claimed with its trigger even while it stops, and begins no other', async () => {
  await withActors(1, async (given) => {
    const { book, venue, actors } = given
    const [firing] = actors
    const claimed = await triggered(firing!, given, 1)
    const leased = await triggered(firing!, given, 2)
    const late = await triggered(firing!, given, 1)
    const stopped = firing!.stop()
    firing!.begin([...claimed.turns, ...leased.turns])
    firing!.begin(late.turns, { isLate: true })
    await stopped
    const statuses = async (of: typeof claimed) => Promise.all(of.orders.map(({ id }) => book.statusOf(id)))
    expect(await statuses(claimed)).toEqual(['fired'])
    expect(await statuses(leased)).toEqual(['firing', 'firing'])
    expect(await statuses(late)).toEqual(['firing'])
    expect(venue.placed).toEqual(claimed.orders.map(({ order }) => order))
  })
})

it('takes back what was claimed with a trigger that was committed too late, and sends it with another attempt', async () => {
  await withActors(1, async (given) => {
    const { find, book, venue, actors } = given
    const [firing] = actors
    const { orders, turns, claim } = await triggered(firing!, given, 1)
    const [{ id, order }] = orders as [(typeof orders)[number]]
    expect(turns[0]!.claimed?.status).toBe('submitted')
    firing!.begin(turns, { isLate: true })
    firing!.release(claim)
    await vi.waitFor(async () => expect(await book.statusOf(id)).toBe('fired'), soon)
    expect(venue.placed).toEqual([order])
    expect(await find(id)).toMatchObject({ fire_attempts: 2, last_error: null })
  })
})

it('limits hundreds of orders of one account at a hanging venue, and fires another account’s order next', async () => {
  const { promise: answer, resolve: goOn } = Promise.withResolvers<void>()
  const hangs = new Set<string>()
  const queried: string[] = []
  await withActors(
    1,
    async ({ book, actors }) => {
      const other = await openConditionalOrders(pg.pool)
      const executionIds = await book.executions(60)
      for (const executionId of executionIds) {
        const { id } = await book.arm({ executionId, artifact: sealedText() })
        hangs.add(id)
        await book.trigger(id)
      }
      const [firing] = actors
      firing!.wake()
      await vi.waitFor(() => expect(queried).toHaveLength(8), soon)
      // At the same venue, and triggered after all of the others.
      const lone = await other.arm({ artifact: sealedText() })
      await other.trigger(lone.id, new Date(noon.getTime() + 1_000))
      firing!.wake()
      await vi.waitFor(() => expect(queried).toContain(lone.id), soon)
      expect(queried).toHaveLength(9)
      hangs.clear()
      goOn()
      await vi.waitFor(() => expect(new Set(queried).size).toBe(61), soon)
    },
    ({ deps }) => ({
      executions: {
        ...deps.executions,
        begin: beginWith(async (attempt) => {
          queried.push(attempt.fire.conditionalId)
          if (hangs.has(attempt.fire.conditionalId)) await answer
          throw new Fault('NETWORK_ERROR', 'away')
        }),
      },
    }),
  )
})

it('finds by polling what another process triggered, and two processes send nothing twice', async () => {
  await withActors(2, async ({ armed, triggered, book, venue, actors, clock }) => {
    const ocoGroupId = randomUUID()
    const alone: { id: string }[] = []
    for (let i = 0; i < 12; i++) alone.push(await triggered())
    const legs = [await armed({ ocoGroupId }), await armed({ ocoGroupId })]
    // When one is fired in between, the other can no longer trigger.
    await Promise.all(legs.map(({ id }) => book.trigger(id, new Date(clock.now()))))
    await vi.waitFor(async () => {
      clock.advance(500)
      const left = [...alone, ...legs].map(async ({ id }) => book.statusOf(id))
      expect((await Promise.all(left)).toSorted()).toEqual([...Array<string>(13).fill('fired'), 'superseded'])
    }, soon)
    expect(venue.placed).toHaveLength(13)
    expect(new Set(venue.placed).size).toBe(13)
    // An order is counted once its process has learned of its commit.
    const fired = (): number => actors.reduce((sum, actor) => sum + actor.stats().fired, 0)
    await vi.waitFor(() => expect(fired()).toBe(13), soon)
  })
})

it('resumes after the store was away for a while', async () => {
  let away = true
  const claimOf = (harness: Awaited<ReturnType<typeof openSubmitFixture>>): FiringOptions['store'] => ({
    ...harness.book.store,
    claimFiring: (claim) =>
      away ? Promise.reject(new Fault('EXEC_UNAVAILABLE', 'away')) : harness.book.store.claimFiring(claim),
  })
  await withActors(
    1,
    async ({ triggered, book, clock }) => {
      const { id } = await triggered()
      clock.advance(5_000)
      expect(await book.statusOf(id)).toBe('triggered')
      away = false
      await vi.waitFor(async () => {
        clock.advance(1_000)
        expect(await book.statusOf(id)).toBe('fired')
      }, soon)
    },
    (harness) => ({ store: claimOf(harness) }),
  )
})

it('retries a brief storage outage during an order instead of losing the rest of the lease', async () => {
  let left = 2
  await withActors(
    1,
    async ({ triggered, book, venue, actors, clock }) => {
      const { id } = await triggered()
      actors[0]!.wake()
      await vi.waitFor(async () => {
        clock.advance(100)
        expect(await book.statusOf(id)).toBe('fired')
      }, soon)
      expect(clock.now() - noon.getTime()).toBeLessThan(leaseMs / 2)
      // An order is counted once its process has learned of its commit.
      await vi.waitFor(() => expect(actors[0]!.stats()).toMatchObject({ fired: 1, troubled: 0 }), soon)
      expect([left, venue.placed.length]).toEqual([0, 1])
    },
    (harness) => ({
      store: {
        ...harness.book.store,
        readArtifact: (...given) =>
          left > 0 && left-- > 0
            ? Promise.reject(new Fault('EXEC_UNAVAILABLE', 'away'))
            : harness.book.store.readArtifact(...given),
      },
    }),
  )
})

it('expires no order early in a process whose clock is fast, nor one that another process just triggered', async () => {
  const book = await openConditionalOrders(pg.pool)
  const inMs = (ms: number) => new Date(Date.now() + ms)
  const [young, over, fresh] = [
    await book.arm({ expiresAt: inMs(1_800_000) }),
    await book.arm({ expiresAt: inMs(-1_000) }),
    await book.arm({ expiresAt: inMs(1_800_000) }),
  ]
  await book.trigger(fresh.id, inMs(0))
  const fast = new ManualClock(Date.now() + 3_600_000)
  const sweep = startExpirySweep({ store: book.store, clock: createDatabaseClock(pg.pool, fast), log: silentLog })
  await vi.waitFor(async () => expect(await book.statusOf(over.id)).toBe('expired'), soon)
  await sweep.stop()
  expect([await book.statusOf(young.id), await book.statusOf(fresh.id)]).toEqual(['armed', 'triggered'])
})

it('ends orders past their time in either mode, and stops on request', async () => {
  const book = await openConditionalOrders(pg.pool)
  const clock = new ManualClock(noon.getTime())
  const [armed, client, hosted, young] = [
    await book.arm(),
    await book.arm({ fireMode: 'client' }),
    await book.arm(),
    await book.arm({ expiresAt: new Date(evening.getTime() + 3_600_000) }),
  ]
  for (const { id } of [client, hosted]) await book.trigger(id)
  const sweep = startExpirySweep({
    store: book.store,
    clock: Object.assign(clock, { align: async () => undefined }),
    log: silentLog,
  })
  clock.step(evening.getTime() - noon.getTime())
  await vi.waitFor(async () => {
    clock.advance(1_000)
    for (const { id } of [armed, client, hosted]) expect(await book.statusOf(id)).toBe('expired')
  }, soon)
  expect(await book.publishedEvents(hosted.id)).toEqual(['conditional.triggered', 'conditional.expired'])
  expect(await book.isSealed(hosted.id)).toBe(false)
  expect(await book.statusOf(young.id)).toBe('armed')
  await sweep.stop()
  expect(clock.pendingCount).toBe(0)
})
