// Reads the lab’s gateway with the production data adapter; the two share no code.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { type Lab, startLab } from '#lab/lab'
import { createHttpClient, type OwnedHttpClient } from '#net/httpClient'
import { Event, type Market } from '#schemas/market'
import { eventsPerPage } from '#venues/polymarket_us/data/endpoints'
import { freshMs } from '#venues/polymarket_us/data/reads'
import { polymarketUs } from '#venues/polymarket_us/index'
import type { VenueContext } from '#venues/venueContext'

const { data } = polymarketUs
const clock = new ManualClock()
let lab: Lab
let http: OwnedHttpClient
let context: VenueContext
let markets: Market[]

beforeAll(async () => {
  lab = await startLab({ clock, seed: 'data', venues: ['polymarket_us'], ratePerSecond: 0 })
  http = createHttpClient({ venue: 'polymarket_us', requestsPerSecond: 10_000 })
  const { signal } = new AbortController()
  const { urls } = lab.polymarket_us
  context = { venue: 'polymarket_us', http, clock, log: silentLog, urls, credentials: null, signal }
  markets = await walk()
})
afterAll(async () => {
  await http.close()
  await lab.stop()
})
beforeEach(() => {
  lab.polymarket_us.faults.recover()
  clock.advance(freshMs)
})

async function walk(): Promise<Market[]> {
  const found: Market[] = []
  for await (const { events } of data.walkCatalog(context, { updatedSinceMs: null })) {
    for (const event of events) {
      Event.parse(event)
      found.push(...event.markets)
    }
  }
  return found
}
const open = () => markets.find(({ status, tickSize }) => status === 'active' && tickSize === 0.01)!

describe('the walk', () => {
  it('lists every market of unfinished events over several pages, like the venue', () => {
    const { listing, engine } = lab.polymarket_us
    expect(listing.events.length).toBeGreaterThan(eventsPerPage)
    const expected = listing.events
      .filter(({ markets: own }) => own.some(({ key }) => engine.statusOf(key) === 'open'))
      .flatMap(({ markets: own }) => own.map(({ slug }) => slug))
    expect(markets.map(({ marketId }) => marketId).sort()).toEqual(expected.sort())
  })

  it('has for each market the facts that the lab expects in a catalog', () => {
    const facts = new Map(lab.polymarket_us.catalogMarkets().map((row) => [row.marketId, row]))
    for (const { marketId, outcomes, tickSize, status, sourceMetadata } of markets) {
      const fact = facts.get(marketId)!
      expect(outcomes.map(({ outcomeId }) => outcomeId)).toEqual(fact.outcomeIds)
      expect([tickSize, status]).toEqual([fact.tickSize, fact.status])
      expect(sourceMetadata).toMatchObject(fact.sourceMetadata)
    }
  })
})

describe('books', () => {
  it('equal the venue’s books level by level', async () => {
    for (const { marketId } of markets.filter(({ status }) => status === 'active').slice(0, 20)) {
      const truth = lab.polymarket_us.book(marketId)!
      const book = (await data.fetchOrderBook(context, marketId))!
      expect([book.bids, book.asks]).toEqual([truth.bids, truth.asks])
      expect(book.eventTs).toBe(truth.eventTs)
    }
  })

  it('an unknown book is null, and so is an unknown market', async () => {
    expect(await data.fetchOrderBook(context, 'no-such-market')).toBeNull()
    expect(await data.fetchMarket(context, 'no-such-market')).toBeNull()
    const { marketId } = open()
    expect((await data.fetchMarket(context, marketId))!.market).toMatchObject({ marketId, status: 'active' })
    lab.polymarket_us.faults.unknownMarket({ market: marketId })
    expect(await data.fetchOrderBook(context, marketId)).toBeNull()
  })

  it('a refused and a failed response are faults, a late one is awaited, and none becomes an empty book', async () => {
    const { marketId } = open()
    const { faults } = lab.polymarket_us
    faults.http({ status: 429, retryAfterSeconds: 1, path: '/book' })
    await expect(data.fetchOrderBook(context, marketId)).rejects.toMatchObject({ retryAfterSeconds: 1 })
    faults.recover()
    clock.advance(1_000)
    faults.http({ status: 500, path: '/book' })
    await expect(data.fetchOrderBook(context, marketId)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    faults.recover()
    faults.slow({ delayMs: 5_000, where: 'http' })
    let arrived = false
    const late = data.fetchOrderBook(context, marketId).finally(() => {
      arrived = true
    })
    await vi.waitFor(() => {
      clock.advance(1_000)
      expect(arrived).toBe(true)
    })
    const book = await late
    expect(book!.bids.length).toBeGreaterThan(0)
  })
})

describe('a market that ends', () => {
  it('is closed, then resolved, in the next read', async () => {
    const { marketId } = markets.findLast(({ status }) => status === 'active')!
    const status = async () => (await data.fetchMarket(context, marketId))!.market.status
    lab.polymarket_us.faults.close({ market: marketId })
    expect(await status()).toBe('closed')
    lab.polymarket_us.faults.resolve({ market: marketId, result: 'yes' })
    expect(await status()).toBe('resolved')
  })
})
