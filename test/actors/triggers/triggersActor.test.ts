import { afterEach, describe, expect, it, vi } from 'vitest'
import * as actors from '#actors/system'
import type { LocalClaims } from '#actors/triggers/triggerDispatcher'
import { spawnTriggers, type TriggersActor } from '#actors/triggers/triggersActor'
import { VenueOwners } from '#core/books/epochFencing'
import { createArena } from '#core/books/shared/index'
import { BookFeed } from '#core/books/sharedBookPublisher'
import { systemClock } from '#core/clock'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import type { FireMode, TriggerRule } from '#schemas/conditional'
import type { WatchedOrder } from '#storage/postgres/conditional/find'
import type { ConditionalStore } from '#storage/postgres/conditional/store'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { bookUpdate, MemoryBus } from '#test/src/stream/support'
import { openConditionalOrders, rule as usualRule } from '#test/support/conditional/book'
import { inlineTriggers } from '#test/support/inlineTriggers'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
const slots = 32
const stops: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const rule: TriggerRule = { ...usualRule, reference: 'bid', dwellMs: 1 }

async function world(
  over: Partial<ConditionalStore> = {},
  fires?: LocalClaims | null,
  worker: { isAwake: boolean } = { isAwake: true },
) {
  const book = await openConditionalOrders(pg.pool)
  const bus = new MemoryBus()
  const arena = createArena(slots)
  const feed = new BookFeed(arena, (slot) => triggers.touch(slot), systemClock)
  const system = actors.start()
  const triggers: TriggersActor = await spawnTriggers(system, {
    bus,
    store: { ...book.store, ...over },
    // The market with this name has no book.
    sourcesOf: async (orders: readonly WatchedOrder[]) =>
      orders.map(({ outcome_id }) => (outcome_id === 'nowhere' ? null : { bookId: outcome_id, complement: false })),
    feed,
    createEngine: (events) =>
      Object.defineProperty(inlineTriggers(arena)(events), 'isAwake', { get: () => worker.isAwake }),
    owners: new VenueOwners(systemClock),
    demandId: 'triggers-1',
    fires,
    clock: systemClock,
    log: silentLog,
  })
  stops.push(
    () => actors.stop(system),
    () => triggers.stop(),
  )
  let seq = 0
  const watches = async (outcomeId: string, held: number) => {
    await vi.waitFor(
      () => {
        expect(bus.wanted('lab').includes(outcomeId)).toBe(true)
        expect(triggers.stats().held).toBeGreaterThanOrEqual(held)
      },
      { timeout: 25_000 },
    )
  }
  return {
    book,
    bus,
    triggers,
    watches,
    async arm(outcomeId: string, trigger = rule, fireMode: FireMode = 'hosted') {
      const row = await book.arm({ outcomeId, trigger, fireMode, expiresAt: new Date(Date.now() + 3_600_000) })
      triggers.ordersChanged()
      return row
    },
    /** The next book. */
    sendBook(outcomeId: string, bid: number) {
      const core = Buffer.from(
        `{"bids":[{"price":${bid},"size":9}],"asks":[{"price":${(bid * 100 + 1) / 100},"size":9}],"timestamp":1`,
      )
      const recvTs = systemClock.now()
      bus.book(bookUpdate(outcomeId, ++seq, { venue: 'lab', core, recvTs, eventTs: recvTs + seq }))
    },
  }
}

/** Books at this bid, one after the other, until the assertion holds. */
const until = (action: () => void, isSo: () => Promise<void> | void) =>
  vi.waitFor(
    async () => {
      action()
      await isSo()
    },
    { timeout: 25_000 },
  )

describe('armed orders', () => {
  it('trigger once, with evidence, when the market crosses their level, and are no longer watched', async () => {
    const { book, bus, triggers, arm, watches, sendBook } = await world()
    const { id } = await arm('a')
    const other = await arm('a', { ...rule, price: 0.9 })
    const lost = await arm('nowhere')
    await watches('a', 2)
    sendBook('a', 0.59)
    await until(
      () => sendBook('a', 0.61),
      async () => expect(await book.statusOf(id)).toBe('triggered'),
    )
    const row = await book.store.find(book.accountId, id)
    expect(row?.trigger_evidence).toMatchObject({
      reference: 'bid',
      referencePrice: 0.61,
      samples: 2,
      spread: 0.01,
      size: 9,
      sequence: expect.any(Number),
    })
    expect(await book.history(id)).toEqual(['null>armed api', 'armed>triggered trigger_engine'])
    expect(await book.publishedEvents(id)).toEqual(['conditional.triggered'])
    expect(await book.statusOf(other.id)).toBe('armed')
    expect(await book.statusOf(lost.id)).toBe('armed')
    expect(triggers.stats()).toMatchObject({ triggered: 1, refused: 0, unwatched: 1, waiting: 0 })
    await vi.waitFor(() => expect(triggers.stats()).toMatchObject({ watched: 1, held: 1 }))
    await book.store.cancel({
      accountId: book.accountId,
      id: other.id,
      key: 'cancel',
      bodySha256: Buffer.alloc(32),
      at: new Date(),
    })
    triggers.ordersChanged()
    // No order waits for its book any more.
    await vi.waitFor(() => expect(bus.wanted('lab')).toEqual([]), { timeout: 25_000 })
  })

  it('canceled while the decision was being written are dropped', async () => {
    const frozen: { changes: boolean } = { changes: true }
    const { book, triggers, arm, watches, sendBook } = await world({
      changedSince: async (query) =>
        frozen.changes ? book.store.changedSince(query) : { orders: [], mark: query.since },
    })
    const { id } = await arm('a')
    await watches('a', 1)
    frozen.changes = false
    const { accountId } = book
    await book.store.cancel({ accountId, id, key: 'c', bodySha256: Buffer.alloc(32), at: new Date() })
    await until(
      () => sendBook('a', 0.61),
      () => expect(triggers.stats()).toMatchObject({ triggered: 0, refused: 1, watched: 0 }),
    )
    expect(await book.statusOf(id)).toBe('canceled')
  })

  it('are leased along with their trigger when fired in the same process, and unused reservations are released', async () => {
    let promised = 0
    let isAway = true
    let woken = 0
    const begun: string[] = []
    const { book, triggers, arm, watches, sendBook } = await world(
      {
        triggerUnlessRecalled: (...given) =>
          isAway ? Promise.reject(new Error('away')) : book.store.triggerUnlessRecalled(...given),
      },
      {
        claim(limit, at) {
          promised += limit
          return { owner: 'here', leaseMs: 60_000, limit, at }
        },
        release(claim) {
          promised -= claim.limit
        },
        prepare: async () => null,
        begin(turns) {
          begun.push(...turns.map(({ held }) => held.id))
        },
        wake: () => woken++,
      },
    )
    const { id } = await arm('a')
    await watches('a', 1)
    sendBook('a', 0.59)
    await until(
      () => sendBook('a', 0.61),
      () => expect(triggers.stats().waiting).toBe(1),
    )
    isAway = false
    await vi.waitFor(async () => expect(await book.statusOf(id)).toBe('firing'), { timeout: 25_000 })
    await vi.waitFor(() => expect([begun, promised, woken]).toEqual([[id], 0, 0]))
  })

  it('are begun once when their commit was confirmed after the store had given up', async () => {
    const begun: [id: string, isLate: boolean | undefined][] = []
    const { book, triggers, arm, watches, sendBook } = await world(
      {
        async triggerUnlessRecalled(decisions, recall) {
          const made = await book.store.triggerUnlessRecalled(decisions, recall)
          if (made === null || made.rows.length === 0) return made
          recall.late(made)
          throw new Fault('EXEC_UNAVAILABLE', 'no answer')
        },
      },
      {
        claim: (limit, at) => ({ owner: 'here', leaseMs: 60_000, limit, at }),
        release: () => undefined,
        prepare: async () => null,
        begin(turns, options) {
          for (const { held } of turns) begun.push([held.id, options?.isLate])
        },
        wake: () => undefined,
      },
    )
    const { id } = await arm('late')
    await watches('late', 1)
    sendBook('late', 0.59)
    await until(
      () => sendBook('late', 0.61),
      () => expect(triggers.stats()).toMatchObject({ triggered: 0, waiting: 0, watched: 0 }),
    )
    await vi.waitFor(() => expect(begun).toEqual([[id, true]]))
    expect(await book.statusOf(id)).toBe('firing')
  })

  it('are withdrawn when their book leaves the level, even while they are being written', async () => {
    let write = (): void => undefined
    const isWriting = new Promise<void>((resolve) => {
      write = resolve
    })
    let goOn = (): void => undefined
    const thawed = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const { book, triggers, arm, watches, sendBook } = await world({
      triggerUnlessRecalled: (decisions, recall) => {
        write()
        return thawed.then(() => book.store.triggerUnlessRecalled(decisions, recall))
      },
    })
    const { id } = await arm('a')
    await watches('a', 1)
    sendBook('a', 0.59)
    const sending = until(
      () => sendBook('a', 0.61),
      () => expect(triggers.stats().waiting).toBe(1),
    )
    await Promise.all([sending, isWriting])
    sendBook('a', 0.59)
    await vi.waitFor(() => expect(triggers.stats().waiting).toBe(0))
    goOn()
    await vi.waitFor(() => expect(triggers.stats()).toMatchObject({ waiting: 0, triggered: 0, refused: 0, watched: 1 }))
    expect(await book.statusOf(id)).toBe('armed')
    // It starts counting from zero.
    await until(
      () => sendBook('a', 0.61),
      async () => expect(await book.statusOf(id)).toBe('triggered'),
    )
  })

  it('wait while PostgreSQL is unavailable, as long as their books stay beyond the level', async () => {
    let isAway = true
    const { book, triggers, arm, watches, sendBook } = await world({
      triggerUnlessRecalled: async (...given) => {
        if (isAway) throw new Error('away')
        return book.store.triggerUnlessRecalled(...given)
      },
    })
    const stays = await arm('stays')
    const leaves = await arm('leaves')
    await watches('stays', 2)
    await until(
      () => {
        sendBook('stays', 0.61)
        sendBook('leaves', 0.61)
      },
      () => expect(triggers.stats().waiting).toBe(2),
    )
    sendBook('leaves', 0.59)
    await vi.waitFor(() => expect(triggers.stats().waiting).toBe(1))
    isAway = false
    await vi.waitFor(async () => expect(await book.statusOf(stays.id)).toBe('triggered'), { timeout: 25_000 })
    expect(await book.statusOf(leaves.id)).toBe('armed')
    expect(triggers.stats()).toMatchObject({ watched: 1, waiting: 0 })
  })
  it('whose row is locked do not block others, and are retried separately while their books stay beyond the level', async () => {
    const { book, triggers, arm, watches, sendBook } = await world()
    const [held, leaving] = [await arm('held'), await arm('leaving')]
    const others = [await arm('other 1'), await arm('other 2')]
    await watches('other 2', 4)
    const holder = await pg.pool.connect()
    await holder.query('BEGIN')
    stops.push(() => holder.query('ROLLBACK').then(() => holder.release()))
    await holder.query('SELECT FROM conditional_orders WHERE id = ANY ($1) FOR UPDATE', [[held.id, leaving.id]])
    await until(
      () => {
        sendBook('held', 0.61)
        sendBook('leaving', 0.61)
      },
      () => expect(triggers.stats().waiting).toBe(2),
    )
    for (const [i, { id }] of others.entries()) {
      await until(
        () => sendBook(`other ${i + 1}`, 0.61),
        async () => expect(await book.statusOf(id)).toBe('triggered'),
      )
    }
    expect(triggers.stats()).toMatchObject({ triggered: 2, refused: 0, waiting: 2 })
    sendBook('leaving', 0.59)
    await vi.waitFor(() => expect(triggers.stats().waiting).toBe(1))
    await holder.query('ROLLBACK')
    await vi.waitFor(async () => expect(await book.statusOf(held.id)).toBe('triggered'), { timeout: 25_000 })
    expect(await book.statusOf(leaving.id)).toBe('armed')
    await vi.waitFor(() => expect(triggers.stats()).toMatchObject({ triggered: 3, refused: 0, waiting: 0 }))
  })

  it('of a halted account are not watched, and count from zero after the resume', async () => {
    const { book, triggers, arm, watches, sendBook } = await world()
    const executions = createExecutionStore(pg.pool)
    const word = {
      accountId: book.accountId,
      venue: null,
      setBy: 'account',
      setByName: 'me',
      reason: 'stop',
      at: new Date(),
    } as const
    const before = await arm('halted')
    await watches('halted', 1)
    sendBook('halted', 0.59)
    const { held } = triggers.stats()
    await executions.halt(word)
    triggers.ordersChanged()
    await vi.waitFor(() => expect(triggers.stats()).toMatchObject({ stopped: 1, held: held - 1 }), { timeout: 25_000 })
    const during = await arm('halted')
    await vi.waitFor(() => expect(triggers.stats()).toMatchObject({ stopped: 2 }), { timeout: 25_000 })
    for (let i = 0; i < 5; i++) sendBook('halted', 0.61)
    await executions.resume(word)
    await vi.waitFor(() => expect(triggers.stats()).toMatchObject({ stopped: 0, held: held + 1 }), { timeout: 25_000 })
    expect([await book.statusOf(before.id), await book.statusOf(during.id)]).toEqual(['armed', 'armed'])
    await until(
      () => sendBook('halted', 0.61),
      async () =>
        expect([await book.statusOf(before.id), await book.statusOf(during.id)]).toEqual(['triggered', 'triggered']),
    )
  })

  it('that the store blocks are set aside, and retried when nothing blocks them', async () => {
    const { book, triggers, arm, watches, sendBook } = await world({ listActiveHalts: async () => [] })
    const executions = createExecutionStore(pg.pool)
    const word = {
      accountId: book.accountId,
      venue: null,
      setBy: 'account',
      setByName: 'me',
      reason: 'stop',
      at: new Date(),
    } as const
    const { id } = await arm('stopped')
    await watches('stopped', 1)
    await executions.halt(word)
    await until(
      () => sendBook('stopped', 0.61),
      () => expect(triggers.stats()).toMatchObject({ stopped: 1, waiting: 0, refused: 0, triggered: 0 }),
    )
    await executions.resume(word)
    await until(
      () => sendBook('stopped', 0.61),
      async () => expect(await book.statusOf(id)).toBe('triggered'),
    )
  })

  it('rearmed since they triggered in another process are watched as new ones', async () => {
    const { book, triggers, arm, watches, sendBook } = await world()
    const { id } = await arm('again', { ...rule, confirmations: 3 })
    await watches('again', 1)
    sendBook('again', 0.59)
    sendBook('again', 0.61)
    // In another process, and too fast for a poll in between.
    const at = new Date(Date.now() - 120_000)
    await book.trigger(id, at)
    await book.store.rearmStale({ limit: 10, at: new Date() })
    triggers.ordersChanged()
    await until(
      () => sendBook('again', 0.61),
      async () => expect(await book.statusOf(id)).toBe('triggered'),
    )
    expect(triggers.stats()).toMatchObject({ triggered: 1, refused: 0 })
  })

  it('whose worker hangs are not triggered, neither before they are written nor before the commit', async () => {
    const worker = { isAwake: true }
    let written = 0
    const { book, triggers, arm, watches, sendBook } = await world(
      {
        triggerUnlessRecalled: async (decisions, recall) => {
          // It stops while the first decision is being written.
          if (written === 0) worker.isAwake = false
          const made = await book.store.triggerUnlessRecalled(decisions, recall)
          written++
          return made
        },
      },
      undefined,
      worker,
    )
    const { id } = await arm('still')
    await watches('still', 1)
    sendBook('still', 0.59)
    await until(
      () => sendBook('still', 0.61),
      () => expect([triggers.stats().waiting, written]).toEqual([1, 1]),
    )
    expect(await book.statusOf(id)).toBe('armed')
    worker.isAwake = true
    await vi.waitFor(async () => expect(await book.statusOf(id)).toBe('triggered'), { timeout: 25_000 })
    expect(written).toBe(2)
  })

  it('that trail go on from their best price in another process and after a crash', async () => {
    const { price: _, ...base } = rule
    const trailing: TriggerRule = { ...base, when: 'at_or_below', trail: { by: 'price', distance: 0.05 } }
    // Saves nothing: a process that dies before it can.
    const crashing = await world({ saveBests: () => new Promise(() => undefined) })
    const first = await world()
    const { book } = first
    const { id } = await first.arm('trail', trailing)
    await first.watches('trail', 1)
    await crashing.watches('trail', 1)
    const storedBest = async () => (await book.store.listArmedOf([id]))[0]?.trail_best
    await until(
      () => first.sendBook('trail', 0.62),
      async () => expect(await storedBest()).toBe(1_240_000),
    )
    // Seen here, and never saved.
    for (let i = 0; i < 3; i++) crashing.sendBook('trail', 0.7)
    await first.triggers.stop()
    const second = await world()
    await second.watches('trail', 1)
    await until(
      () => second.sendBook('trail', 0.57),
      async () => expect(await book.statusOf(id)).toBe('triggered'),
    )
    const row = await book.store.find(book.accountId, id)
    expect(row?.trigger_evidence).toMatchObject({ bestPrice: 0.62, level: 0.57, distance: 0.05, referencePrice: 0.57 })
    expect(await book.history(id)).toEqual(['null>armed api', 'armed>triggered trigger_engine'])
  })

  it('that trail adopt a better best price that another process saved', async () => {
    const { price: _, ...base } = rule
    const trailing: TriggerRule = { ...base, when: 'at_or_below', trail: { by: 'price', distance: 0.05 } }
    const { book, arm, watches, sendBook } = await world()
    const { id } = await arm('adopt', trailing)
    await watches('adopt', 1)
    await book.store.saveBests([{ id, best: 1_300_000 }], new Date())
    // A best price of its own leads to a save, and that to the better one.
    await until(
      () => sendBook('adopt', 0.6),
      async () => expect(await book.statusOf(id)).toBe('triggered'),
    )
    const row = await book.store.find(book.accountId, id)
    expect(row?.trigger_evidence).toMatchObject({ bestPrice: 0.65, level: 0.6, referencePrice: 0.6 })
  })

  it('with a time trigger by the book of that moment, and not by one that is not live', async () => {
    const { book, triggers, arm, watches, sendBook } = await world()
    const timed: TriggerRule = {
      at: new Date(Date.now() + 100).toISOString(),
      reference: 'mark',
      confirmations: 1,
      dwellMs: 0,
      maxSpread: 1,
      minSize: 0,
    }
    const silent = await arm('silent', timed)
    const live = await arm('live', timed)
    await watches('live', 2)
    await until(
      () => sendBook('live', 0.4),
      async () => expect(await book.statusOf(live.id)).toBe('triggered'),
    )
    const row = await book.store.find(book.accountId, live.id)
    expect(row?.trigger_evidence).toMatchObject({ at: timed.at, referencePrice: 0.405, samples: 1 })
    expect(triggers.stats()).toMatchObject({ triggered: 1, waiting: 0 })
    expect(await book.statusOf(silent.id)).toBe('armed')
    await until(
      () => sendBook('silent', 0.4),
      async () => expect(await book.statusOf(silent.id)).toBe('triggered'),
    )
  })

  it('in hosted mode stay armed when firing is disabled, and may be canceled; those in client mode trigger', async () => {
    const { book, arm, watches, sendBook } = await world({}, null)
    const [hosted, client] = [await arm('off'), await arm('off', rule, 'client')]
    await watches('off', 1)
    await until(
      () => sendBook('off', 0.61),
      async () => expect(await book.statusOf(client.id)).toBe('triggered'),
    )
    expect(await book.statusOf(hosted.id)).toBe('armed')
    const { accountId } = book
    const cancel = { accountId, id: hosted.id, key: 'c', bodySha256: Buffer.alloc(32), at: new Date() }
    expect(await book.store.cancel(cancel)).toMatchObject({ kind: 'canceled' })
  })
})
