// Cost of a search by title, and of one page of a listing, in a real PostgreSQL, as a curve over the size of the catalog up to sixteen
// venues of 50,000 markets. CPU time, ours and the database's, which is the latency on an otherwise idle machine. Warm: the database's
// pages and the totals are in memory. Cold: every total is counted again.
import { readFileSync } from 'node:fs'
import { silentLog } from '#core/log'
import type { CatalogPosition } from '#marketData/catalog/catalog'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import type { MatchInput } from '#matching/read/input'
import type { Market } from '#schemas/market'
import { servedVenues } from '#schemas/venues'
import { createPool, type Pool } from '#storage/postgres/pool'
import { descendantsOf } from '#test/endToEnd/process/program'
import { sampleEvent, sampleMarket } from '#test/src/marketData/catalog/samples'
import { startTestPostgres } from '#test/support/postgres'
import { type Bench, type BenchResult, costResult, figure, fullOrShort, isShort } from './bench.ts'
import { cpuSecondsOf } from './processCost.ts'
import { generateMarkets } from './syntheticMarkets.ts'

const sizes = isShort ? [400] : [10_000, 100_000, 800_000]
/** Pages of a listing of all venues. */
const pages = fullOrShort(60, 3)
/** Over those pages. The first one warms up. */
const walks = fullOrShort(3, 2)
const perEvent = 5
const perWrite = 200
const warmRounds = fullOrShort(30, 1)
const coldRounds = fullOrShort(5, 1)
const venues: readonly string[] = servedVenues

/** From no hit to half of all markets, one to three words, whole words and prefixes. */
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

/** Each venue's share of the markets. `moved`: one in ten has a different volume than in the previous round. */
async function fill(pool: Pool, listed: readonly MatchInput[], moved = 0): Promise<void> {
  const catalog = createPostgresCatalog(pool)
  const rowsOf = (venue: string, share: number): Market[] =>
    listed.flatMap(({ marketId, title }, at) => {
      if (at % venues.length !== share) return []
      const volume24h = at % 7 === 0 ? null : ((at * 7_919) % 1_000_003) + (at % 10 === 0 ? moved : 0)
      const more = { title, description: rules + title, sourceExchange: venue, volume24h }
      return sampleMarket(`${marketId}-${at}`, more)
    })
  for (const [share, venue] of venues.entries()) {
    const markets = rowsOf(venue, share)
    for (let first = 0; first < markets.length; first += perWrite) {
      const events = []
      for (let at = first; at < Math.min(first + perWrite, markets.length); at += perEvent)
        events.push(sampleEvent(`event-${at}`, markets.slice(at, at + perEvent), { sourceExchange: venue }))
      await catalog.upsertEvents(venue, events, [], 1 + moved)
    }
  }
}

/** CPU milliseconds of one piece of work, ours and the database's. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const [before, own] = [databaseNs(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(own)
  return (databaseNs() - before) / 1e6 + (user + system) / 1e3
}

/** Of every server process that we started. Linux reports nanoseconds here. */
function databaseNs(): number {
  let sum = 0
  for (const pid of descendantsOf(process.pid)) {
    try {
      sum += Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0])
    } catch {
      // The process ended in the meantime.
    }
  }
  return sum
}

async function times(pool: Pool, totalsMs: number, rounds: number): Promise<number[]> {
  const catalog = createPostgresCatalog(pool, { totalsMs })
  const filter = { venues, status: 'active', searchIn: 'title' } as const
  const taken: number[] = []
  for (let round = 0; round <= rounds; round++) {
    for (const query of queries) {
      const ms = await timed(() => catalog.findMarkets({ filter: { ...filter, query }, sort: 'volume', limit: 50 }))
      if (round > 0) taken.push(ms)
    }
  }
  return sorted(taken)
}

/** The same page as one plain statement over the wide rows: its cost without a table for titles. */
async function plainTimes(pool: Pool): Promise<number[]> {
  const taken: number[] = []
  for (const query of queries) {
    const words = query.split(' ').map((word) => `\\m${word}`)
    const ask = () =>
      pool.query(
        `SELECT doc FROM catalog_markets WHERE active AND venue = ANY($1) AND doc->>'title' ~* ALL($2)
         ORDER BY volume_rank, venue, id LIMIT 51`,
        [venues, words],
      )
    taken.push(await timed(ask))
  }
  return sorted(taken)
}

/** Consecutive pages of one listing, after a first one that warms up. */
async function walkTimes(pool: Pool): Promise<number[]> {
  const catalog = createPostgresCatalog(pool, { totalsMs: 600_000 })
  const filter = { venues, status: 'active' } as const
  const taken: number[] = []
  for (let walk = 0; walk < walks; walk++) {
    let after: CatalogPosition | null | undefined
    for (let page = 0; page < pages && after !== null; page++) {
      const place = after === undefined ? {} : { after }
      const ms = await timed(async () => {
        const found = await catalog.findMarkets({ filter, sort: 'volume', limit: 100, ...place })
        after = found.next
      })
      if (walk > 0) taken.push(ms)
    }
  }
  return sorted(taken)
}

const sorted = (taken: readonly number[]): number[] => taken.toSorted((a, b) => a - b)
const at = (taken: readonly number[], share: number): number => taken[Math.floor(taken.length * share)] as number

async function measure(pool: Pool, bench: string): Promise<BenchResult[]> {
  await pool.query('VACUUM ANALYZE')
  const warm = await times(pool, 600_000, warmRounds)
  const cold = await times(pool, 0, coldRounds)
  const walked = await walkTimes(pool)
  const plain = await plainTimes(pool)
  const peer = 'one statement over the rows'
  return [
    costResult(bench, 'title search p95, warm', 'ms', at(warm, 0.95), peer, at(plain, 0.95)),
    figure(bench, 'title search p50, warm', 'ms', at(warm, 0.5)),
    figure(bench, 'title search p95, every total counted again', 'ms', at(cold, 0.95)),
    figure(bench, 'page of a listing, p95', 'ms', at(walked, 0.95)),
    figure(bench, 'page of a listing, p50', 'ms', at(walked, 0.5)),
  ]
}

async function atSize(bench: string, size: number): Promise<BenchResult[]> {
  const server = await startTestPostgres()
  const url = await server.createDatabase()
  const pool = createPool({ url, log: silentLog, statementTimeoutMs: 600_000 })
  try {
    const { markets } = generateMarkets(size)
    await fill(pool, markets)
    const results = await measure(pool, bench)
    const before = cpuSecondsOf(process.pid)
    await fill(pool, markets, 1)
    const round = cpuSecondsOf(process.pid) - before
    const what = 'CPU of an ingest of all venues, one market in ten changed, ours and the database’s'
    return [...results, figure(bench, what, 's', round)]
  } finally {
    await pool.end()
    await server.stop()
  }
}

export const benches: readonly Bench[] = sizes.map((size) => {
  const name = `catalog.search.${size}`
  return { name, run: () => atSize(name, size) }
})
