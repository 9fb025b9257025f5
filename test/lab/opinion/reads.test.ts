// The lab's public reads, requested as in the documentation of the venue, and rows compared with recorded ones, key by key.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'
import { categorical, markets, orderbook } from '#test/src/venues/opinion/fixtures/recorded'
import { getJson, type Json } from '../clients.ts'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ clock: new ManualClock(), seed: 'reads', venues: ['opinion'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())

const get = (path: string, headers?: Record<string, string>) => getJson(`${lab.opinion.urls.REST}${path}`, headers)
const resultOf = async <R>(path: string) => (await get(path)).body.result as R
interface Page {
  total: number
  list: (Json & { marketId: number; marketType: number; status: number; childMarkets?: Json[] })[]
}

test('pages of at most twenty have every event once, newest first, of the requested kind', async () => {
  const { events } = lab.opinion.listing
  const seen: number[] = []
  for (let page = 1; seen.length < events.length; page++) {
    const { list, total } = await resultOf<Page>(`/market?marketType=2&limit=20&page=${page}`)
    expect([total, list.length > 0]).toEqual([events.length, true])
    seen.push(...list.map(({ marketType, marketId }) => (marketType === 1 ? -marketId : marketId)))
  }
  const names = events.map(({ isCategorical, id, markets: of }) => (isCategorical ? -id : of[0]!.id))
  expect(seen).toEqual(names.toReversed())
  expect(new Set((await resultOf<Page>('/market?limit=20')).list.map(({ marketType }) => marketType))).toEqual(
    new Set([0]),
  )
  expect((await get('/market?limit=21')).status).toBe(400)
})

test('rows have the keys of recorded ones, and no others', async () => {
  const { list } = await resultOf<Page>('/market?marketType=1&limit=20')
  const [recorded] = markets().result.list
  expect(Object.keys(list[0]!).sort()).toEqual(Object.keys(recorded!).sort())
  expect(Object.keys(list[0]!.childMarkets![0]!).sort()).toEqual(Object.keys(recorded!.childMarkets[0]!).sort())
  const over = list.flatMap(({ childMarkets }) => childMarkets!).find(({ status }) => status === 4)!
  const { incentiveFactor: _, ...rest } = over
  expect(Object.keys(rest).sort()).toEqual(Object.keys(categorical().result.data.childMarkets[0]!).sort())
  expect([over.yesTokenId, over.noTokenId]).toContain(over.resultTokenId)
  const market = lab.opinion.listing.markets[0]!
  const book = await resultOf<Json>(`/token/orderbook?token_id=${market.tokens[0]}`)
  expect(Object.keys(book).sort()).toEqual(Object.keys(orderbook().result).sort())
})

test('an event and a market may have the same number: each has its own URL', async () => {
  const head = lab.opinion.listing.events.find(({ isCategorical }) => isCategorical)!
  const [byHead, bySlug, byMarket] = await Promise.all(
    [`categorical/${head.id}`, `slug/${head.slug}`, String(head.id)].map((path) =>
      resultOf<{ data: Json } | null>(`/market/${path}`),
    ),
  )
  expect(byHead!.data).toEqual(bySlug!.data)
  expect(byHead!.data.childMarkets).toHaveLength(head.markets.length)
  expect(byMarket?.data.marketTitle).not.toBe(head.catalog.title)
})

test('NO has its own book that mirrors that of YES', async () => {
  const { tokens } = lab.opinion.listing.markets[0]!
  interface Book {
    bids: { price: string; size: string }[]
    asks: { price: string; size: string }[]
  }
  const [yes, no] = await Promise.all(tokens.map((token) => resultOf<Book>(`/token/orderbook?token_id=${token}`)))
  const turned = ({ price, size }: { price: string; size: string }) => [(1 - Number(price)).toFixed(3), size]
  const plain = ({ price, size }: { price: string; size: string }) => [Number(price).toFixed(3), size]
  expect(no!.asks.map(plain)).toEqual(yes!.bids.map(turned))
  expect(no!.bids.map(plain)).toEqual(yes!.asks.map(turned))
})

test('answers without a key and with a valid one; rejects a wrong key and an unknown id', async () => {
  const { API_KEY } = lab.opinion.credentials
  const [first] = lab.opinion.listing.markets
  expect((await get(`/market/${first!.id}`, { apikey: API_KEY })).body.errno).toBe(0)
  expect(await get(`/market/${first!.id}`, { apikey: 'x' })).toMatchObject({ status: 401, body: { errno: 11_002 } })
  const none = await get('/market/999999999')
  expect([none.status, none.body.errno, none.body.result]).toEqual([200, 10_404, null])
})
