// Reads the lab’s Gemini with the production data adapter; the two share no code.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { type Lab, startLab } from '#lab/lab'
import { createHttpClient, type OwnedHttpClient } from '#net/httpClient'
import type { Market } from '#schemas/market'
import { gemini } from '#venues/gemini/index'
import type { VenueContext } from '#venues/venueContext'

let lab: Lab
let http: OwnedHttpClient
let context: VenueContext
let markets: Map<string, Market>
const clock = new ManualClock()

beforeAll(async () => {
  lab = await startLab({ clock, seed: 'data', venues: ['gemini'], ratePerSecond: 0, markets: 400 })
  http = createHttpClient({ venue: 'gemini', requestsPerSecond: 10_000 })
  const { urls } = lab.gemini
  const { signal } = new AbortController()
  context = { venue: 'gemini', http, clock, log: silentLog, urls, credentials: null, signal }
  markets = await walk()
})
afterAll(async () => {
  await http.close()
  await lab.stop()
})
beforeEach(() => lab.gemini.faults.recover())

async function walk(): Promise<Map<string, Market>> {
  const found = new Map<string, Market>()
  for await (const { events } of gemini.data.walkCatalog(context, { updatedSinceMs: null })) {
    for (const event of events) for (const market of event.markets) found.set(market.marketId, market)
  }
  return found
}
const open = () => [...markets.values()].filter(({ status }) => status === 'active')
const read = (bookId: string) => gemini.data.fetchOrderBook(context, bookId)

test('the catalog walk finds every contract of the venue, settled ones included, with its status', () => {
  const { listing, engine } = lab.gemini
  const words = { open: 'active', closed: 'closed', resolved: 'resolved' }
  expect([...markets].map(([id, { status }]) => [id, status]).sort()).toEqual(
    listing.contracts.map(({ symbol, key }) => [symbol, words[engine.statusOf(key)]]).sort(),
  )
  expect(new Set([...markets.values()].map(({ status }) => status))).toEqual(new Set(['active', 'closed', 'resolved']))
})

test('every open book equals the venue’s book level by level, and its best prices equal the catalog quotes', async () => {
  expect(open().length).toBeGreaterThan(50)
  for (const { marketId, outcomes } of open().slice(0, 50)) {
    const truth = lab.gemini.book(marketId)!
    const book = (await read(marketId))!
    expect([book.bids, book.asks]).toEqual([truth.bids, truth.asks])
    const best = ([side]: typeof book.bids) => (side === undefined ? null : side[0] / 1e6)
    const [yes, no] = outcomes
    expect([yes!.bestBid, yes!.bestAsk]).toEqual([best(truth.bids), best(truth.asks)])
    expect(no!.bestAsk).toBeCloseTo(1 - yes!.bestBid!, 9)
  }
})

test('fetchMarket finds a market by its symbol and returns the same row as the walk; an unlisted symbol gives null', async () => {
  for (const market of [...markets.values()].slice(0, 40)) {
    expect((await gemini.data.fetchMarket(context, market.marketId))?.market).toEqual(market)
  }
  expect(await gemini.data.fetchMarket(context, 'GEMI-NOSUCH261231-AAA')).toBeNull()
})

test('returns null for an unknown symbol', async () => {
  expect(await read('GEMI-NOSUCH261231-AAA')).toBeNull()
  const { marketId } = open()[0]!
  lab.gemini.faults.unknownMarket({ market: marketId })
  expect(await read(marketId)).toBeNull()
})

test('trades equal the venue’s trades, newest first', async () => {
  const { marketId } = open()[0]!
  const trades = await gemini.data.fetchTrades(
    context,
    { outcomeId: marketId, marketId, eventId: null, metadata: {} },
    { limit: 20 },
  )
  const truth = lab.gemini.engine.glance(lab.gemini.listing.bySymbol.get(marketId)!.key)!.recentTrades().slice(0, 20)
  expect(trades.map(({ timestamp, price, amount, side }) => [timestamp, price, amount, side])).toEqual(
    truth.map(({ atMs, priceMicros, size, takerBuysYes }) => [
      atMs,
      Math.round(priceMicros / 1e4) / 100,
      size,
      takerBuysYes ? 'buy' : 'sell',
    ]),
  )
  expect(trades.length).toBeGreaterThan(0)
  expect(new Set(trades.map(({ id }) => id)).size).toBe(trades.length)
})

test('waits for a slow response and uses it when it arrives', async () => {
  const { marketId } = open()[0]!
  const arrived = () => lab.gemini.counters().httpRequests['/v1/book/:symbol'] ?? 0
  const before = arrived()
  lab.gemini.faults.slow({ delayMs: 4_000, where: 'http' })
  const pendingRead = read(marketId)
  await vi.waitFor(() => expect(arrived()).toBe(before + 1))
  let answered = false
  void pendingRead.then(() => {
    answered = true
  })
  expect(answered).toBe(false)
  clock.advance(4_000)
  expect((await pendingRead)?.bids).toEqual(lab.gemini.book(marketId)!.bids)
})

test('retries one 503 and fails with a fault when 503 persists', async () => {
  const { marketId } = open()[0]!
  lab.gemini.faults.http({ status: 503, count: 1 })
  expect(await read(marketId)).not.toBeNull()
  lab.gemini.faults.http({ status: 503, count: 1_000 })
  await expect(read(marketId)).rejects.toMatchObject({ code: 'NETWORK_ERROR', exchange: 'gemini' })
}, 20_000)
