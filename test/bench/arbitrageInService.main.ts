// The process of arbitrageInService.ts: the compute role as it runs next to a gateway. It loads a matcher run of 5,000 clusters from a real
// PostgreSQL, then a second one that changes a tenth of them, while books arrive and HTTP reads are answered. Measures how long its main
// thread is blocked, compared with an idle thread.
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { start } from '#actors/system'
import { surfaceReads } from '#arbitrage/surfaceView'
import { systemClock, type Timer } from '#core/clock'
import { silentLog } from '#core/log'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { runCompute } from '#roles/computeRole'
import { createMetrics } from '#roles/metrics'
import { createLocalBus } from '#storage/bus/local'
import { latestRunId, readClusters } from '#storage/postgres/matching/index'
import { createPool, type Pool } from '#storage/postgres/pool'
import { sampleEvent, sampleMarket, sampleOutcome } from '#test/src/marketData/catalog/samples'
import { startTestPostgres } from '#test/support/postgres'
import { registry } from '#venues/registry'
import type { VenueContext } from '#venues/venueContext'
import { type BenchResult, costResult, figure, fullOrShort } from './bench.ts'

const clusters = fullOrShort(5_000, 100)
const settleMs = fullOrShort(1_000, 200)
/** Long enough that the second run is noticed and loaded. */
const secondRunMs = fullOrShort(6_000, 3_000)
const perWrite = 200
const venues = ['polymarket', 'kalshi', 'gemini', 'hyperliquid', 'polymarket_us'] as const
const rules = 'This market resolves to Yes if the official source reports the outcome named in the title. '.repeat(6)
/** Two to five venues, three on average. */
const venuesOf = (i: number): readonly string[] => venues.slice(0, i % 10 === 0 ? 5 : 2 + (i % 3))
const marketIdOf = (venue: string, i: number): string =>
  venue === 'kalshi' ? `KXBENCH-26DEC31-T${i}` : venue === 'hyperliquid' ? String(i) : `${venue}-${i}`

/** Ids in the form the venues use; Polymarket's have 77 digits. */
function outcomeIds(venue: string, i: number): [string, string] {
  const marketId = marketIdOf(venue, i)
  if (venue === 'polymarket') return [`${i}1`.padStart(77, '7'), `${i}2`.padStart(77, '7')]
  if (venue === 'kalshi') return [marketId, `${marketId}-NO`]
  if (venue === 'polymarket_us') return [`${marketId}:long`, `${marketId}:short`]
  return [`${marketId}:yes`, `${marketId}:no`]
}

async function fill(pool: Pool): Promise<void> {
  const catalog = createPostgresCatalog(pool)
  for (const venue of venues) {
    const markets = Array.from({ length: clusters }, (_, i) => i)
      .filter((i) => venuesOf(i).includes(venue))
      .map((i) => {
        const marketId = marketIdOf(venue, i)
        const outcomes = outcomeIds(venue, i).map((outcomeId, no) =>
          sampleOutcome(marketId, no === 0 ? 'Yes' : 'No', { outcomeId }),
        )
        return sampleMarket(marketId, { outcomes, sourceExchange: venue, description: rules, title: `Will ${i} win?` })
      })
    for (let from = 0; from < markets.length; from += perWrite) {
      const some = markets.slice(from, from + perWrite)
      await catalog.upsertEvents(venue, [sampleEvent(`${venue}-${from}`, some, { sourceExchange: venue })], [], 1)
    }
  }
  const members = Array.from({ length: clusters }, (_, i) =>
    venuesOf(i).map((venue, position) => ({ venue, market_id: marketIdOf(venue, i), cluster_id: `c${i}`, position })),
  )
  const pairs = members.flatMap((of) =>
    of.flatMap((a, at) =>
      of.slice(at + 1).map((b) => {
        const [first, second] = a.venue < b.venue ? [a, b] : [b, a]
        return {
          a_venue: first.venue,
          a_market_id: first.market_id,
          b_venue: second.venue,
          b_market_id: second.market_id,
          cluster_id: a.cluster_id,
        }
      }),
    ),
  )
  await pool.query(
    `INSERT INTO match_clusters (id, question, digest)
     SELECT 'c' || i, 'Will candidate ' || i || ' win the general election of 2028 in the state of their residence?', '' FROM generate_series(0, $1::int - 1) i`,
    [clusters],
  )
  await pool.query(
    `INSERT INTO match_members (venue, market_id, cluster_id, position, polarity)
     SELECT venue, market_id, cluster_id, position, 'same'
     FROM jsonb_to_recordset($1) AS m (venue text, market_id text, cluster_id text, position smallint)`,
    [JSON.stringify(members.flat())],
  )
  await pool.query(
    `INSERT INTO match_pairs (a_venue, a_market_id, b_venue, b_market_id, cluster_id, score, band, polarity, relation, differences, resolution, resolution_equivalence, digest)
     SELECT a_venue, a_market_id, b_venue, b_market_id, cluster_id, 96, 'verified', 'same', 'identity',
            '[{"kind":"cutoff","detail":"closes two hours later","points":4}]', '{"compatible":true,"reason":"same source","auditReasons":[]}', 'verified', ''
     FROM jsonb_to_recordset($1) AS p (a_venue text, a_market_id text, b_venue text, b_market_id text, cluster_id text)`,
    [JSON.stringify(pairs)],
  )
  await pool.query('INSERT INTO match_state (run_id, override_id, finished_at) VALUES (1, 0, now())')
  await pool.query('VACUUM ANALYZE')
}

/** Longer than the resolution of the delay monitor, so that an earlier pause is counted. */
const aMoment = 5
const pause = (ms: number): Promise<void> => new Promise((resume) => systemClock.after(ms, resume))

async function run(): Promise<BenchResult[]> {
  const postgres = await startTestPostgres()
  const pool = createPool({ url: await postgres.createDatabase(), log: silentLog })
  const idle = new Worker(new URL('./idle.worker.ts', import.meta.url))
  const idleMs = async (): Promise<number> => {
    idle.postMessage('since when')
    return ((await once(idle, 'message')) as [number])[0]
  }
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const bus = createLocalBus({
    onError: (error) => {
      throw error
    },
  })
  let compute: Awaited<ReturnType<typeof runCompute>> | null = null
  let feeding: Timer | null = null
  let changing: Timer | null = null
  let reporting: Timer | null = null
  try {
    await fill(pool)
    let seq = 0
    const epoch = systemClock.now()
    const publish = (venue: string, marketId: string): void => {
      const now = systemClock.now()
      const bid = 20 + (seq % 50)
      const levels = (first: number, step: number) =>
        Array.from(
          { length: 13 },
          (_, i) => `{"price":${((first + i * step) / 100).toFixed(2)},"size":${500 + i}}`,
        ).join()
      bus.publish('books', `${venue}:${marketId}`, {
        venue: venue as never,
        marketId,
        state: 'live',
        seq: ++seq,
        epoch,
        eventTs: now,
        recvTs: now,
        core: Buffer.from(`{"bids":[${levels(bid, -1)}],"asks":[${levels(bid + 1, 1)}],"timestamp":${now}`),
        lastTradeMicros: null,
      })
    }
    // Acts as a venue that answers demand with books, 25 per tick: 12,500 per second.
    const demands: { venue: string; marketIds: readonly string[]; at: number }[] = []
    const watchedIds = new Set<string>()
    await bus.subscribe('demand', ({ venue, marketIds }) => demands.push({ venue, marketIds, at: 0 }))
    feeding = systemClock.every(2, () => {
      const demand = demands[0]
      if (demand === undefined) return
      for (
        let published = 0, looked = 0;
        published < 25 && looked++ < 500 && demand.at < demand.marketIds.length;
        demand.at++
      ) {
        const id = demand.marketIds[demand.at]!
        const name = `${demand.venue} ${id}`
        if (watchedIds.has(name)) continue
        watchedIds.add(name)
        publish(demand.venue, id)
        published++
      }
      if (demand.at === demand.marketIds.length) demands.shift()
    })
    reporting = systemClock.every(1_000, () => {
      for (const venue of venues) {
        const at = systemClock.now()
        bus.publish('health', venue, {
          ...{ venue, epoch, connection: 'connected', lastMessageAt: at, lagMs: null, reason: null, at },
          ...{
            watchedBooks: 0,
            staleBooks: 0,
            sockets: 1,
            legProofMs: 60_000,
            provenWithinMs: null,
            oldestProofMs: null,
          },
        })
      }
    })
    await idleMs()
    delay.enable()
    await pause(aMoment)
    const role = await runCompute({
      actors: start(),
      config: {
        gatewayId: 'bench',
        arbitrage: { enabled: true, intervalMs: 100, contracts: 100, slots: 40_000 },
      } as never,
      bus,
      busMode: 'memory' as never,
      pool,
      // The bench measures the two-leg surface only, so there are no relations to search.
      relations: { latestRunId: async () => null, readRelations: async () => ({ runId: null, relations: [] }) },
      venues: venues.map((slug) => ({
        manifest: registry[slug as keyof typeof registry]!,
        context: {} as VenueContext,
      })),
      matches: { latestRunId, readClusters },
      metrics: createMetrics(),
      clock: systemClock,
      log: silentLog,
    })
    compute = role
    // Code is compiled and threads are created once, before anything is served; the run's clusters arrive after this.
    await pause(aMoment)
    const started = { ours: delay.max / 1e6, idle: await idleMs() }
    delay.reset()
    const reads = surfaceReads(role.view!)
    const rows = (): number => role.view!.rows()?.rows.count ?? 0
    while (rows() < clusters || demands.length > 0) await pause(20)
    await pause(settleMs)
    const taken = { ours: delay.max / 1e6, idle: await idleMs() }
    delay.reset()
    await pool.query(
      `UPDATE match_pairs SET score = 95, differences = '[{"kind":"cutoff","detail":"closes five hours later","points":5}]' WHERE cluster_id LIKE '%7'`,
    )
    await pool.query('UPDATE match_state SET run_id = 2')
    changing = systemClock.every(10, () => {
      for (let i = 0; i < 10; i++) publish('polymarket', `${(seq * 7) % clusters}1`.padStart(77, '7'))
    })
    const until = performance.now() + secondRunMs
    let answered = 0
    while (performance.now() < until) {
      const found = await reads.read(answered % 2 === 0 ? undefined : 250, { limit: 1_000 })
      if (found.rows.length === 1_000) answered++
      await pause(100)
    }
    const changed = { ours: delay.max / 1e6, idle: await idleMs() }
    const stall = (when: string, { ours, idle: other }: typeof taken) =>
      costResult(
        'arbitrage.service',
        `longest main-loop stall ${when}`,
        'ms',
        ours,
        'an idle thread in the same time',
        other,
      )
    return [
      figure('arbitrage.service', 'rows', 'rows', rows()),
      figure('arbitrage.service', 'books watched', 'books', watchedIds.size),
      figure('arbitrage.service', 'reads of 1,000 rows answered', 'reads', answered),
      stall('while the role starts, before anything is served', started),
      stall('while a first run of 5,000 clusters and their books are loaded', taken),
      stall('while a second run is loaded, 1,000 books a second change, and rows are read', changed),
      figure('arbitrage.service', 'books published', 'books', seq),
    ]
  } finally {
    delay.disable()
    feeding?.cancel()
    changing?.cancel()
    reporting?.cancel()
    await compute?.stop()
    await idle.terminate()
    await pool.end()
    await postgres.stop()
  }
}

process.send!(await run())
process.disconnect()
