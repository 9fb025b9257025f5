// The lab's public reads, requested as in the documentation of the venue.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import type { LabStatus } from '#lab/engine/market'
import { type Lab, startLab } from '#lab/lab'
import { bookRow, eventRow, marketRow, tradeRow } from '../../src/venues/predictstreet/data/rows.ts'
import { getJson } from '../clients.ts'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ clock: new ManualClock(), seed: 'reads', venues: ['predictstreet'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())

const get = (path: string) => getJson(`${lab.predictstreet.urls.REST}${path}`)
const body = async <T>(path: string) => (await get(path)).body as T
const keys = (row: object | undefined) => Object.keys(row ?? {}).sort()
const marketThatIs = (status: LabStatus) => {
  const { listing, engine } = lab.predictstreet
  return listing.markets.find(({ key }) => engine.statusOf(key) === status)!
}
type Book = ReturnType<typeof bookRow>
type Trade = ReturnType<typeof tradeRow>

test('every row has the documented fields', async () => {
  const { events } = await body<{ events: ReturnType<typeof eventRow>[] }>('/api/events')
  expect(keys(events[0])).toEqual(keys(eventRow()))
  expect(keys(events[0]!.markets[0] as object)).toEqual(keys(marketRow()))
  const { symbol } = marketThatIs('open')
  expect(keys(await body(`/api/markets/${symbol}/orderbook?outcome=0`))).toEqual(keys(bookRow()))
  const { trades } = await body<{ trades: Trade[] }>(`/api/markets/${symbol}/trades`)
  expect(keys(trades[0])).toEqual(keys(tradeRow('a', 'b')))
})

test('lists what is open; an ended market is found by its slug, its event is not', async () => {
  const { markets } = await body<{ markets: ReturnType<typeof marketRow>[] }>('/api/markets')
  expect(new Set(markets.map(({ status }) => status))).toEqual(new Set(['OPEN']))
  const { slug, event } = marketThatIs('resolved')
  expect(await body(`/api/markets/${slug}`)).toMatchObject({ status: 'RESOLVED', slug })
  expect(await get(`/api/events/${event.id}`)).toMatchObject({ status: 404, body: { code: 'event_not_found' } })
})

test('finds a market by its slug, its books and trades by its symbol', async () => {
  const { slug, symbol } = marketThatIs('open')
  expect(await get(`/api/markets/${symbol}`)).toMatchObject({ status: 404, body: { code: 'market_not_found' } })
  expect(await get(`/api/markets/${slug}/orderbook`)).toMatchObject({ status: 404 })
  expect(await get(`/api/markets/${symbol}/orderbook?outcome=2`)).toMatchObject({ status: 400 })
  const yes = await body<Book>(`/api/markets/${symbol}/orderbook?outcome=0`)
  const no = await body<Book>(`/api/markets/${symbol}/orderbook?outcome=1`)
  expect(Number(no.asks[0]!.price)).toBeCloseTo(1 - Number(yes.bids[0]!.price), 9)
  expect(no.asks[0]!.quantity).toBe(yes.bids[0]!.quantity)
})

test('pages trades back in time, excluding both ends', async () => {
  const { symbol } = marketThatIs('open')
  const read = async (query: string) =>
    (await body<{ trades: Trade[] }>(`/api/markets/${symbol}/trades?${query}`)).trades
  const all = await read('limit=20')
  expect(all).toHaveLength(20)
  const [newest, oldest] = [all[0]!.createdAt, all[9]!.createdAt]
  const between = all.filter(({ createdAt }) => createdAt < newest && createdAt > oldest)
  expect(await read(`before=${newest}&after=${oldest}`)).toEqual(between)
  expect(await read('limit=1000')).toHaveLength(200)
  expect(await body(`/api/markets/${symbol}/trades?limit=0`)).toMatchObject({ code: 'invalid_limit' })
})
