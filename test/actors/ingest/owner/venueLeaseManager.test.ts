// Several ingest processes, one storage, one manual clock: whatever dies, sleeps or cannot reach the storage, each venue has one owner
// whose messages are accepted.
import { afterEach, describe, expect, test } from 'vitest'
import { assignPartitions } from '#actors/ingest/owner/partitionAssignment'
import {
  type LeaseTerm,
  startVenueOwner,
  type VenueLeases,
  type VenueOwner,
} from '#actors/ingest/owner/venueLeaseManager'
import { VenueOwners } from '#core/books/epochFencing'
import { type Clock, ManualClock, type Timer } from '#core/clock'
import { silentLog } from '#core/log'
import { createPrng } from '#lab/prng'

const venues = ['gemini', 'hyperliquid', 'kalshi', 'polymarket', 'polymarket_us']
const leaseMs = 5_000
const stepMs = 500
/** From a death to the first message of the next owner. */
const takenWithinMs = 10_000

/** The same as the SQL of src/storage/postgres/venueLeases.ts. */
class Storage {
  down = false
  /** False: attempts to release a lease fail. */
  releases = true
  private readonly alive = new Map<string, { venues: readonly string[]; until: number }>()
  private readonly leases = new Map<string, { holder: string; epoch: number; until: number }>()
  private readonly clock: Clock

  constructor(clock: Clock) {
    this.clock = clock
  }

  of(): VenueLeases {
    const reached = async (): Promise<number> => {
      if (this.down) throw new Error('connection refused')
      return this.clock.monotonic()
    }
    return {
      leaseMs,
      register: async (process) => {
        const now = await reached()
        this.alive.set(process.id, { venues: process.venues, until: now + leaseMs })
        return [...this.alive].flatMap(([id, { venues: able, until }]) =>
          id !== process.id && until > now ? [{ id, venues: able }] : [],
        )
      },
      hold: async (id, wanted, renewed) => {
        const now = await reached()
        return wanted.flatMap((venue) => {
          const lease = this.leases.get(venue) ?? { holder: '', epoch: 0, until: 0 }
          if (lease.holder !== id && lease.until > now) return []
          const epoch = lease.holder === id && renewed.includes(venue) ? lease.epoch : lease.epoch + 1
          this.leases.set(venue, { holder: id, epoch, until: now + leaseMs })
          return [{ venue, epoch }]
        })
      },
      release: async (id, held) => {
        const now = await reached()
        if (!this.releases) throw new Error('no answer')
        for (const venue of held) {
          const lease = this.leases.get(venue)
          if (lease?.holder === id) this.leases.set(venue, { ...lease, holder: '', until: now })
        }
      },
      leave: async (id) => {
        await reached()
        this.alive.delete(id)
      },
    }
  }
}

/** The clock as one process sees it: no timer fires while it sleeps, and due timers fire once when it wakes. */
class OwnClock implements Clock {
  private asleep = false
  private dead = false
  private readonly missed = new Set<() => void>()
  private readonly world: ManualClock

  constructor(world: ManualClock) {
    this.world = world
  }

  now = (): number => this.world.now()
  monotonic = (): number => this.world.monotonic()
  steady = (): number => this.world.steady()
  after = (delayMs: number, run: () => void): Timer => this.world.after(delayMs, this.guarded(run))
  soon = (run: () => void): Timer => this.world.soon(this.guarded(run))
  every = (everyMs: number, run: () => void): Timer => this.world.every(everyMs, this.guarded(run))

  get awake(): boolean {
    return !this.asleep && !this.dead
  }

  sleep(): void {
    this.asleep = true
  }

  wake(): void {
    this.asleep = false
    for (const run of [...this.missed]) run()
    this.missed.clear()
  }

  die(): void {
    this.dead = true
  }

  private guarded(run: () => void): () => void {
    return () => {
      if (this.dead) return
      if (this.asleep) this.missed.add(run)
      else run()
    }
  }
}

interface Word {
  id: string
  epoch: number
  at: number
}

interface Process {
  id: string
  clock: OwnClock
  owner: VenueOwner
  feeding: Map<string, LeaseTerm>
  /** Whether its messages are delivered. */
  isAble: boolean
}

const world = () => {
  const clock = new ManualClock()
  const storage = new Storage(clock)
  const running = new Map<string, Process>()
  const readers = [1, 2].map(() => ({ owners: new VenueOwners(clock), last: new Map<string, Word>() }))
  /** Venue → the owner accepted last, and when. */
  const accepted = new Map<string, { id: string; at: number }>()
  let started = 0
  let downAt = Number.NEGATIVE_INFINITY

  async function settle(): Promise<void> {
    for (let i = 0; i < 50; i++) await Promise.resolve()
  }

  return {
    clock,
    storage,
    running,
    accepted,
    async start(): Promise<Process> {
      const own = new OwnClock(clock)
      const feeding = new Map<string, LeaseTerm>()
      const id = `process-${started++}`
      const ability = { isAble: true }
      const owner = await startVenueOwner({
        leases: storage.of(),
        id,
        venues,
        isAble: () => ability.isAble,
        clock: own,
        log: silentLog,
        begin: async (venue, lease) => void feeding.set(venue, lease),
        end: async (venue) => void feeding.delete(venue),
      })
      const process = Object.assign(ability, { id, clock: own, owner, feeding })
      running.set(id, process)
      return process
    },
    kill(id: string): void {
      running.get(id)!.clock.die()
      running.delete(id)
    },
    async stop(id: string): Promise<void> {
      const process = running.get(id)!
      running.delete(id)
      await process.owner.stop()
    },
    /** Time passes, and every process that may publishes for each of its venues. */
    async step(order: (processes: Process[]) => Process[] = (all) => all): Promise<void> {
      if (storage.down) downAt = clock.monotonic()
      clock.advance(stepMs)
      await settle()
      for (const { owners, last } of readers) {
        for (const { id, clock: own, feeding } of order([...running.values()])) {
          if (!own.awake) continue
          for (const [venue, lease] of feeding) {
            const { epoch } = lease
            if (!lease.holds() || !owners.admits({ venue, epoch })) continue
            const at = clock.monotonic()
            const before = last.get(venue)
            if (before !== undefined && before.id !== id) {
              expect(epoch, `${venue} has two owners`).toBeGreaterThan(before.epoch)
              // After an outage a process that woke may take a venue whose owner could not renew: that owner's last message was just
              // before.
              if (at - downAt > leaseMs) expect(before.at, `${venue} has two owners`).toBeLessThan(at)
            }
            last.set(venue, { id, epoch, at })
            accepted.set(venue, { id, at })
          }
        }
      }
    },
  }
}

const steps = async (of: ReturnType<typeof world>, ms: number): Promise<void> => {
  for (let passed = 0; passed < ms; passed += stepMs) await of.step()
}
const loadOf = ({ owner }: Process): number => owner.held().size

test('feeds all venues with one process, hands a second its share, and gives it all when the first dies', async () => {
  const all = world()
  const first = await all.start()
  expect([...first.owner.held().keys()].sort()).toEqual(venues)
  const second = await all.start()
  await steps(all, 2_000)
  expect(loadOf(first)).toBe(5)
  await steps(all, 6_000)
  expect([loadOf(first), loadOf(second)].sort()).toEqual([2, 3])
  all.kill(first.id)
  await steps(all, takenWithinMs)
  expect([...second.owner.held().keys()].sort()).toEqual(venues)
  expect([...all.accepted.values()].every(({ id }) => id === second.id)).toBe(true)
})

test('accepts the survivor when the process that started last dies, although the survivor started first', async () => {
  const all = world()
  const first = await all.start()
  const second = await all.start()
  await steps(all, 10_000)
  all.kill(second.id)
  await steps(all, takenWithinMs)
  for (const venue of venues) expect(all.accepted.get(venue)).toEqual({ id: first.id, at: all.clock.monotonic() })
})

test('raises the epoch when a venue that could not be released is taken back by the same process', async () => {
  const all = world()
  const first = await all.start()
  const before = new Map(first.owner.held())
  all.storage.releases = false
  const second = await all.start()
  for (let step = 0; loadOf(first) === venues.length; step++) {
    expect(step).toBeLessThan(30)
    await all.step()
  }
  const given = venues.filter((venue) => !first.owner.held().has(venue))
  all.kill(second.id)
  await steps(all, 3 * takenWithinMs)
  for (const venue of given) expect(first.owner.held().get(venue)).toBeGreaterThan(before.get(venue)!)
})

test('releases the venues immediately when a process stops', async () => {
  const all = world()
  const first = await all.start()
  const second = await all.start()
  await steps(all, 10_000)
  await all.stop(first.id)
  await steps(all, 1_500)
  expect(loadOf(second)).toBe(5)
})

test('moves venues of a process whose messages are not delivered to one that can publish, and returns its share later', async () => {
  const all = world()
  const first = await all.start()
  const second = await all.start()
  await steps(all, 10_000)
  first.isAble = false
  const heldLeases = [...first.feeding.values()]
  await steps(all, 2_500)
  expect([loadOf(first), loadOf(second)]).toEqual([0, 5])
  expect(heldLeases.some((lease) => lease.holds())).toBe(false)
  await steps(all, 60_000)
  expect([loadOf(first), loadOf(second)]).toEqual([0, 5])
  first.isAble = true
  await steps(all, 10_000)
  expect([loadOf(first), loadOf(second)].sort()).toEqual([2, 3])
})

test('gives every venue an owner while no process can publish, and all venues to the first that can', async () => {
  const all = world()
  const first = await all.start()
  const second = await all.start()
  await steps(all, 10_000)
  first.isAble = false
  second.isAble = false
  await steps(all, 10_000)
  const epochs = new Map([...first.owner.held(), ...second.owner.held()])
  expect([...epochs.keys()].sort()).toEqual(venues)
  await steps(all, 60_000)
  expect(new Map([...first.owner.held(), ...second.owner.held()])).toEqual(epochs)
  second.isAble = true
  await steps(all, 4_000)
  expect([loadOf(first), loadOf(second)]).toEqual([0, 5])
})

test('publishes nothing after a sleep until the lease is confirmed, and moves no venue while no process joins or leaves', async () => {
  const all = world()
  const first = await all.start()
  const second = await all.start()
  await steps(all, 10_000)
  first.clock.sleep()
  await steps(all, takenWithinMs)
  expect(loadOf(second)).toBe(5)
  const heldLeases = [...first.feeding.values()]
  first.clock.wake()
  expect(heldLeases.some((lease) => lease.holds())).toBe(false)
  await steps(all, 10_000)
  const epochs = new Map([...first.owner.held(), ...second.owner.held()])
  await steps(all, 120_000)
  expect(new Map([...first.owner.held(), ...second.owner.held()])).toEqual(epochs)
})

test('lets a single process continue under its epoch after a sleep, once it has renewed', async () => {
  const all = world()
  const only = await all.start()
  const epochs = only.owner.held()
  only.clock.sleep()
  await steps(all, 60_000)
  only.clock.wake()
  await steps(all, 2_000)
  expect(only.owner.held()).toEqual(epochs)
  expect(all.accepted.get('kalshi')).toEqual({ id: only.id, at: all.clock.monotonic() })
})

test('keeps owners feeding their venues through a storage outage and afterwards', async () => {
  const all = world()
  const processes = [await all.start(), await all.start()]
  await steps(all, 10_000)
  const epochs = processes.map(({ owner }) => owner.held())
  all.storage.down = true
  for (let second = 0; second < 120; second++) {
    await steps(all, 1_000)
    for (const venue of venues) expect(all.accepted.get(venue)!.at).toBe(all.clock.monotonic())
  }
  all.storage.down = false
  await steps(all, 20_000)
  expect(processes.map(({ owner }) => owner.held())).toEqual(epochs)
})

describe('random deaths, sleeps, joins and outages', () => {
  const seed = process.env.CROSSBOOK_TEST_SEED ?? `owners-${Date.now()}`
  const scripts = process.env.CROSSBOOK_TEST_LONG === '1' ? 1_000 : 10
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') console.error(`seed ${seed}`)
  })

  test(`${scripts} scripts: never two accepted owners, always one while a process runs, even shares at the end`, async () => {
    const random = createPrng(seed)
    const shuffled = <T>(items: T[]): T[] =>
      items
        .map((item) => [random.int(1 << 30), item] as const)
        .sort(([a], [b]) => a - b)
        .map(([, item]) => item)
    for (let script = 0; script < scripts; script++) {
      const all = world()
      let calmSince = all.clock.monotonic()
      for (let event = 0; event < 25; event++) {
        const processes = [...all.running.values()]
        const one = processes[random.int(Math.max(1, processes.length))]
        const what = random.int(8)
        if (what === 0 || one === undefined) {
          if (processes.length < 4 && !all.storage.down) await all.start()
        } else if (what === 1) all.kill(one.id)
        else if (what === 2 && one.clock.awake) await all.stop(one.id)
        else if (what === 3) one.clock.sleep()
        else if (what === 4) one.clock.wake()
        else if (what === 5) all.storage.down = !all.storage.down
        calmSince = all.clock.monotonic()
        for (let pause = random.int(40); pause > 0; pause--) {
          await all.step(shuffled)
          const awake = [...all.running.values()].some(({ clock }) => clock.awake)
          // After an outage, the process that fed a venue before has priority.
          if (all.storage.down || !awake || all.clock.monotonic() - calmSince <= takenWithinMs + leaseMs) continue
          for (const venue of venues)
            expect(all.accepted.get(venue)?.at, `seed ${seed}, script ${script}: ${venue}`).toBe(all.clock.monotonic())
        }
      }
      all.storage.down = false
      for (const { clock } of all.running.values()) clock.wake()
      if (all.running.size === 0) await all.start()
      await steps(all, 40_000)
      const living = [...all.running.values()]
      const shares = assignPartitions(living.map(({ id }) => ({ id, venues })))
      for (const { id, owner } of living)
        expect([...owner.held().keys()].sort(), `seed ${seed}, script ${script}`).toEqual(
          [...shares].flatMap(([venue, holder]) => (holder === id ? [venue] : [])),
        )
      for (const { id } of living) all.kill(id)
    }
  }, 600_000)
})
