// PostgreSQL and ClickHouse stopped in turn behind a running program: it stays ready and names the missing store, serves what does not need
// it, and every other response is a retryable 503 whose code and message name the store.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '#config'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { type Lab, startLab } from '#lab/lab'
import { createKey } from '#platform/auth/keys'
import { type Crossbook, startCrossbook } from '#roles/crossbook'
import { ask, eventually, type Reply, type Served } from '#test/support/cluster/client'
import { labEnvironment } from '#test/support/cluster/labEnvironment'
import { openMarkets } from '#test/support/cluster/labTruth'
import { startClickhouse, startPostgres, type TestStore } from '#test/support/cluster/stores'

let lab: Lab
let stores: Record<'postgres' | 'clickhouse', TestStore>
let crossbook: Crossbook
let served: Served
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'crossbook-away-'))
  const [startedLab, postgres, clickhouse] = await Promise.all([
    startLab({ seed: 'away', ratePerSecond: 4 }),
    startPostgres(),
    startClickhouse(),
  ])
  lab = startedLab
  stores = { postgres, clickhouse }
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    CLICKHOUSE_URL: clickhouse.url,
    CROSSBOOK_PINNED_MARKETS: '2',
    CROSSBOOK_WEBHOOKS: 'true',
    CROSSBOOK_CONDITIONAL: 'true',
    CROSSBOOK_TRADERS: 'true',
    CROSSBOOK_VENUE_METRICS: 'true',
    ...labEnvironment(lab),
  })
  crossbook = await startCrossbook(config, { clock: systemClock, log: silentLog })
  await crossbook.ready
  const { apiKey } = await createKey(crossbook.pool!, {
    account: 'away',
    plan: 'enterprise',
    scopes: ['read', 'trade', 'admin'],
  })
  served = { url: crossbook.url!, stream: '', apiKey }
  await eventually(async () => {
    for (const { path } of routeCases()) expect((await ask(served, path)).status, path).toBeLessThan(500)
  }, 60_000)
}, 180_000)

afterAll(async () => {
  await crossbook?.stop()
  await lab?.stop()
  for (const store of Object.values(stores ?? {})) await store.stop()
  await rm(dataDir, { recursive: true, force: true })
}, 60_000)

interface RouteCase {
  path: string
  /** The code while that store is down; null: served all the same. */
  postgres: string | null
  clickhouse: string | null
}

const id = '00000000-0000-4000-8000-000000000000'

function routeCases(): RouteCase[] {
  const market = openMarkets(lab, 'kalshi')[0]!
  const other = openMarkets(lab, 'polymarket')[0]!
  const now = Date.now()
  const window = `since=${now - 60_000}&until=${now}`
  const anyway = (path: string): RouteCase => ({ path, postgres: null, clickhouse: null })
  const needs = (store: 'postgres' | 'clickhouse', code: string, ...paths: string[]): RouteCase[] =>
    paths.map((path) => ({ ...anyway(path), [store]: code }))
  return [
    ...['/v1/status', '/v1/venues', '/v1/exec/venues', '/v1/history/files', '/v1/arbitrage/structures'].map(anyway),
    ...[`fetchOrderBook?outcomeId=${market}`, `fetchOrderBooks?outcomeIds=${market}`, 'has'].map((verb) =>
      anyway(`/api/kalshi/${verb}`),
    ),
    ...needs(
      'postgres',
      'CATALOG_UNAVAILABLE',
      ...['loadMarkets', 'fetchMarkets', 'fetchMarketsPaginated', 'fetchEvents', 'fetchEventsPaginated', 'fetchSeries'],
      ...['fetchMarkets?query=will', `fetchMarket?marketId=${market}`, 'fetchEvent?eventId=unknown'],
      ...[`fetchTrades?outcomeId=${market}`, `fetchOHLCV?outcomeId=${market}&resolution=1h`],
    ).map((route) => ({ ...route, path: `/api/kalshi/${route.path}` })),
    ...needs('postgres', 'CATALOG_UNAVAILABLE', `/v1/traders/polymarket/markets/${other}/trades`),
    ...needs('postgres', 'MATCHES_UNAVAILABLE', '/api/router/fetchMatchedMarkets', '/api/router/fetchMatchedPrices'),
    ...needs('postgres', 'PLATFORM_UNAVAILABLE', '/v1/account', '/v1/account/usage', '/v1/account/keys'),
    ...needs('postgres', 'PLATFORM_UNAVAILABLE', '/v1/webhooks', `/v1/webhooks/${id}/deliveries`, '/v1/venues/metrics'),
    ...needs('postgres', 'EXEC_UNAVAILABLE', '/v1/exec/executions', `/v1/exec/executions/${id}`, '/v1/exec/halt'),
    ...needs('postgres', 'EXEC_UNAVAILABLE', '/v1/exec/orders', '/v1/exec/orders/in-doubt'),
    ...needs('postgres', 'EXEC_UNAVAILABLE', '/v1/exec/risk-limits', '/v1/admin/risk-limits'),
    ...needs('postgres', 'EXEC_UNAVAILABLE', '/v1/exec/conditional', `/v1/exec/conditional/${id}`),
    ...needs(
      'clickhouse',
      'HISTORY_UNAVAILABLE',
      ...['ndjson', 'csv', 'parquet'].map(
        (format) => `/v1/history/replay?venue=kalshi&outcomeId=${market}&kind=tob&${window}&format=${format}`,
      ),
      `/v1/history/arbitrage?${window}`,
      '/v1/history/coverage?venue=kalshi',
      `/v1/history/coverage?venue=kalshi&outcomeId=${market}`,
      `/api/kalshi/fetchOrderBook?outcomeId=${market}&since=${now - 1_000}`,
      `/v1/traders/polymarket/wallets/0x${'1'.repeat(40)}`,
      `/v1/traders/polymarket/wallets/0x${'1'.repeat(40)}/trades`,
    ),
  ]
}

const nameOf = { postgres: 'PostgreSQL', clickhouse: 'ClickHouse' } as const
const degraded = async (): Promise<unknown> => {
  const { status, body } = await ask(served, '/ready')
  expect(status).toBe(200)
  return (body.data as { degraded: string[] }).degraded
}
const statusAndCode = ({ status, body }: Reply) => [status, body.error?.code ?? null]

it.each(['postgres', 'clickhouse'] as const)(
  '%s unavailable',
  async (store) => {
    await eventually(async () => expect(await degraded()).toEqual([]))
    await stores[store].down()
    try {
      await eventually(async () => expect(await degraded()).toEqual([store]))
      const { body } = await ask(served, '/v1/status')
      expect((body.data as { dependencies: object }).dependencies).toMatchObject({ [store]: false })
      const { text } = await ask(served, '/metrics')
      expect(text).toContain(`crossbook_dependency_up{dependency="${store}"} 0\n`)
      for (const { path, [store]: code } of routeCases()) {
        const reply = await ask(served, path)
        if (code === null) expect(reply.status, `${path}: ${reply.text.slice(0, 200)}`).toBeLessThan(500)
        else {
          expect(statusAndCode(reply), path).toEqual([503, code])
          expect(reply.body.error, path).toMatchObject({
            retryable: true,
            message: expect.stringContaining(nameOf[store]),
          })
        }
      }
      const unknown = await ask({ ...served, apiKey: served.apiKey.replace(/.{4}$/, '0000') }, '/v1/status')
      expect(statusAndCode(unknown)).toEqual(
        store === 'postgres' ? [503, 'PLATFORM_UNAVAILABLE'] : [401, 'UNAUTHORIZED'],
      )
    } finally {
      await stores[store].up()
    }
    await eventually(async () => expect(await degraded()).toEqual([]))
    await eventually(async () => {
      for (const { path } of routeCases()) expect((await ask(served, path)).status, path).toBeLessThan(500)
    }, 60_000)
  },
  180_000,
)

it('a restart of ClickHouse during reads causes 503 or a cut response, never 500', async () => {
  const paths = routeCases().flatMap(({ path, clickhouse }) => (clickhouse === null ? [] : [path]))
  const seen = new Map<string, number>()
  let isOver = false
  const read = async (path: string): Promise<void> => {
    while (!isOver) {
      // A page that has begun is cut off, so the client sees it is incomplete.
      const reply = await ask(served, path).catch(() => null)
      const key = reply === null ? 'cut' : statusAndCode(reply).join(' ')
      seen.set(key, (seen.get(key) ?? 0) + 1)
    }
  }
  const readers = paths.map(read)
  for (let n = 0; n < 3; n++) {
    const answered = seen.get('200 ') ?? 0
    await eventually(() => expect(seen.get('200 ') ?? 0).toBeGreaterThan(answered + paths.length))
    await stores.clickhouse.down()
    const refused = seen.get('503 HISTORY_UNAVAILABLE') ?? 0
    await eventually(() => expect(seen.get('503 HISTORY_UNAVAILABLE') ?? 0).toBeGreaterThan(refused + paths.length))
    await stores.clickhouse.up()
  }
  isOver = true
  await Promise.all(readers)
  const statuses = new Set([...seen.keys()].filter((key) => key !== 'cut' && !key.startsWith('404')))
  expect(statuses, JSON.stringify([...seen])).toEqual(new Set(['200 ', '503 HISTORY_UNAVAILABLE']))
}, 180_000)
