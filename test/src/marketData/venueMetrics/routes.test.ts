// The route of venue metrics as specified, on real tables.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { Fault } from '#core/fault'
import { routes } from '#roles/routes'
import { metricNames } from '#schemas/venueMetrics'
import { finishRun, insertRun } from '#storage/postgres/runLog'
import { countOpenMarkets } from '#storage/postgres/venueMetrics/countOpenMarkets'
import { findLatestMetrics } from '#storage/postgres/venueMetrics/findLatestMetrics'
import { holdMetricJob, type NewMetric, writeMetrics } from '#storage/postgres/venueMetrics/jobLease'
import { createWorld } from '#test/src/server/http/world'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
const world = createWorld({
  families: { venueMetrics: true },
  venueMetrics: { findLatest: (venue) => findLatestMetrics(pg.pool, venue) },
})
const get = (query = '') => world.get(`/v1/venues/metrics${query}`)
const recordedAt = new Date('2026-11-23T12:00:00Z')

const interest = (value: number): NewMetric => ({
  metric: 'openInterest',
  value,
  unit: 'USD',
  scope: 'venue',
  read: 'GET /v2/oi',
})
const trades = (value: number): NewMetric => ({
  metric: 'tapedTrades',
  value,
  unit: 'TRADES',
  scope: 'tape',
  read: 'tape',
})

async function write(venue: string, part: 'venue' | 'tape', day: string, metric: NewMetric): Promise<void> {
  await holdMetricJob(pg.pool, venue, 'test')
  expect(await writeMetrics(pg.pool, { venue, holder: 'test', part, day, recordedAt }, [metric])).toBe(true)
}

it('before the first day is empty', async () => {
  expect((await get()).json).toEqual({ success: true, data: {}, asOf: null, provenance: { source: 'stored' } })
})

describe('of stored metrics', () => {
  beforeAll(async () => {
    await write('polymarket', 'venue', '2026-11-22', interest(1))
    await write('polymarket', 'venue', '2026-11-23', interest(0))
    await write('polymarket', 'tape', '2026-11-22', trades(5))
    await write('kalshi', 'tape', '2026-11-20', trades(9))
    // Checked, without known values.
    await holdMetricJob(pg.pool, 'xo', 'test')
  })
  const ofPolymarket = {
    openInterest: {
      value: 0,
      unit: 'USD',
      date: '2026-11-23',
      source: 'venue',
      scope: 'venue',
      read: 'GET /v2/oi',
      recordedAt: recordedAt.toISOString(),
    },
    tapedTrades: {
      value: 5,
      unit: 'TRADES',
      date: '2026-11-22',
      source: 'tape',
      scope: 'tape',
      read: 'tape',
      recordedAt: recordedAt.toISOString(),
    },
  }

  it('returns the newest day of each venue and metric, with zero as a value', async () => {
    const { json } = await get()
    expect(Object.keys(json.data)).toEqual(['kalshi', 'polymarket'])
    expect(json.data.polymarket).toEqual(ofPolymarket)
    expect(json.data.kalshi.tapedTrades.date).toBe('2026-11-20')
    expect(json.asOf).toBe(recordedAt.toISOString())
  })

  it('returns one venue in any letter case, and an empty object for one that is not tracked', async () => {
    expect((await get('?venue=Polymarket')).json.data).toEqual({ polymarket: ofPolymarket })
    for (const venue of ['xo', 'rain', 'nowhere', 'kalshi-demo', 'x'.repeat(500)])
      expect((await get(`?venue=${venue}`)).json.data, venue).toEqual({})
  })

  it('replaces a day that was written with wrong values', async () => {
    await write('polymarket', 'tape', '2026-11-22', trades(6))
    expect((await get('?venue=polymarket')).json.data.polymarket.tapedTrades.value).toBe(6)
  })

  it('reads years of days with one index lookup each', async () => {
    await pg.pool.query(
      `INSERT INTO venue_metrics SELECT 'kalshi', m, d::date, 1, 'USD', 'venue', 'venue', 'x', now()
       FROM unnest($1::text[]) AS m, generate_series('2023-01-01'::date, '2026-01-01', '1 day') AS d`,
      [metricNames],
    )
    await pg.pool.query('ANALYZE venue_metrics')
    const { rows } = await pg.pool.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF) ${await statementOf()}`
        .replaceAll('$1', "'kalshi'")
        .replaceAll('$2', `'{${metricNames}}'`),
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toMatch(/Index Scan Backward using venue_metrics_pkey/)
    expect(plan).not.toMatch(/Seq Scan on venue_metrics/)
  })
})

/** As it is sent. */
async function statementOf(): Promise<string> {
  let sent = ''
  const query = async (text: string) => {
    sent = text
    return { rows: [] }
  }
  await findLatestMetrics({ query } as never, null)
  return sent
}

describe('refuses', () => {
  it.each([
    ['?venue=smarkets', 404, 'EXCHANGE_NOT_AVAILABLE'],
    ['?venue=PREDICTIT', 404, 'EXCHANGE_NOT_AVAILABLE'],
    ['?venues=kalshi', 400, 'VALIDATION_ERROR'],
    ['?venue=kalshi&venue=xo', 400, 'VALIDATION_ERROR'],
    ['?venue=kalshi&metric=volume', 400, 'VALIDATION_ERROR'],
  ])('%s', async (query, status, code) => {
    const reply = await get(query)
    expect([reply.status, reply.json.error.code]).toEqual([status, code])
  })

  it('every caller while it is disabled, as if there were no such route', async () => {
    const { status, json } = await createWorld({ families: {} }).get('/v1/venues/metrics')
    expect([status, json.error.code]).toEqual([404, 'ROUTE_NOT_FOUND'])
  })

  it('every caller while the database is unavailable: a retryable 503', async () => {
    const away = createWorld({
      families: { venueMetrics: true },
      venueMetrics: { findLatest: () => Promise.reject(new Fault('PLATFORM_UNAVAILABLE', 'storage is not available')) },
    })
    const { status, json } = await away.get('/v1/venues/metrics')
    expect([status, json.error.retryable]).toEqual([503, true])
  })
})

const specification = fileURLToPath(new URL('../../../../../shared/spec.md', import.meta.url))
const absent = 'needs ../shared/spec.md, which is not next to this checkout'
it.skipIf(!existsSync(specification))(`matches the specification (${absent})`, () => {
  const text = readFileSync(specification, 'utf8')
  const [line] = text.match(/^- `GET \/v1\/venues\/metrics\?venue=<id>`.*$/m)!
  expect(line).toMatch(/latest stored reporting date per venue and metric/)
  expect(line).toMatch(/`venue` optional/)
  expect(line).toMatch(/untracked venue returns an empty object/)
  expect(line).toMatch(/404 where disabled/)
  expect(line).toMatch(/costs one credit/)
  const route = routes.find(({ operationId }) => operationId === 'getVenueMetrics')!
  expect(route.access).toEqual({ scope: 'read', credits: 1 })
})

describe('the catalog’s open markets', () => {
  it('are counted once a walk of the venue is complete, and not before', async () => {
    const walkedSince = new Date(Date.parse('2026-11-23T00:00:00Z'))
    const count = () => countOpenMarkets(pg.pool, 'pascal', { walkedSince })
    await pg.pool.query(
      `INSERT INTO catalog_markets (venue, id, position, tags, active, volume_rank, liquidity_rank, newest_rank, digest, doc)
       SELECT 'pascal', n::text, 0, '{}', n > 2, 0, 0, 0, '', '{}' FROM generate_series(1, 5) AS n`,
    )
    const walked = async (venue: string, ok: boolean, finishedAt: string) =>
      finishRun(pg.pool, await insertRun(pg.pool, 'ingest', 0), {
        finishedAt: Date.parse(finishedAt),
        ok,
        counts: { venue },
      })
    expect(await count()).toBeNull()
    await walked('pascal', false, '2026-11-23T01:00:00Z')
    await walked('kalshi', true, '2026-11-23T01:00:00Z')
    await walked('pascal', true, '2026-11-22T01:00:00Z')
    expect(await count()).toBeNull()
    await walked('pascal', true, '2026-11-23T01:00:00Z')
    expect(await count()).toBe(3)
  })
})
