// Triggers as an actor: the armed set follows PostgreSQL, its books are watched, a worker evaluates them, and its decisions are handed over to the
// store.
import { startBookWatch } from '#actors/books/bookWatch'
import { spawnActor } from '#actors/runtime/spawnActor'
import type { Supervisor } from '#actors/runtime/supervisor'
import { TimeSlicer } from '#actors/runtime/timeSlicer'
import type { VenueOwners } from '#core/books/epochFencing'
import type { BookFeed } from '#core/books/sharedBookPublisher'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import type { CreateEngine } from '#orders/triggers/engine'
import type { Bus } from '#storage/bus/bus'
import type { ConditionalStore } from '#storage/postgres/conditional/store'
import { createFollower, type FollowOptions } from './armedOrderReader.ts'
import { ArmedSet } from './armedOrders.ts'
import { initialTriggersState, stepTriggers, type TriggersEffect, type TriggersMessage } from './step.ts'
import { type LocalClaims, TriggerDispatcher } from './triggerDispatcher.ts'

/** An order is watched at the latest this long, plus one read, after it was armed; usually a notification is faster. */
export const pollIntervalMs = 500
/** Best prices per statement. */
const bestsPerSave = 1_000
/** How often orders whose books could not be watched are retried. */
const retryUnwatchedMs = 15_000

export interface TriggersOptions {
  bus: Pick<Bus, 'publish' | 'subscribe'>
  store: FollowOptions['store'] & Pick<ConditionalStore, 'triggerUnlessRecalled' | 'saveBests'>
  sourcesOf: FollowOptions['sourcesOf']
  feed: BookFeed
  createEngine: CreateEngine
  owners: Pick<VenueOwners, 'admits' | 'onInvalidation'>
  /** Unique per running process and user within it. */
  demandId: string
  /**
   * Null: nothing is fired from here, and orders in hosted mode stay armed. Absent: orders that trigger are fired
   * elsewhere.
   */
  fires?: LocalClaims | null | undefined
  clock: Clock
  log: Log
}

export interface TriggerStats {
  /** Orders that the worker holds. */
  held: number
  /** Armed orders whose book is watched, and those whose book cannot be. */
  watched: number
  unwatched: number
  /** Armed orders that cannot trigger now, e.g. because of a halt. */
  stopped: number
  /** Decisions that the store does not have yet. */
  waiting: number
  triggered: number
  refused: number
}

export interface TriggersActor {
  stats(): TriggerStats
  /** A book in shared memory changed; seen by the worker at the feed's next flush. */
  touch(slot: number): void
  /** Orders have changed: poll soon. */
  ordersChanged(): void
  venueSilent(venue: string, part?: string): void
  venueResumed(venue: string): void
  stop(): Promise<void>
}

export async function spawnTriggers(parent: Supervisor, options: TriggersOptions): Promise<TriggersActor> {
  const { bus, store, sourcesOf, feed, owners, demandId, fires, clock, log } = options
  const engine = options.createEngine({
    notified(notices) {
      set.improve(notices.bests)
      if (set.bests.size > 0) actor.send({ kind: 'improved' })
      if (handOver.receive(notices)) actor.send({ kind: 'decided' })
    },
    failed: (reason) => actor.send({ kind: 'failed', reason }),
  })
  const set = new ArmedSet({ engine, slotOf: feed.slotOf, isProven: (venue, bookId) => feed.isProven(venue, bookId) })
  const handOver = new TriggerDispatcher({
    store,
    set,
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    fires: fires ?? undefined,
    isAwake: () => engine.isAwake,
  })
  const loading = new TimeSlicer(clock)
  const timers = new Map<TriggersEffect['kind'], Timer>()
  let isLoadWanted = false
  let working = Promise.resolve()
  let triedAgainAt = clock.monotonic()
  let stopped = false

  const watch = await startBookWatch({
    bus,
    feed,
    clock,
    demandId,
    purpose: 'triggers',
    owners,
    flushed: () => engine.flush(),
    // Orders depend on all these books: all of them are near.
    *near() {
      yield
      return feed.wanted()
    },
  })
  const follower = createFollower({
    store,
    set,
    sourcesOf,
    firesHosted: fires !== null,
    paged: sendUpdates,
    monotonic: () => clock.monotonic(),
  })

  /** Updates the worker with the set, and ingest with the needed books. */
  function sendUpdates(): void {
    if (stopped) return
    set.flush()
    if (!set.booksChanged) return
    set.booksChanged = false
    feed.retain((venue, bookId) => set.isWaitedFor(venue, bookId))
    watch.publishDemand()
  }

  async function look(): Promise<void> {
    await follower.look()
    if (clock.monotonic() - triedAgainAt < retryUnwatchedMs) return
    triedAgainAt = clock.monotonic()
    await follower.retry()
  }

  /** All that wait now; rejects when the store is unavailable, and the rest keeps waiting. */
  async function saveBests(): Promise<void> {
    for (let left = set.bests.size; left > 0; left -= bestsPerSave) {
      const page = set.bests.first(bestsPerSave)
      if (page.length === 0) return
      const stored = await store.saveBests(page, new Date(clock.now()))
      set.bests.saved(page)
      stored.forEach(set.adopt, set)
    }
  }

  /** Sends all orders to the worker; if it dies meanwhile, its successor gets them from the beginning. */
  function load(): void {
    isLoadWanted = loading.busy
    if (isLoadWanted) return
    loading.run(set.sendAll(), (error) => {
      if (error !== null) throw error
      if (isLoadWanted) load()
    })
  }

  const later = (kind: TriggersEffect['kind'], delayMs: number, message: TriggersMessage): void => {
    timers.get(kind)?.cancel()
    timers.set(
      kind,
      clock.after(delayMs, () => actor.send(message)),
    )
  }
  const work = (what: string, job: Promise<TriggersMessage>, failed: TriggersMessage): void => {
    const done = job.then(
      (message) => actor.send(message),
      (error: unknown) => {
        if (!stopped) log.warn({ err: error }, what)
        actor.send(failed)
      },
    )
    working = Promise.all([working, done]).then(() => undefined)
  }

  function perform(effect: TriggersEffect): void {
    if (stopped) return
    switch (effect.kind) {
      case 'startEngine':
        engine.start()
        load()
        break
      case 'restartIn':
        later(effect.kind, effect.delayMs, { kind: 'restart' })
        break
      case 'forget':
        log.warn({ reason: effect.reason }, 'triggers worker stopped; its counts start again')
        handOver.forget()
        break
      case 'look':
        work(
          'failed to poll armed orders; the known ones stay watched',
          look().then(() => ({ kind: 'looked', ok: true })),
          { kind: 'looked', ok: false },
        )
        break
      case 'dueIn':
        later(effect.kind, effect.delayMs, { kind: 'due' })
        break
      case 'handOver':
        work(
          'failed to hand over decisions; they wait while their books stay beyond the level',
          handOver.run().then((nextInMs) => {
            sendUpdates()
            return { kind: 'handed', ok: true, nextInMs }
          }),
          { kind: 'handed', ok: false },
        )
        break
      case 'retryIn':
        later(effect.kind, effect.delayMs, { kind: 'retry' })
        break
      case 'saveBestsIn':
        later(effect.kind, effect.delayMs, { kind: 'bestsDue' })
        break
      case 'saveBests':
        work(
          'failed to save the best prices of trailing stops; they wait',
          saveBests().then(() => {
            sendUpdates()
            return { kind: 'bestsSaved', ok: true, more: set.bests.size > 0 }
          }),
          { kind: 'bestsSaved', ok: false },
        )
        break
    }
  }

  const actor = spawnActor(
    parent,
    {
      name: 'triggers',
      initial: initialTriggersState,
      step: (state, message: TriggersMessage, now) =>
        stepTriggers({ lookEveryMs: pollIntervalMs }, state, message, now),
      perform,
      start: { kind: 'start' },
      release: () => {
        for (const timer of timers.values()) timer.cancel()
      },
    },
    { clock, log },
  )

  return {
    stats: () => ({
      held: engine.armed,
      watched: set.watchedCount,
      unwatched: set.unwatchedCount,
      stopped: set.stoppedCount,
      waiting: handOver.waitingCount,
      triggered: handOver.triggered,
      refused: handOver.refused,
    }),
    touch: (slot) => engine.touch(slot),
    ordersChanged: () => actor.send({ kind: 'rung' }),
    venueSilent: watch.venueSilent,
    venueResumed: watch.venueResumed,
    async stop() {
      if (stopped) return
      stopped = true
      actor.stop()
      for (const timer of timers.values()) timer.cancel()
      loading.stop()
      await watch.stop()
      await working
      await engine.stop()
      // Another process may go on from here.
      await saveBests().catch((error: unknown) =>
        log.warn({ err: error }, 'failed to save the best prices of trailing stops at the end'),
      )
    },
  }
}
