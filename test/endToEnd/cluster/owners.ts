// Two ingest processes: each feeds its share of the venues, and whichever dies, is suspended or returns, readers get books of a living one
// and the tape gets each row once.
import { expect, it } from 'vitest'
import { publishWithinMs } from '#storage/bus/busHealth'
import { eventually, type Served, StreamClient, type StreamFrame } from '#test/support/cluster/client'
import type { Cluster } from '#test/support/cluster/cluster'
import { labVenues, openMarkets, truthOf, whilePaused } from '#test/support/cluster/labTruth'
import { venueHolders } from '#test/support/cluster/owners'
import type { RoleProcess } from '#test/support/cluster/roleProcess'

type Venue = (typeof labVenues)[number]
type Ingest = 'ingest' | 'ingestB'
interface System {
  cluster: Pick<Cluster<Ingest>, 'lab' | 'kafka' | 'postgres' | 'processes'>
  served: Served
  /** Both counts of the tape agree, and no row is stored twice. */
  balances(): Promise<void>
}

const isStale = ({ type, message }: StreamFrame): boolean => type === 'error' && message?.includes('stale') === true

/** Declares the tests; call it inside a `describe` after the system has started with `ingest` alone. */
export function describeOwners(system: () => System): void {
  const ingests = (): RoleProcess[] => [system().cluster.processes.ingest, system().cluster.processes.ingestB]
  const holders = () => venueHolders(system().cluster.postgres.url)

  /** Each venue is fed, by these processes only. */
  const fedBy = (processes: readonly RoleProcess[], withinMs = 40_000) =>
    eventually(async () => {
      const held = await holders()
      const pids = processes.map(({ pid }) => pid).sort()
      expect([...held.keys()].sort()).toEqual([...labVenues].sort())
      expect([...new Set([...held.values()].map(({ pid }) => pid))].sort()).toEqual(pids)
      return held
    }, withinMs)

  async function ownerOf(venue: Venue): Promise<{ owner: RoleProcess; other: RoleProcess; epoch: number }> {
    const holder = (await holders()).get(venue)!
    const [a, b] = ingests() as [RoleProcess, RoleProcess]
    return a.pid === holder.pid
      ? { owner: a, other: b, epoch: holder.epoch }
      : { owner: b, other: a, epoch: holder.epoch }
  }

  async function watching(work: (client: StreamClient, market: (venue: Venue) => string) => Promise<void>) {
    const client = await StreamClient.open(system().served)
    const market = (venue: Venue): string => openMarkets(system().cluster.lab, venue)[0]!
    try {
      for (const venue of labVenues) client.subscribe(venue, market(venue))
      await allTrue(client)
      await work(client, market)
      expect(client.closed).toBe(false)
    } finally {
      client.close()
      for (const process of ingests()) process.wake()
    }
  }

  /** The subscriber's book of every venue equals the venue's. */
  const allTrue = (client: StreamClient): Promise<void> =>
    whilePaused(system().cluster.lab, async () => {
      const { lab } = system().cluster
      for (const venue of labVenues) {
        const market = openMarkets(lab, venue)[0]!
        await client.converges(venue, market, () => truthOf(lab, venue, market))
      }
    })

  it('a second ingest process takes over its share', async () => {
    const { cluster } = system()
    await watching(async (client) => {
      const before = await fedBy([cluster.processes.ingest])
      await cluster.processes.ingestB.start()
      const after = await fedBy(ingests())
      const moved = labVenues.filter((venue) => after.get(venue)!.epoch !== before.get(venue)!.epoch)
      expect(moved).toHaveLength(1)
      await allTrue(client)
    })
    await system().balances()
  }, 120_000)

  const killed = (doomedAndSurvivor: () => RoleProcess[]) => async () => {
    const [doomed, survivor] = doomedAndSurvivor() as [RoleProcess, RoleProcess]
    await watching(async (client) => {
      await doomed.kill()
      await fedBy([survivor])
      await allTrue(client)
      await doomed.start()
      await fedBy(ingests())
      await allTrue(client)
    })
    await system().balances()
  }

  it(
    'kill -9 of the process that started last: the other feeds everything',
    killed(() => ingests().reverse()),
    180_000,
  )

  // By now it has run longer than the other.
  it('kill -9 of the process that started first: the other feeds everything', killed(ingests), 180_000)

  it('a suspended process whose venue another took publishes nothing after it resumes', async () => {
    await watching(async (client, market) => {
      const { owner, other, epoch } = await ownerOf('kalshi')
      owner.pause()
      const mark = client.mark()
      await fedBy([other])
      expect((await holders()).get('kalshi')!.epoch).toBeGreaterThan(epoch)
      await client.frame((frame) => frame.venue === 'kalshi' && isStale(frame), mark)
      await client.frame(({ type, venue }) => type === 'snapshot' && venue === 'kalshi', mark)
      await allTrue(client)
      owner.wake()
      // It is alive, so it gets its share again, handed over by the other.
      await fedBy(ingests())
      await allTrue(client)
      expect(client.book('kalshi', market('kalshi'))).not.toBeNull()
    })
    await system().balances()
  }, 180_000)

  it('a broker restart: each continues with its venues', async () => {
    const { cluster } = system()
    await watching(async (client) => {
      const before = await holders()
      const awayAt = performance.now()
      await cluster.kafka.restart(0)
      await allTrue(client)
      // On a busy machine it is down for longer than a process waits before it hands its venues over.
      if (performance.now() - awayAt < publishWithinMs) expect(await holders()).toEqual(before)
      else await fedBy(ingests())
    })
    await system().balances()
  }, 180_000)

  it('PostgreSQL unavailable: the owner of a venue continues, and still does afterwards', async () => {
    const { cluster } = system()
    await watching(async (client) => {
      const before = await holders()
      await cluster.postgres.down()
      const mark = client.mark()
      const downAt = performance.now()
      // Longer than any lease.
      do await client.updatesAfter(client.mark())
      while (performance.now() - downAt < 8_000)
      expect(client.frames.slice(mark).filter(isStale)).toEqual([])
      await cluster.postgres.up()
      await eventually(async () => expect(await holders()).toEqual(before))
      await allTrue(client)
    })
  }, 180_000)

  it('half-open connections to Kafka: the process reports it, the other feeds everything, and the first recovers without a restart', async () => {
    const { cluster } = system()
    const { ingest, ingestB } = cluster.processes
    const { proxies } = cluster.kafka
    const readiness = async () => {
      const answer = await fetch(`${ingestB.operations}/ready`)
      const { error } = (await answer.json()) as { error?: { message: string } }
      return { status: answer.status, message: error?.message }
    }
    await watching(async (client) => {
      await fedBy(ingests())
      expect((await readiness()).status).toBe(200)
      for (const proxy of proxies) {
        proxy.isHalfOpen = () => true
        proxy.cutAll()
      }
      const cutAt = performance.now()
      await fedBy([ingest])
      console.info(`the other process feeds everything ${Math.round(performance.now() - cutAt)} ms after the cut`)
      expect(await readiness()).toEqual({ status: 503, message: 'not serving: kafka' })
      await allTrue(client)
      // Half-open connections stay half-open.
      for (const proxy of proxies) proxy.isHalfOpen = () => false
      const endedAt = performance.now()
      await eventually(async () => expect((await readiness()).status).toBe(200))
      console.info(`ready ${Math.round(performance.now() - endedAt)} ms after the end of the fault`)
      await fedBy(ingests(), 80_000)
      await allTrue(client)
    })
    await system().balances()
  }, 240_000)
}
