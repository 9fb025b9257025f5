// The lab's reads, requested as in the documentation of the venue, and rows compared with recorded ones, key by key.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'
import { category, matches, orderbook } from '#test/src/venues/predictfun/fixtures/recorded'
import { getJson, type Json } from '../clients.ts'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ clock: new ManualClock(), seed: 'reads', venues: ['predictfun'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())

const get = (path: string, key = lab.predictfun.credentials.API_KEY) =>
  getJson(`${lab.predictfun.urls.REST}/v1${path}`, { 'x-api-key': key })
interface Page {
  cursor: string | null
  data: Json[]
}
const page = async (path: string) => (await get(path)).body as unknown as Page
async function all(path: string): Promise<Json[]> {
  const rows: Json[] = []
  for (let after: string | null = ''; after !== null; ) {
    const found: Page = await page(`${path}&after=${after}`)
    rows.push(...found.data)
    after = found.cursor
  }
  return rows
}
const keysOf = (row: unknown) => Object.keys(row as object).sort()

test('rejects every request without the key', async () => {
  expect(await get('/categories', 'x')).toMatchObject({ status: 401, body: { success: false, error: 'unauthorized' } })
  expect((await getJson(`${lab.predictfun.urls.REST}/v1/categories`)).status).toBe(401)
})

test('cursors lead to the end of every list, in either order, of either state', async () => {
  const { categories } = lab.predictfun.listing
  const slugs = (rows: Json[]) => rows.map(({ slug }) => slug)
  expect(slugs(await all('/categories?first=7'))).toEqual(categories.map(({ slug }) => slug))
  const latest = await all('/categories?first=100&sort=PUBLISHED_AT_DESC&status=OPEN')
  const over = await all('/categories?first=100&status=RESOLVED')
  expect(latest.length + over.length).toBe(categories.length)
  expect(over.length).toBeGreaterThan(0)
  expect(slugs(latest)[0]).not.toBe(categories[0]!.slug)
  expect((await get('/categories?first=101')).status).toBe(400)
})

test('rows have the keys of recorded ones, and statistics only on request', async () => {
  const [row] = (await page('/categories?first=1')).data as [Json & { markets: (Json & { outcomes: Json[] })[] }]
  const recorded = category()
  expect(keysOf(row)).toEqual(keysOf(recorded))
  expect(keysOf(row.markets[0])).toEqual(keysOf(recorded.markets[0]))
  expect(keysOf(row.markets[0]!.outcomes[0])).toEqual(keysOf(recorded.markets[0]!.outcomes[0]))
  expect(row.stats).toBeNull()
  const withStats = (await get(`/markets/${row.markets[0]!.id}?includeStats=true`)).body.data as Json
  expect(withStats.stats).toMatchObject({ volume24hUsd: expect.any(Number), volumeTotalUsd: expect.any(Number) })
  const book = (await get(`/markets/${row.markets[0]!.id}/orderbook`)).body.data
  expect(keysOf(book)).toEqual(keysOf(orderbook().data))
})

test('matches have both ways to sell, newest first, with the keys of recorded ones', async () => {
  const [market] = lab.predictfun.listing.markets
  interface Match extends Json {
    executedAt: string
    settlementId: string
    priceExecuted: string
    taker: { quoteType: string; outcome: { indexSet: number }; price: string }
  }
  const rows = (await all(`/orders/matches?marketId=${market!.id}&first=25`)) as Match[]
  expect(keysOf(rows[0])).toEqual(keysOf(matches().data[0]))
  expect(keysOf(rows[0]!.taker)).toEqual(keysOf(matches().data[0]!.taker))
  const ways = new Set(rows.map(({ taker }) => `${taker.quoteType} ${taker.outcome.indexSet}`))
  expect(ways).toEqual(new Set(['Bid 1', 'Ask 1', 'Bid 2']))
  const times = rows.map(({ executedAt }) => executedAt)
  expect(times).toEqual(times.toSorted().toReversed())
  expect(new Set(rows.map(({ settlementId }) => settlementId)).size).toBe(rows.length)
})

test('rejects unknown ids with the errors of the venue', async () => {
  for (const path of ['/markets/9', '/markets/9/orderbook', '/categories/nobody', '/orders/matches?marketId=9']) {
    expect(await get(path)).toMatchObject({ status: 404, body: { success: false, error: 'not_found' } })
  }
})
