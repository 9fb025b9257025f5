// The lab's public reads, requested as in the documentation of the venue.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'
import { getJson, type Json } from '../clients.ts'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ clock: new ManualClock(), seed: 'reads', venues: ['gemini'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())

const base = '/v1/prediction-markets/events'
const get = (path: string) => getJson(`${lab.gemini.urls.REST}${path}`)
interface Page {
  data: (Json & { ticker: string; status: string; resolvedAt: string | null; contracts: Json[] })[]
  pagination: { limit: number; offset: number; total: number }
}
const page = async (path: string) => (await get(path)).body as unknown as Page

test('pages by offset have every event once, and the total', async () => {
  const { total } = (await page(`${base}?limit=1`)).pagination
  expect(total).toBe(lab.gemini.listing.events.length)
  const seen: string[] = []
  for (let offset = 0; offset < total; offset += 7) {
    const { data } = await page(`${base}?limit=7&offset=${offset}`)
    seen.push(...data.map(({ ticker }) => ticker))
  }
  expect(seen).toEqual(lab.gemini.listing.events.map(({ ticker }) => ticker))
  expect((await page(`${base}?offset=${total}`)).data).toEqual([])
})

test('filters by status, in both spellings of its name', async () => {
  for (const name of ['status', 'status[]']) {
    const { data } = await page(`${base}?${encodeURIComponent(name)}=active&limit=500`)
    expect(new Set(data.map(({ status }) => status))).toEqual(new Set(['active']))
  }
})

test('has a separate list of recently settled events, newest first', async () => {
  const { data } = await page(`${base}/recently-settled?limit=500`)
  expect(data.length).toBeGreaterThan(0)
  expect(new Set(data.map(({ status }) => status))).toEqual(new Set(['settled']))
  const times = data.map(({ resolvedAt }) => Date.parse(resolvedAt!))
  expect(times).toEqual([...times].sort((a, b) => b - a))
})

test('a settled contract has a resolution side and no quotes, an open one has the best prices of its book', async () => {
  const { data } = await page(`${base}?limit=500`)
  const contracts = data.flatMap((event) => event.contracts)
  const settled = contracts.find(({ status }) => status === 'settled')!
  expect(settled.resolutionSide).toMatch(/^(yes|no)$/)
  expect(settled.prices).toMatchObject({ buy: {}, sell: {} })
  const open = contracts.find(({ marketState }) => marketState === 'open')!
  const truth = lab.gemini.book(String(open.instrumentSymbol))!
  expect(Number((open.prices as Json).bestBid)).toBe(truth.bids[0]![0] / 1e6)
})

test('trades are newest first, at most 500; a larger limit is rejected', async () => {
  const { symbol } = lab.gemini.listing.contracts[0]!
  const { status, body } = await get(`/v1/trades/${symbol}?limit_trades=20`)
  const rows = body as unknown as { tid: number; timestamp: number; timestampms: number; price: string; type: string }[]
  expect([status, rows.length]).toEqual([200, 20])
  expect(rows.map(({ tid }) => tid)).toEqual(rows.map(({ tid }) => tid).sort((a, b) => b - a))
  for (const { tid, timestamp, timestampms, price, type } of rows) {
    expect(String(tid)).toMatch(/^\d{16}$/)
    expect(timestamp).toBe(Math.floor(timestampms / 1_000))
    expect(price).toMatch(/^0\.\d\d$/)
    expect(type).toMatch(/^(buy|sell)$/)
  }
  expect((await get(`/v1/trades/${symbol}?limit_trades=1000`)).status).toBe(400)
  expect(await get('/v1/trades/GEMI-NOSUCH-AAA')).toMatchObject({ status: 400, body: { reason: 'InvalidSymbol' } })
})

test('a book has as many levels as requested, all of them at 0', async () => {
  const { symbol } = lab.gemini.listing.contracts.find(({ key }) => lab.gemini.engine.statusOf(key) === 'open')!
  const truth = lab.gemini.book(symbol)!
  const sides = async (query: string) => {
    const { bids, asks } = (await get(`/v1/book/${symbol}?${query}`)).body as unknown as Record<'bids' | 'asks', Json[]>
    return [bids.length, asks.length]
  }
  expect(await sides('limit_bids=0&limit_asks=0')).toEqual([truth.bids.length, truth.asks.length])
  expect(await sides('limit_bids=1&limit_asks=2')).toEqual([1, 2])
})
