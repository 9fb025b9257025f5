// The lab's rows compared with recorded ones, key by key.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'
import { getJson } from '../clients.ts'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ clock: new ManualClock(), seed: 'rows', venues: ['limitless'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())

type Row = Record<string, unknown>
const recorded = (name: string): Row => {
  const path = new URL(`../../src/venues/limitless/fixtures/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(fileURLToPath(path), 'utf8')) as Row
}
const get = async (path: string): Promise<Row> => (await getJson(`${lab.limitless.urls.REST}${path}`)).body as Row
const open = () => lab.limitless.listing.markets.filter(({ key }) => lab.limitless.engine.statusOf(key) === 'open')
const keysOf = (row: Row, without: readonly string[] = []) =>
  Object.keys(row)
    .filter((key) => !without.includes(key))
    .sort()

/** Added by the venue after the recording, or only in settled rows. */
const later = ['payoutNumerators', 'priceOracleMetadata', 'orderInGroup']

test('a market with a book', async () => {
  const market = open().find(({ pool, event }) => pool === null && !event.isGroup)!
  expect(keysOf(await get(`/markets/${market.slug}`), later)).toEqual(keysOf(recorded('market')))
})

test('a pool, by its slug and by its address', async () => {
  const { slug, pool } = open().find((market) => market.pool !== null)!
  const row = await get(`/markets/${slug}`)
  const missing = keysOf(recorded('pool'), ['feedEvents']).filter((key) => !(key in row))
  expect(missing).toEqual([])
  const [yes, no] = row.prices as [number, number]
  expect(yes + no).toBeCloseTo(100, 9)
  expect(await get(`/markets/${pool}`)).toEqual(row)
})

test('a book and its trades', async () => {
  const { slug, tokens } = open().find(({ pool }) => pool === null)!
  const book = await get(`/markets/${slug}/orderbook`)
  expect(keysOf(book)).toEqual(keysOf(recorded('orderbook')))
  const [level] = book.bids as Row[]
  expect(keysOf(level!)).toEqual(['price', 'side', 'size'])
  const page = await get(`/markets/${slug}/events?limit=7&page=2`)
  expect(keysOf(page)).toEqual(keysOf(recorded('events')))
  const trades = page.events as Row[]
  expect(keysOf(trades[0]!)).toEqual(keysOf((recorded('events').events as Row[])[0]!))
  expect(trades).toHaveLength(7)
  expect(new Set(trades.map(({ tokenId }) => tokenId))).toEqual(new Set([tokens.yes, tokens.no]))
})

test('lists a group with its markets, and omits resolved ones', async () => {
  const { data, totalMarketsCount } = (await get('/markets/active?limit=25&page=1')) as {
    data: Row[]
    totalMarketsCount: number
  }
  expect(data).toHaveLength(25)
  expect(totalMarketsCount).toBeGreaterThan(25)
  const group = data.find(({ marketType }) => marketType === 'group')!
  expect((group.markets as Row[]).length).toBeGreaterThan(1)
  expect(data.some(({ status }) => status === 'RESOLVED')).toBe(false)
  expect((await fetch(`${lab.limitless.urls.REST}/markets/active?limit=26`)).status).toBe(400)
})
