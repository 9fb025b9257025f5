// How long a search by title takes among 200,000 markets of five venues in a real PostgreSQL: warm, that is with the database's pages and the
// totals in memory, and cold, with every total counted anew. Wall time, because the work is the database's.
import { createPostgresCatalog } from '#catalog/postgresCatalog'
import { silentLog } from '#lib/log'
import { createPool, type Pool } from '#storage/postgres/pool'
import { sampleEvent, sampleMarket } from '#test/src/catalog/samples'
import { startTestPostgres } from '#test/support/postgres'
import { type Bench, type BenchResult, costResult, figure } from './bench.ts'
import { crowd } from './marketCrowd.ts'

const size = 200_000
const perEvent = 5
const perWrite = 200
const rounds = 30
const venues: Readonly<Record<string, string>> = {
  north: 'polymarket',
  south: 'kalshi',
  east: 'opinion',
  west: 'limitless',
  centre: 'gemini',
}

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

async function fill(pool: Pool): Promise<void> {
  const catalog = createPostgresCatalog(pool)
  const rules = 'This market resolves to Yes if the official source reports the outcome named in the title. '.repeat(6)
  const byVenue = Map.groupBy(crowd(size).markets, ({ venue }) => venues[venue] as string)
  let at = 0
  for (const [venue, listed] of byVenue) {
    const markets = listed.map(({ marketId, title }) => {
      at++
      return sampleMarket(marketId, {
        title,
        description: rules + title,
        sourceExchange: venue,
        volume24h: at % 7 === 0 ? null : (at * 7_919) % 1_000_003,
      })
    })
    for (let from = 0; from < markets.length; from += perWrite) {
      const events = []
      for (let first = from; first < Math.min(from + perWrite, markets.length); first += perEvent)
        events.push(sampleEvent(`${venue}-${first}`, markets.slice(first, first + perEvent), { sourceExchange: venue }))
      await catalog.upsertEvents(venue, events, [], 1)
    }
  }
  await pool.query('VACUUM ANALYZE')
}

async function times(pool: Pool, totalsMs: number): Promise<number[]> {
  const catalog = createPostgresCatalog(pool, { totalsMs })
  const taken: number[] = []
  for (let round = 0; round <= rounds; round++) {
    for (const query of queries) {
      const before = performance.now()
      await catalog.findMarkets({
        filter: { venues: Object.values(venues), status: 'active', query, searchIn: 'title' },
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
      [Object.values(venues), query.split(' ').map((word) => `\\m${word}`)],
    )
    taken.push(performance.now() - before)
  }
  return taken.sort((a, b) => a - b)
}

async function search(): Promise<BenchResult[]> {
  const server = await startTestPostgres()
  const pool = createPool({ url: await server.createDatabase(), log: silentLog, statementTimeoutMs: 600_000 })
  try {
    await fill(pool)
    const warm = await times(pool, 600_000)
    const cold = await times(pool, 0)
    const plain = await plainTimes(pool)
    const at = (taken: readonly number[], share: number): number => taken[Math.floor(taken.length * share)] as number
    const peer = 'one statement over the rows'
    return [
      costResult('catalog.search', 'title search p95, warm', 'ms', at(warm, 0.95), peer, at(plain, 0.95)),
      figure('catalog.search', 'title search p50, warm', 'ms', at(warm, 0.5)),
      figure('catalog.search', 'title search p95, every total counted anew', 'ms', at(cold, 0.95)),
    ]
  } finally {
    await pool.end()
    await server.stop()
  }
}

export const benches: readonly Bench[] = [{ name: 'catalog.search', run: search }]
