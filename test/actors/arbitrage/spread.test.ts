// Several compute processes, one sequence and several gateways, on a bus that loses messages, with processes that die.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type SequenceLease, type Sequencer, startSequencer } from '#actors/arbitrage/sequencer'
import { type SurfaceRelay, startSurfaceRelay } from '#actors/arbitrage/surfaceReplica'
import { type SurfaceMember, startSurfaceShard } from '#actors/arbitrage/surfaceShard'
import type { ClusterInput } from '#arbitrage/cluster'
import { Publication } from '#arbitrage/publication'
import { ManualClock } from '#core/clock'
import { type Log, silentLog } from '#core/log'
import type { TopicName, TopicValues } from '#schemas/topics'
import { leaseMs } from '#storage/postgres/surfaceLease'
import { TestClient } from '#test/src/arbitrage/client'

const clusterIds = Array.from({ length: 12 }, (_, i) => `q${i}`)
const keyOf = (clusterId: string): string => `${clusterId}:kalshi:polymarket`
const clusters = clusterIds.map(
  (clusterId): ClusterInput => ({
    clusterId,
    question: clusterId,
    members: [],
    pairs: [
      {
        a: 'kalshi',
        b: 'polymarket',
        matchScore: 100,
        matchBand: 'verified',
        matchDifferences: [],
        resolution: { compatible: true, reason: null, auditReasons: [] },
        resolutionEquivalence: 'verified',
      },
    ],
  }),
)

/** Every process has its own receiver: a dead process neither receives nor sends. */
class Air {
  lost: (topic: TopicName) => boolean = () => false
  unreadMs = 0
  private readonly subscriptions = new Map<string, [TopicName, (value: never) => void][]>()

  of(name: string) {
    this.subscriptions.set(name, [])
    return {
      publish: <T extends TopicName>(topic: T, _key: string, value: TopicValues[T]): void => {
        if (!this.subscriptions.has(name) || this.lost(topic)) return
        for (const subscriptions of [...this.subscriptions.values()])
          for (const [subscribedTopic, handle] of subscriptions) if (subscribedTopic === topic) handle(value as never)
      },
      unreadMs: () => this.unreadMs,
      subscribe: async <T extends TopicName>(topic: T, handle: (value: TopicValues[T]) => void) => {
        this.subscriptions.get(name)?.push([topic, handle as (value: never) => void])
        return async () => undefined
      },
    }
  }

  silence(name: string): void {
    this.subscriptions.delete(name)
  }
}

interface Compute {
  name: string
  member: SurfaceMember
  sequencer: Sequencer
  /** Computes its share from the current books. */
  compute(): void
  withhold(value: boolean): void
}

/** Time that passes during work, so that long work is cut into slices and other work happens in between. */
class JitteryClock extends ManualClock {
  private readCount = 0

  override now(): number {
    return super.now() + (this.readCount++ % 7)
  }
}

class World {
  readonly clock: ManualClock
  /** Makes rows so long that a frame takes several messages, both between processes and to clients. */
  private readonly padding: string

  constructor({ big = false } = {}) {
    this.clock = big ? new JitteryClock() : new ManualClock()
    this.padding = 'x'.repeat(big ? 60_000 : 0)
  }

  readonly air = new Air()
  readonly values = new Map<string, number>(clusterIds.map((id) => [id, 0]))
  readonly computes: Compute[] = []
  readonly relays: { relay: SurfaceRelay; client: TestClient }[] = []
  /** Errors of processes. A client that receives an invalid sequence throws, and the error ends up here. */
  readonly errors: unknown[] = []
  private readonly log: Log = { ...silentLog, error: (...details: unknown[]) => this.errors.push(details) } as never
  private holder: { id: string; until: number; term: number; seqTo: number } | null = null
  private named = 0
  private readonly dead = new Set<string>()

  /** As the storage does it. */
  private readonly lease: SequenceLease = {
    hold: async (id, seq) => {
      if (this.dead.has(id)) throw new Error('a dead process sent a request')
      const now = this.clock.now()
      const held = this.holder
      if (held !== null && held.id !== id && held.until > now) return null
      const goesOn = held !== null && held.id === id && held.until > now
      const seqTo = goesOn ? Math.max(held.seqTo, seq + 1_000) : Math.max(held?.seqTo ?? 0, 100) + 1_000
      this.holder = { id, until: now + leaseMs, term: (held?.term ?? 0) + (goesOn ? 0 : 1), seqTo }
      return { term: this.holder.term, seqFrom: seqTo - 1_000, seqTo }
    },
    release: async () => undefined,
  }

  async addCompute(): Promise<void> {
    const name = `compute-${this.named++}`
    const bus = this.air.of(name)
    const { clock, values, padding } = this
    const publication = new Publication({ intervalMs: 200, contracts: 100, limit: 100, seq: 1 })
    const publisher = { withheld: false, computedAt: clock.now() }
    let mine = new Set<string>()
    const unsent = new Set<string>()
    const sequencer = await startSequencer({
      bus,
      clock,
      log: this.log,
      memberId: name,
      lease: this.lease,
      intervalMs: 200,
      contracts: 100,
      limit: 100,
    })
    const member = await startSurfaceShard({
      bus,
      clock,
      log: this.log,
      memberId: name,
      arbitrage: { publication, publisher } as never,
      surface: {
        async setClusters(given) {
          mine = new Set(given.map(({ clusterId }) => clusterId))
          return { hidden: 0, invalidMatchScore: 0, members: 0, overLimit: 0 }
        },
      },
      limit: 100,
      term: () => sequencer.term(),
    })
    member.setClusters(clusters)
    const compute = (): void => {
      publisher.computedAt = clock.now()
      for (const clusterId of clusterIds) {
        const key = keyOf(clusterId)
        const bytes = Buffer.from(JSON.stringify({ clusterId: key, value: values.get(clusterId), padding }))
        const facts = {
          executable: true,
          venueA: 'kalshi',
          venueB: 'polymarket',
          netMicros: values.get(clusterId)!,
          spreadMicros: Number.NaN,
          matchBand: 'verified',
        }
        if (mine.has(clusterId)) publication.rows.put(key, facts, bytes, bytes.length)
        else publication.rows.remove(key)
      }
      const changed = publication.rows.changes.map((id) => publication.rows.rows[id]!.key)
      publication.rows.commit()
      for (const key of changed) unsent.add(key)
      if (publisher.withheld) return
      member.published([...unsent])
      unsent.clear()
    }
    const withhold = (value: boolean): void => {
      // Sometimes it is notified at once, sometimes it finds out at the next heartbeat.
      if (value && clock.now() % 2 === 0) member.withheld()
      publisher.withheld = value
    }
    this.computes.push({ name, member, sequencer, compute, withhold })
  }

  /** kill -9: from this moment it sends and receives nothing. */
  kill(index: number): void {
    const [dead] = this.computes.splice(index, 1)
    if (dead === undefined) return
    this.air.silence(dead.name)
    this.dead.add(dead.name)
  }

  async addRelay(): Promise<void> {
    const { clock } = this
    const bus = this.air.of(`gateway-${this.named++}`)
    const relay = await startSurfaceRelay({ bus, clock, log: this.log, intervalMs: 200, contracts: 100, limit: 100 })
    const client = new TestClient(1)
    // Subscribers of the gateways use different intervals.
    relay.add(client, 'arbitrage', { intervalMs: [undefined, 0, 100, 500, 3_000][this.relays.length % 5] })
    this.relays.push({ relay, client })
  }

  /** Time passes; every process computes every 100 ms. */
  async run(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 50) {
      this.clock.advance(50)
      if (left % 100 === 0) for (const { compute } of this.computes) compute()
      // Leases and clusters are requested, not granted yet.
      for (let i = 0; i < 4; i++) await Promise.resolve()
    }
  }

  truth(): Map<string, number> {
    return new Map(clusterIds.map((id) => [keyOf(id), this.values.get(id)!]))
  }

  rowsOf({ relay }: { relay: SurfaceRelay }): Map<string, number> {
    return new Map(
      [...relay.publication.rows.present()].map(({ key, bytes, size }) => {
        const row = JSON.parse(bytes.subarray(0, size).toString()) as { value: number }
        return [key, row.value] as const
      }),
    )
  }

  expectWhole(): void {
    expect(this.errors).toEqual([])
    for (const world of this.relays) {
      expect(world.relay.withheld).toBe(false)
      expect(this.rowsOf(world)).toEqual(this.truth())
      const received = [...world.client.rows].map(
        ([key, row]) => [key, (JSON.parse(row) as { value: number }).value] as const,
      )
      expect(new Map(received)).toEqual(this.truth())
    }
  }
}

type Step =
  | { kind: 'change'; cluster: number; value: number }
  | { kind: 'kill'; which: number }
  | { kind: 'join' }
  | { kind: 'gateway' }
  /** Drops each `every`th message of the topic. */
  | { kind: 'lose'; topic: TopicName; every: number; ms: number }
  | { kind: 'worker'; which: number; ms: number }
  | { kind: 'wait'; ms: number }

const ms = fc.integer({ min: 1, max: 60 }).map((n) => n * 50)
const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('change' as const), cluster: fc.nat(11), value: fc.nat(999) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), which: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('join' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('gateway' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('lose' as const),
        topic: fc.constantFrom<TopicName>('surfaceBeats', 'surfaceRows', 'surfaceFrames', 'surfaceAsks'),
        every: fc.integer({ min: 1, max: 4 }),
        ms,
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('worker' as const), which: fc.nat(3), ms }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms }) },
  ),
  { maxLength: 25 },
) as fc.Arbitrary<Step[]>

async function perform(world: World, step: Step): Promise<void> {
  const { computes, values, air } = world
  switch (step.kind) {
    case 'change':
      values.set(clusterIds[step.cluster]!, step.value)
      return world.run(50)
    case 'kill':
      if (computes.length > 1) world.kill(step.which % computes.length)
      return
    case 'join':
      if (computes.length < 4) await world.addCompute()
      return
    case 'gateway':
      if (world.relays.length < 3) await world.addRelay()
      return
    case 'lose': {
      let count = 0
      air.lost = (topic) => topic === step.topic && count++ % step.every === 0
      await world.run(step.ms)
      air.lost = () => false
      return
    }
    case 'worker': {
      const hurt = computes[step.which % computes.length]!
      hurt.withhold(true)
      await world.run(step.ms)
      hurt.withhold(false)
      return
    }
    case 'wait':
      return world.run(step.ms)
  }
}

const long = process.env.CROSSBOOK_TEST_LONG === '1'

describe('a surface shared by several processes', () => {
  it('splits the clusters between two processes, and gives every gateway all rows under one rising seq', async () => {
    const world = new World()
    await world.addCompute()
    await world.addCompute()
    await world.addRelay()
    await world.addRelay()
    await world.run(8_000)
    world.expectWhole()
    for (const { member } of world.computes) expect(member.members()).toHaveLength(2)
    expect(world.computes.filter(({ sequencer }) => sequencer.term() !== null)).toHaveLength(1)
    const [a, b] = world.relays.map(({ relay }) => relay.publication.seq)
    expect(a).toBe(b)
  })

  it('sends to a gateway’s subscribers at their own intervals, also when nothing changes', async () => {
    const world = new World()
    await world.addCompute()
    for (let i = 0; i < 5; i++) await world.addRelay()
    await world.run(8_000)
    const before = world.relays.map(({ client }) => client.frames)
    for (let i = 0; i < 60; i++) {
      if (i < 30) world.values.set(clusterIds[0]!, i)
      await world.run(100)
    }
    const received = world.relays.map(({ client }, i) => client.frames - before[i]!)
    // Published every 200 ms; all thirty change at once and after the passes; subscribers at 100, 500 and 3,000 ms.
    expect(received[0]).toBeGreaterThanOrEqual(28)
    expect(received[0]).toBeLessThanOrEqual(32)
    expect(received[1]).toBeGreaterThanOrEqual(45)
    expect(received[1]).toBeLessThanOrEqual(64)
    expect(received[2]).toBeGreaterThanOrEqual(55)
    expect(received[2]).toBeLessThanOrEqual(61)
    expect(received[3]).toBeGreaterThanOrEqual(11)
    expect(received[3]).toBeLessThanOrEqual(13)
    expect(received[4]).toBeLessThanOrEqual(3)
    await world.run(3_000)
    world.expectWhole()
  })

  it('removes the rows of a dead process before another takes its clusters, and shows them again afterwards', async () => {
    const world = new World()
    await world.addCompute()
    await world.addCompute()
    await world.addRelay()
    await world.run(8_000)
    const lead = world.computes.findIndex(({ sequencer }) => sequencer.term() !== null)
    world.kill(1 - lead)
    // No process computes these clusters any more: rows that are still shown must be withdrawn.
    for (const id of clusterIds) world.values.set(id, 7)
    await world.run(3_100)
    const received = world.rowsOf(world.relays[0]!)
    expect([...received.values()].every((value) => value === 7)).toBe(true)
    await world.run(3_000)
    world.expectWhole()
  })

  it('withholds the rows when no process is left', async () => {
    const world = new World()
    await world.addCompute()
    await world.addRelay()
    await world.run(6_000)
    world.expectWhole()
    world.kill(0)
    await world.run(3_000)
    expect(world.relays[0]!.relay.withheld).toBe(true)
    await world.addCompute()
    await world.run(8_000)
    world.expectWhole()
  })

  it('does not confirm rows that the sequencer no longer reads, although their processes are still up', async () => {
    const world = new World()
    await world.addCompute()
    await world.addRelay()
    await world.run(6_000)
    world.expectWhole()
    world.air.lost = (topic) => topic === 'surfaceRows'
    world.air.unreadMs = 11_000
    await world.run(6_000)
    expect(world.relays[0]!.relay.withheld).toBe(true)
    world.air.lost = () => false
    world.air.unreadMs = 0
    await world.run(8_000)
    world.expectWhole()
  })

  it('limits a sequencer without storage to the numbers it reserved', async () => {
    const world = new World()
    await world.addCompute()
    await world.addRelay()
    await world.run(6_000)
    const before = world.relays[0]!.relay.publication.seq
    ;(world as unknown as { lease: SequenceLease }).lease.hold = () => Promise.reject(new Error('away'))
    await world.run(20_000)
    world.expectWhole()
    expect(world.relays[0]!.relay.publication.seq).toBeGreaterThan(before + 50)
  })

  it(
    'converges to the current rows at gateways and clients, and never repeats a seq, whatever is lost or dies',
    async () => {
      await fc.assert(
        fc.asyncProperty(steps, fc.boolean(), async (script, big) => {
          const world = new World({ big })
          await world.addCompute()
          await world.addRelay()
          for (const step of script) await perform(world, step)
          await world.run(12_000)
          world.expectWhole()
        }),
        { numRuns: long ? 500 : 20 },
      )
    },
    long ? 900_000 : 120_000,
  )
})
