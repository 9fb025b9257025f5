// A venue behind the data half of its manifest. The test sets its data and its failures.
import type { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { VenueReads } from '#marketData/markets/index'
import type { Market } from '#schemas/market'
import type { Candle, Trade } from '#schemas/marketData'
import type { BookSnapshot, VenueData } from '#venues/venue'

export class FakeVenue {
  readonly snapshots = new Map<string, BookSnapshot>()
  trades: Trade[] = []
  candles: Candle[] = []
  markets = new Map<string, Market>()
  failure: Error | null = null
  requests: string[] = []
  /** While set, reads wait for it. */
  gate: Promise<void> | null = null
  readonly reads: VenueReads
  private readonly slug: string

  constructor(slug: 'polymarket' | 'kalshi' | 'kalshi-demo', clock: ManualClock) {
    this.slug = slug
    const data: VenueData = {
      async *walkCatalog() {
        yield* []
      },
      fetchMarket: async (_, marketId) => {
        await this.onRequest(`market:${marketId}`)
        const market = this.markets.get(marketId)
        return market === undefined ? null : { market, event: null }
      },
      bookRef: (outcomeId) => {
        if (slug === 'polymarket') return /^\d{1,78}$/.test(outcomeId) ? { bookId: outcomeId, complement: false } : null
        if (!/^[A-Z0-9.-]{3,64}$/.test(outcomeId) || /^\d+$/.test(outcomeId)) return null
        return outcomeId.endsWith('-NO')
          ? { bookId: outcomeId.slice(0, -3), complement: true }
          : { bookId: outcomeId, complement: false }
      },
      feeModel: () => ({ fee: { kind: 'none' }, settlementFee: { kind: 'none' } }),
      fetchOrderBook: async (_, bookId) => {
        await this.onRequest(`book:${bookId}`)
        return this.snapshots.get(bookId) ?? null
      },
      fetchTrades: async (_, outcome) => {
        await this.onRequest(`trades:${outcome.outcomeId}`)
        return this.trades
      },
      fetchCandles: async (_, outcome, query) => {
        await this.onRequest(`candles:${outcome.outcomeId}:${query.resolutionMs}`)
        return this.candles
      },
      candleResolutionsMs: [60_000, 3_600_000],
      poll: { intervalMs: 1_000, concurrency: 1 },
    }
    if (slug === 'polymarket') {
      data.fetchOrderBooks = async (_, bookIds) => {
        await this.onRequest(`books:${bookIds.length}`)
        return new Map(
          bookIds.flatMap((id) => (this.snapshots.has(id) ? [[id, this.snapshots.get(id)!] as const] : [])),
        )
      }
    } else delete data.fetchTrades
    this.reads = {
      slug,
      manifest: { title: slug },
      data,
      volume24h: { source: 'venue', unit: slug === 'polymarket' ? 'USD' : 'CONTRACTS' },
      context: {
        venue: slug,
        http: { request: () => Promise.reject(new Error('no network in this test')) },
        clock,
        log: silentLog,
        urls: {},
        credentials: null,
        signal: new AbortController().signal,
      },
    }
  }

  private async onRequest(what: string): Promise<void> {
    this.requests.push(what)
    if (this.gate !== null) await this.gate
    if (this.failure !== null) throw this.failure
  }

  snapshot(bookId: string, extra: Partial<BookSnapshot> = {}): void {
    this.snapshots.set(bookId, {
      bookId,
      bids: [
        [400_000, 5],
        [420_000, 10],
      ],
      asks: [
        [450_000, 7],
        [440_000, 3],
      ],
      eventTs: 1_789_999_990_000,
      recvTs: 1_789_999_990_100,
      lastTradeMicros: 430_000,
      isNegRisk: this.slug === 'polymarket' ? false : null,
      tickMicros: 10_000,
      ...extra,
    })
  }
}
