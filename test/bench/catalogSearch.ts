// How long a search by title, and a page of a walk, take in a real PostgreSQL, as a curve over the size of the catalog: sixteen venues of 50,000 markets are its
// end. Warm, that is with the database's pages and the totals in memory; cold, with every total counted anew. Wall time, because the work is the database's.
import type { CatalogPosition } from '#catalog/catalog'
import { createPostgresCatalog } from '#catalog/postgresCatalog'
import { silentLog } from '#lib/log'
import type { MatchInput } from '#matching/input'
import type { Market } from '#schemas/market'
import { servedVenues } from '#schemas/venues'
import { createPool, type Pool } from '#storage/postgres/pool'
import { sampleEvent, sampleMarket } from '#test/src/catalog/samples'
import { startTestPostgres } from '#test/support/postgres'
import { type Bench, type BenchResult, costResult, figure } from './bench.ts'
import { crowd } from './marketCrowd.ts'
import { cpuSecondsOf } from './processCost.ts'

const sizes = [10_000, 100_000, 800_000]
/** Of a walk over all venues, a page each. */
const pages = 60
const perEvent = 5
const perWrite = 200
const warmRounds = 30
const coldRounds = 5
const venues: readonly string[] = servedVenues

/** From no hit to half of all markets, one word to three, whole words and beginnings. */
const queries = [
  'bitcoin',
  'bitcoin december',
  'will',
  'governor',
  'ohio governor',
  'republican nominee ohio',
  'maria',
  'maria kel',
  'resign',
  'united',
  'eth',
  'solana 2026 above',
  'zzz',
  'm',
  'pardoned june',
  'karl ohio',
  'price',
  'nomination texas democratic',
  '2027',
]

const rules = 'This market resolves to Yes if the official source reports the outcome named in the title. '.repeat(6)

/** The markets from one place of the crowd on, each venue's share of them. `moved`: one in ten has another volume than in the round before. */
async function fill(pool: Pool, listed: readonly MatchInput[], from: number, moved = 0): Promise<void> {
  const catalog = createPostgresCatalog(pool)
  const rowsOf = (venue: string, share: number): Market[] =>
    listed.flatMap(({ marketId, title }, i) => {
      if (i % venues.length !== share) return []
      const at = from + i
      const volume24h = at % 7 === 0 ? null : ((at * 7_919) % 1_000_003) + (at % 10 === 0 ? moved : 0)
      const more = { title, description: rules + title, sourceExchange: venue, volume24h }
      return sampleMarket(`${marketId}-${at}`, more)
    })
  for (const [share, venue] of venues.entries()) {
    const markets = rowsOf(venue, share)
    for (let first = 0; first < markets.length; first += perWrite) {
      const events = []
      for (let at = first; at < Math.min(first + perWrite, markets.length); at += perEvent)
        events.push(sampleEvent(`${from}-${at}`, markets.slice(at, at + perEvent), { sourceExchange: venue }))
      await catalog.upsertEvents(venue, events, [], 1 + moved)
    }
  }
}

async function times(pool: Pool, totalsMs: number, rounds: number): Promise<number[]> {
  const catalog = createPostgresCatalog(pool, { totalsMs })
  const taken: number[] = []
  for (let round = 0; round <= rounds; round++) {
    for (const query of queries) {
      const before = performance.now()
      await catalog.findMarkets({
        filter: { venues: venues, status: 'active', query, searchIn: 'title' },
        sort: 'volume',
        limit: 50,
      })
      if (round > 0) taken.push(performance.now() - before)
    }
  }
  return taken.sort((a, b) => a - b)
}

/** The same page as one plain statement over the wide rows: what it costs without a table for titles. */
async function plainTimes(pool: Pool): Promise<number[]> {
  const taken: number[] = []
  for (const query of queries) {
    const before = performance.now()
    await pool.query(
      `SELECT doc FROM catalog_markets WHERE active AND venue = ANY($1) AND doc->>'title' ~* ALL($2)
       ORDER BY volume_rank, venue, id LIMIT 51`,
      [venues, query.split(' ').map((word) => `\\m${word}`)],
    )
    taken.push(performance.now() - before)
  }
  return taken.sort((a, b) => a - b)
}

/** Pages of one walk behind another, after a first one that warms up. */
async function walkTimes(pool: Pool): Promise<number[]> {
  const catalog = createPostgresCatalog(pool, { totalsMs: 600_000 })
  const taken: number[] = []
  for (let walk = 0; walk < 3; walk++) {
    let after: CatalogPosition | null | undefined
    for (let page = 0; page < pages && after !== null; page++) {
      const before = performance.now()
      const place = after === undefined ? {} : { after }
      const { next } = await catalog.findMarkets({
        filter: { venues, status: 'active' },
        sort: 'volume',
        limit: 100,
        ...place,
      })
      if (walk > 0) taken.push(performance.now() - before)
      after = next
    }
  }
  return taken.sort((a, b) => a - b)
}

const at = (taken: readonly number[], share: number): number => taken[Math.floor(taken.length * share)] as number

async function curve(): Promise<BenchResult[]> {
  const server = await startTestPostgres()
  const pool = createPool({ url: await server.createDatabase(), log: silentLog, statementTimeoutMs: 600_000 })
  try {
    const { markets } = crowd(sizes.at(-1)!)
    const results: BenchResult[] = []
    for (const [n, size] of sizes.entries()) {
      const from = sizes[n - 1] ?? 0
      await fill(pool, markets.slice(from, size), from)
      await pool.query('VACUUM ANALYZE')
      const warm = await times(pool, 600_000, warmRounds)
      const cold = await times(pool, 0, coldRounds)
      const walked = await walkTimes(pool)
      const plain = await plainTimes(pool)
      const of = (what: string): string => `${what}, ${size} markets`
      const peer = 'one statement over the rows'
      results.push(
        costResult('catalog.search', of('title search p95, warm'), 'ms', at(warm, 0.95), peer, at(plain, 0.95)),
        figure('catalog.search', of('title search p50, warm'), 'ms', at(warm, 0.5)),
        figure('catalog.search', of('title search p95, every total counted anew'), 'ms', at(cold, 0.95)),
        figure('catalog.search', of('page of a walk, p95'), 'ms', at(walked, 0.95)),
        figure('catalog.search', of('page of a walk, p50'), 'ms', at(walked, 0.5)),
      )
    }
    const before = cpuSecondsOf(process.pid)
    for (const [n, size] of sizes.entries()) {
      const from = sizes[n - 1] ?? 0
      await fill(pool, markets.slice(from, size), from, 1)
    }
    const round = cpuSecondsOf(process.pid) - before
    const what = `CPU of a round of all venues, one market in ten changed, ours and the database’s, ${markets.length} markets`
    return [...results, figure('catalog.search', what, 's', round)]
  } finally {
    await pool.end()
    await server.stop()
  }
}

export const benches: readonly Bench[] = [{ name: 'catalog.search', run: curve }]
