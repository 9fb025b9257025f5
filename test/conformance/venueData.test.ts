// Properties of the data half of every venue, each against its simulated venue: the walk, the ids, both sides of a market, nulls and zeros,
// every function its manifest names, and its failures.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { type Lab, startLab } from '#lab/lab'
import { VenueBudgets } from '#net/hostRateLimiter'
import type { HttpClient } from '#net/http'
import { createHttpClient, type OwnedHttpClient } from '#net/httpClient'
import { Event, Market } from '#schemas/market'
import { metricUnits, publishedMetrics } from '#schemas/venueMetrics'
import type { VenueCase } from '#test/support/cases/venueCase'
import { labCredentials } from '#test/support/labSettings'
import { venueCases } from '#test/support/venueCases'
import type { BookSnapshot, OutcomeRef, VenueData } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

const cases: readonly VenueCase[] = Object.values(venueCases)
const clock = new ManualClock()
let lab: Lab
beforeAll(async () => {
  lab = await startLab({
    clock,
    seed: 'venue data',
    ratePerSecond: 0,
    markets: 60,
    venues: cases.map((each) => each.lab),
  })
}, 60_000)
afterAll(() => lab?.stop())

/** The functions that send requests to the venue. */
type VenueFunction = {
  [Name in Exclude<keyof VenueData, 'missing'>]-?: NonNullable<VenueData[Name]> extends (
    context: VenueContext,
    ...rest: never[]
  ) => unknown
    ? Name
    : never
}[Exclude<keyof VenueData, 'missing'>]

describe.each(cases.map((each) => [each.lab, each] as const))(
  '%s',
  (name, { manifest, markets: truthOf, walked, unknown }) => {
    const { data, slug } = manifest
    const clients: OwnedHttpClient[] = []
    let context: VenueContext
    let events: Event[]
    let markets: Map<string, Market>

    const open = (): VenueContext => {
      const budgets = new VenueBudgets(slug, { ...manifest.budget, perSecond: 10_000, burst: 10_000 }, clock)
      const http = createHttpClient({ venue: slug, budgets, clock })
      clients.push(http)
      const { signal } = new AbortController()
      return {
        venue: slug,
        http,
        clock,
        log: silentLog,
        urls: lab[name].urls,
        credentials: labCredentials(lab, name),
        signal,
      }
    }
    const walk = async (): Promise<Event[]> => {
      const found = new Map<string, Event>()
      for await (const page of data.walkCatalog(context, { updatedSinceMs: null })) {
        for (const event of page.events) found.set(event.id, event)
      }
      return [...found.values()]
    }
    const active = (): Market => [...markets.values()].find(({ status }) => status === 'active')!
    const refOf = (market: Market, n = 0): OutcomeRef => ({
      outcomeId: market.outcomes[n]!.outcomeId,
      marketId: market.marketId,
      eventId: market.eventId,
      metadata: market.sourceMetadata,
    })
    const bookIdOf = (market: Market, n = 0): string =>
      data.bookRef(market.outcomes[n]!.outcomeId, market.marketId)!.bookId
    const levels = ({ bids, asks }: Pick<BookSnapshot, 'bids' | 'asks'>) => [
      bids.toSorted(([a], [b]) => b - a),
      asks.toSorted(([a], [b]) => a - b),
    ]

    beforeAll(async () => {
      context = open()
      events = await walk()
      markets = new Map(events.flatMap((event) => event.markets.map((market) => [market.marketId, market])))
    })
    beforeEach(() => {
      lab[name].faults.recover()
      context = open()
    })
    afterAll(async () => {
      for (const client of clients) await client.close()
    })

    it('the walk is complete: every market of the venue, with its status', () => {
      const truth = truthOf(lab)
      const expectedRows = [...truth].flatMap(([id, market]) => {
        const expected = walked(market)
        return expected === null ? [] : [[id, expected]]
      })
      const isWalked = (id: string) => truth.has(id) && walked(truth.get(id)!) !== null
      const seen = [...markets].flatMap(([id, { status }]) => (isWalked(id) ? [[id, status]] : []))
      expect([...markets.keys()].filter((id) => !truth.has(id))).toEqual([])
      expect(seen.sort()).toEqual(expectedRows.sort())
      expect(seen.length).toBeGreaterThanOrEqual(50)
    })

    it('fits the catalog’s schemas, and names the venue', () => {
      for (const event of events) {
        Event.parse(event)
        expect(event.sourceExchange).toBe(slug)
        for (const market of event.markets) {
          Market.parse(market)
          expect([market.sourceExchange, market.eventId]).toEqual([slug, event.id])
        }
      }
    })

    it('ids round-trip: an outcome finds its book by itself and with its market, a market finds itself', async () => {
      for (const { marketId, outcomes } of markets.values()) {
        expect(outcomes.length).toBeGreaterThanOrEqual(2)
        expect(new Set(outcomes.map(({ outcomeId }) => outcomeId)).size).toBe(outcomes.length)
        for (const { outcomeId } of outcomes) {
          const ref = data.bookRef(outcomeId, marketId)
          expect(ref, outcomeId).not.toBeNull()
          expect(data.bookRef(outcomeId), outcomeId).toEqual(ref)
        }
      }
      for (const market of [...markets.values()].slice(0, 5)) {
        const found = await data.fetchMarket(context, market.marketId)
        expect(found!.market.marketId).toBe(market.marketId)
        expect(found!.market.status).toBe(market.status)
        expect(found!.market.outcomes.map(({ outcomeId }) => outcomeId)).toEqual(
          market.outcomes.map(({ outcomeId }) => outcomeId),
        )
      }
      for (const none of ['', ' ', '../events', 'a/b', '{}', '\u0000']) expect(data.bookRef(none)).toBeNull()
    })

    it('quotes and books of both sides mirror each other', async () => {
      for (const market of [...markets.values()].filter(({ status }) => status === 'active').slice(0, 5)) {
        const [yes, no] = market.outcomes
        const mirror = (price: number | null | undefined) => (price === null || price === undefined ? null : 1 - price)
        const near = (a: number | null | undefined, b: number | null) =>
          b === null ? expect(a ?? null).toBeNull() : expect(a).toBeCloseTo(b, 9)
        near(no!.bestBid, mirror(yes!.bestAsk))
        near(no!.bestAsk, mirror(yes!.bestBid))
        for (const n of [0, 1]) {
          const bookId = bookIdOf(market, n)
          const book = (await data.fetchOrderBook(context, bookId))!
          expect(book.bookId).toBe(bookId)
          expect(levels(book)).toEqual(levels(lab[name].book(bookId)!))
        }
      }
    })

    it('unknown is null and zero is a value: no price without quotes, no figure that the venue does not report', () => {
      for (const market of markets.values()) {
        const isOver = market.status === 'closed' || market.status === 'resolved'
        for (const { price, bestBid, bestAsk } of market.outcomes) {
          if (isOver) expect([bestBid, bestAsk]).toEqual([null, null])
          for (const quote of [bestBid, bestAsk])
            if (typeof quote === 'number') expect(quote > 0 && quote < 1).toBe(true)
          if (price !== null) expect(price >= 0 && price <= 1).toBe(true)
        }
        if (market.status === 'resolved') {
          const paid = market.outcomes.map(({ price }) => price)
          if (!paid.includes(null)) expect(paid.reduce((sum, price) => sum! + price!, 0)).toBeCloseTo(1, 9)
        }
        if (manifest.volume24h === false) expect(market.volume24h).toBeNull()
        // Derived fields are added when the row is written.
        const isOwn = manifest.volume24h !== false && manifest.volume24h.source === 'venue'
        expect(market.volume24hSource).toBe(isOwn ? 'venue' : undefined)
        const { fee, settlementFee } = data.feeModel(market)
        for (const { kind, ...rest } of [fee, settlementFee]) {
          if (kind === 'unknown') expect(rest).toMatchObject({ reason: expect.any(String) })
        }
      }
    })

    /** What each function does where the manifest names it; the compiler requires a line for each new one. */
    const does: Record<VenueFunction, () => Promise<void>> = {
      async walkCatalog() {
        const again = await walk()
        expect(again.map(({ id }) => id).sort()).toEqual(events.map(({ id }) => id).sort())
      },
      async fetchMarket() {
        expect((await data.fetchMarket(context, active().marketId))?.market.title).toBe(active().title)
        expect(await data.fetchMarket(context, unknown.marketId)).toBeNull()
      },
      async fetchMarkets() {
        const wanted = [...truthOf(lab).keys()].slice(0, 40)
        const found = await data.fetchMarkets!(context, [...wanted, unknown.marketId])
        expect([...found.keys()].sort()).toEqual(wanted.sort())
        for (const market of found.values()) Market.parse(market)
        for (const [marketId, market] of [...found].slice(0, 5)) {
          expect(market).toEqual((await data.fetchMarket(context, marketId))!.market)
        }
      },
      async fetchEvent() {
        const { marketId, eventId } = active()
        const event = await data.fetchEvent!(context, eventId!)
        expect(event?.id).toBe(eventId)
        expect(event?.markets.map((market) => market.marketId)).toContain(marketId)
        expect(await data.fetchEvent!(context, '999999999')).toBeNull()
      },
      async fetchOrderBook() {
        const book = (await data.fetchOrderBook(context, bookIdOf(active())))!
        expect(book.recvTs).toBe(clock.now())
        expect(await data.fetchOrderBook(context, data.bookRef(unknown.outcomeId)!.bookId)).toBeNull()
      },
      async fetchMetrics() {
        const metrics = await data.fetchMetrics!(context)
        expect(metrics.length).toBeGreaterThan(0)
        expect(new Set(metrics.map(({ metric }) => metric)).size).toBe(metrics.length)
        for (const { metric, value, unit, scope, read } of metrics) {
          expect(publishedMetrics).toContain(metric)
          expect(metricUnits).toContain(unit)
          expect(Number.isFinite(value) && value >= 0, metric).toBe(true)
          expect(['venue', 'listed']).toContain(scope)
          expect(read).toMatch(/^(?:GET|POST) \//)
        }
      },
      async fetchOrderBooks() {
        const wanted = [...markets.values()].filter(({ status }) => status === 'active').slice(0, 20)
        const bookIds = wanted.map((market) => bookIdOf(market))
        const nobodys = data.bookRef(unknown.outcomeId)!.bookId
        const books = await data.fetchOrderBooks!(context, [...bookIds, bookIds[0]!, nobodys])
        expect([...books.keys()].sort()).toEqual([...new Set(bookIds)].sort())
        for (const [bookId, book] of books) expect(levels(book)).toEqual(levels(lab[name].book(bookId)!))
      },
      async fetchTrades() {
        const [yes, no] = [refOf(active()), refOf(active(), 1)]
        const trades = await data.fetchTrades!(context, yes, { limit: 10 })
        expect(trades.length).toBeGreaterThan(0)
        expect(trades.length).toBeLessThanOrEqual(10)
        expect(new Set(trades.map(({ id }) => id)).size).toBe(trades.length)
        expect(trades.every(({ outcomeId }) => outcomeId === yes.outcomeId)).toBe(true)
        const times = trades.map(({ timestamp }) => timestamp)
        expect(times).toEqual(times.toSorted((a, b) => b - a))
        const endMs = times[Math.floor(times.length / 2)]!
        for (const trade of await data.fetchTrades!(context, yes, { limit: 10, endMs })) {
          expect(trade.timestamp).toBeLessThanOrEqual(endMs)
        }
        for (const { outcomeId } of await data.fetchTrades!(context, no, { limit: 10 })) {
          expect(outcomeId).toBe(no.outcomeId)
        }
      },
      async fetchCandles() {
        for (const resolutionMs of data.candleResolutionsMs!) {
          const candles = await data.fetchCandles!(context, refOf(active()), { resolutionMs, limit: 5 })
          expect(candles.length).toBeLessThanOrEqual(5)
          for (const { timestamp, open: first, high, low, close } of candles) {
            expect(timestamp % resolutionMs).toBe(0)
            expect(low <= first && low <= close && high >= first && high >= close).toBe(true)
          }
        }
      },
    }
    const declared = (Object.keys(does) as VenueFunction[]).filter((each) => data[each] !== undefined)
    it.each(declared)('%s does what its name in the manifest says', (each) => does[each]())

    /** One call of each function, for testing failures. */
    const calls: Record<VenueFunction, (context: VenueContext) => Promise<unknown>> = {
      async walkCatalog(venueContext) {
        for await (const page of data.walkCatalog(venueContext, { updatedSinceMs: null }))
          if (page.events.length > 0) return page
        return null
      },
      fetchMarket: (venueContext) => data.fetchMarket(venueContext, active().marketId),
      fetchMarkets: (venueContext) => data.fetchMarkets!(venueContext, [active().marketId]),
      fetchEvent: (venueContext) => data.fetchEvent!(venueContext, active().eventId!),
      fetchOrderBook: (venueContext) => data.fetchOrderBook(venueContext, bookIdOf(active())),
      fetchOrderBooks: (venueContext) => data.fetchOrderBooks!(venueContext, [bookIdOf(active())]),
      fetchTrades: (venueContext) => data.fetchTrades!(venueContext, refOf(active()), { limit: 5 }),
      fetchMetrics: (venueContext) => data.fetchMetrics!(venueContext),
      fetchCandles: (venueContext) =>
        data.fetchCandles!(venueContext, refOf(active()), {
          resolutionMs: data.candleResolutionsMs!.at(-1)!,
          limit: 5,
        }),
    }
    const requestCount = (): number =>
      Object.values(lab[name].counters().httpRequests).reduce((sum, count) => sum + count, 0)

    it.each(declared.filter((each) => each !== 'walkCatalog'))(
      '%s after a 429 fails with the remaining time and without a request',
      async (each) => {
        lab[name].faults.http({ status: 429, retryAfterSeconds: 7 })
        const limited = { code: 'NETWORK_ERROR', exchange: slug, retryAfterSeconds: 7 }
        await expect(calls[each](context)).rejects.toMatchObject(limited)
        lab[name].faults.recover()
        const before = requestCount()
        await expect(calls.fetchMarket(context)).rejects.toMatchObject(limited)
        expect(requestCount()).toBe(before)
        clock.advance(7_000)
        expect(await calls[each](context)).not.toBeNull()
      },
    )

    it('a walk waits for the end of a 429 and continues without losing anything', async () => {
      lab[name].faults.http({ status: 429, retryAfterSeconds: 2, count: 1 })
      const pages = calls.walkCatalog(context)
      const turning = setInterval(() => clock.advance(500), 5)
      try {
        expect(await pages).not.toBeNull()
      } finally {
        clearInterval(turning)
      }
    })

    it('an error of the venue is a fault of every function', async () => {
      lab[name].faults.http({ status: 500 })
      // Each is tried three times.
      const outcomes = await Promise.allSettled(declared.map((each) => calls[each](context)))
      for (const [n, outcome] of outcomes.entries()) {
        const reason = { code: 'NETWORK_ERROR', exchange: slug }
        expect(outcome, declared[n]).toMatchObject({ status: 'rejected', reason })
      }
    })

    const lists = (['walkCatalog', 'fetchTrades', 'fetchCandles'] as const).filter((each) => declared.includes(each))
    it.each(lists)('%s: a 404 is a fault, never an empty list', async (each) => {
      const answers = [{ message: 'Not Found' }, { error: 'Market not found' }, '<h1>Not Found</h1>']
      for (const body of answers) {
        const http: HttpClient = { request: async () => ({ status: 404, headers: {}, body }) }
        await expect(calls[each]({ ...context, http }), JSON.stringify(body)).rejects.toMatchObject({
          code: expect.stringMatching(/^(NETWORK_ERROR|MARKET_NOT_FOUND)$/),
          exchange: slug,
        })
      }
    })

    const garbage = ['<html><body>502 Bad Gateway</body></html>', 42, true, [[[]]]].map((body) => [body])
    it.each(garbage)('a response of %j is a fault', async (body) => {
      const http: HttpClient = { request: async () => ({ status: 200, headers: {}, body }) }
      for (const each of declared) {
        const answer = calls[each]({ ...context, http })
        const outcome = await answer.then(
          (value) => ({ value }),
          ({ code, exchange }: { code?: unknown; exchange?: unknown }) => ({ code, exchange }),
        )
        expect(outcome, each).toEqual({ code: 'NETWORK_ERROR', exchange: slug })
      }
    })
  },
)
