// A rolling restart, as for an update of the program: two of every role, each process stopped and started again while the others run.
// Nothing wrong is served, one gateway is ready at any time, and the tape has every row once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Witness } from '#test/support/cluster/chaos/observer'
import { Truth } from '#test/support/cluster/chaos/truth'
import { eventually } from '#test/support/cluster/client'
import { type Cluster, startCluster } from '#test/support/cluster/cluster'
import { labVenues, openMarkets, whilePaused } from '#test/support/cluster/labTruth'
import { matchedClusters } from '#test/support/cluster/matched'
import { accountOfClickhouse, accountOfKafka, checksum, differences } from '#test/support/cluster/tapeAccount'
import { hasKafka } from '#test/support/kafka/installed'

/** In the order of an update: producers before consumers. */
const processNames = [
  ...['jobs', 'ingestA', 'ingestB', 'tapeA', 'tapeB'],
  ...['computeA', 'computeB', 'gatewayA', 'gatewayB'],
] as const
type Name = 'jobs' | `${'ingest' | 'tape' | 'compute' | 'gateway'}${'A' | 'B'}`
const names = processNames as readonly Name[]
const isLong = process.env.CROSSBOOK_TEST_LONG === '1'
const checkMs = 1_000

describe.runIf(isLong && hasKafka)('two of every role, restarted one after the other', () => {
  let cluster: Cluster<Name>
  let truth: Truth
  beforeAll(async () => {
    cluster = await startCluster({
      seed: 'rolling restart',
      ratePerSecond: 2,
      readyDeadlineMs: 120_000,
      processes: Object.fromEntries(names.map((name) => [name, name.replace(/[AB]$/, '')])) as Record<Name, string>,
      env: { CROSSBOOK_CATALOG_INTERVAL_MS: '86400000', CROSSBOOK_ARBITRAGE_INTERVAL_MS: '1000' },
    })
    await eventually(
      async () => expect((await matchedClusters(cluster.postgres.url)).length).toBeGreaterThan(40),
      60_000,
    )
  }, 240_000)
  afterAll(async () => {
    truth?.stop()
    await cluster?.stop()
  }, 120_000)

  it('nothing wrong is served, and a gateway is ready at any time', async () => {
    const { processes, lab } = cluster
    const books = labVenues.flatMap((venue) =>
      [0, 1, 5].map((place) => ({ venue, marketId: openMarkets(lab, venue)[place]! })),
    )
    truth = new Truth(lab, books)
    const wrong: string[] = []
    /** When each process started; null while it is being restarted. */
    const calm = new Map<Name, number | null>(names.map((name) => [name, performance.now()]))
    const gateways = ['gatewayA', 'gatewayB'] as const
    const witnesses = gateways.map(
      (name) =>
        new Witness({
          gateway: processes[name],
          apiKey: cluster.apiKey,
          truth,
          books,
          calmSince: () => calm.get(name) ?? null,
          onWrong: (what) => wrong.push(what),
        }),
    )
    let failure: unknown = null
    const look = async (): Promise<void> => {
      const ready = await Promise.all(
        gateways.map(async (name) => {
          if (calm.get(name) === null) return false
          return (await fetch(`${processes[name].url}/ready`)).ok
        }),
      )
      if (!ready.includes(true)) wrong.push('no gateway is ready')
      for (const each of witnesses) await each.look()
    }
    const timer = setInterval(() => {
      look().catch((error: unknown) => {
        failure ??= error
      })
    }, checkMs)
    try {
      for (const name of names) {
        calm.set(name, null)
        expect(await processes[name].stop(), name).toBe(0)
        await processes[name].start()
        calm.set(name, performance.now())
        const before = witnesses.map(({ counts, seq }) => ({ fresh: counts.fresh, seq }))
        // Its peer is stopped once both gateways serve live books and the surface again.
        await eventually(() => {
          for (const [at, { counts, seq }] of witnesses.entries()) {
            expect(counts.fresh).toBeGreaterThan(before[at]!.fresh + books.length)
            expect(seq).toBeGreaterThan(before[at]!.seq)
          }
        }, 60_000)
      }
      await whilePaused(lab, async () => {
        for (const each of witnesses) await each.converges()
      })
    } finally {
      clearInterval(timer)
      for (const each of witnesses) console.info(JSON.stringify([each.counts, each.close()]))
    }
    expect(failure).toBeNull()
    expect(wrong).toEqual([])
  }, 600_000)

  it('the tape has every row once', async () => {
    await whilePaused(cluster.lab, () => {
      const receivedUntil = Date.now()
      return eventually(async () => {
        const produced = await accountOfKafka(cluster.kafka.brokers, { receivedUntil })
        const stored = await accountOfClickhouse(cluster.clickhouse.url, { receivedUntil })
        expect(produced.topOfBook.size).toBeGreaterThan(1_000)
        expect(differences(produced.topOfBook, stored.topOfBook)).toEqual([])
        expect(differences(produced.trades, stored.trades)).toEqual([])
        expect(checksum(stored.topOfBook)).toBe(checksum(produced.topOfBook))
      }, 120_000)
    })
  }, 180_000)
})
