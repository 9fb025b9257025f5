// The catalog and the tape in memory, with the paging of their contracts.

import type { ManualClock } from '#core/clock'
import type { MarketHistory, ReplayPage, ReplayQuery } from '#history/tape'
import type { Catalog, CatalogPageOf, CatalogQuery, NamedMarket, OutcomeRow } from '#marketData/catalog/catalog'
import type { Event, Market, Series } from '#schemas/market'
import type { Candle, Level, OrderBook, Trade } from '#schemas/marketData'

export class MemoryTape implements MarketHistory {
  readonly books = new Map<string, OrderBook[]>()
  trades: Trade[] = []
  candles: Candle[] = []
  /** The lines of the engine; the feature adds the cursor line. */
  replayed: string[] = []
  replayQueries: ReplayQuery[] = []
  async replay(query: ReplayQuery): Promise<ReplayPage> {
    this.replayQueries.push(query)
    const lines = this.replayed
    async function* chunks(): AsyncIterable<Uint8Array> {
      for (const line of lines) yield Buffer.from(line)
    }
    return { chunks: chunks(), end: Promise.resolve({ rows: lines.length, last: null, more: false }) }
  }
  replayParquet = async (): Promise<AsyncIterable<Uint8Array>> =>
    (async function* () {
      yield Buffer.from('PAR1')
    })()
  replayArbitrage = async (): Promise<ReplayPage> => ({
    chunks: (async function* () {
      yield* []
    })(),
    end: Promise.resolve({ rows: 0, last: null, more: false }),
  })
  async findBook(venue: string, outcomeId: string, atMs: number) {
    return this.booksOf(venue, outcomeId).findLast((book) => book.timestamp <= atMs) ?? null
  }
  async findBooks(venue: string, outcomeId: string, range: { sinceMs: number; untilMs: number; limit: number }) {
    return this.booksOf(venue, outcomeId)
      .filter((book) => book.timestamp >= range.sinceMs && book.timestamp <= range.untilMs)
      .slice(0, range.limit)
  }
  findTrades = async () => this.trades
  sumTrades = async () => ({ trades: 0, volume: '0', cash: '0' })
  findCandles = async () => this.candles
  hasOutcome = async (venue: string, outcomeId: string) => this.booksOf(venue, outcomeId).length > 0

  /** Like the tape: the NO side of a kalshi ticker mirrors what is stored under the ticker. */
  private booksOf(venue: string, outcomeId: string): OrderBook[] {
    if (venue !== 'kalshi' || !outcomeId.endsWith('-NO')) return this.books.get(`${venue}:${outcomeId}`) ?? []
    return (this.books.get(`${venue}:${outcomeId.slice(0, -3)}`) ?? []).map((book) => ({
      ...book,
      bids: book.asks.map(flip),
      asks: book.bids.map(flip),
      lastTradePrice: book.lastTradePrice === null ? null : flip({ price: book.lastTradePrice, size: 0 }).price,
    }))
  }
}

const flip = ({ price, size }: Level): Level => ({ price: Math.round((1 - price) * 1e6) / 1e6, size })

/** Keyset paging over arrays according to the contract: sorted by value descending, then venue and id. */
export class MemoryCatalog implements Catalog {
  events: Event[] = []
  series: Series[] = []
  failure: Error | null = null
  queries: CatalogQuery[] = []
  private readonly clock: ManualClock

  constructor(clock: ManualClock) {
    this.clock = clock
  }

  get markets(): Market[] {
    return this.events.flatMap((event) => event.markets)
  }

  async findMarkets(query: CatalogQuery): Promise<CatalogPageOf<Market>> {
    const { filter } = query
    const rows = this.markets.filter(
      (market) =>
        this.common(market, filter, market.title) &&
        (filter.status === 'all' || filter.status === undefined || market.status === filter.status) &&
        (filter.marketId === undefined || market.marketId === filter.marketId) &&
        (filter.eventId === undefined || market.eventId === filter.eventId) &&
        (filter.outcomeId === undefined || market.outcomes.some((outcome) => outcome.outcomeId === filter.outcomeId)),
    )
    return this.page(rows, query, (market) => ({
      value: sortValueOf(market, query.sort),
      venue: market.sourceExchange,
      id: market.marketId,
    }))
  }

  async findEvents(query: CatalogQuery): Promise<CatalogPageOf<Event>> {
    const { filter } = query
    const rows = this.events.filter(
      (event) =>
        this.common(event, filter, event.title) &&
        (filter.eventId === undefined || event.id === filter.eventId) &&
        (filter.seriesId === undefined || event.seriesId === filter.seriesId),
    )
    return this.page(rows, query, (event) => ({
      value: event.volume24h ?? -1,
      venue: event.sourceExchange,
      id: event.id,
    }))
  }

  async findSeries(query: {
    venues: readonly string[]
    id?: string
  }): Promise<{ rows: Series[]; asOf: number | null }> {
    if (this.failure !== null) throw this.failure
    const rows = this.series.filter(
      (row) => query.venues.includes(row.sourceExchange) && (query.id === undefined || row.id === query.id),
    )
    return { rows, asOf: rows.length === 0 ? null : this.clock.now() - 5_000 }
  }

  async findOutcomes(venue: string, outcomeId: string): Promise<OutcomeRow[]> {
    if (this.failure !== null) throw this.failure
    return this.markets
      .filter((market) => market.sourceExchange === venue)
      .flatMap((market) =>
        market.outcomes
          .filter((outcome) => outcome.outcomeId === outcomeId)
          .map((outcome) => ({ venue, outcome, market })),
      )
  }

  async findMarket(venue: string, marketId: string): Promise<Market | null> {
    if (this.failure !== null) throw this.failure
    return this.markets.find((market) => market.sourceExchange === venue && market.marketId === marketId) ?? null
  }

  async findMarketsByIds(refs: readonly { venue: string; marketId: string }[]): Promise<Map<string, Market>> {
    const found = new Map<string, Market>()
    for (const { venue, marketId } of refs) {
      const market = await this.findMarket(venue, marketId)
      if (market !== null) found.set(`${venue}:${marketId}`, market)
    }
    return found
  }

  async findMarketNamed(venue: string, name: string): Promise<NamedMarket | null> {
    const market = await this.findMarket(venue, name)
    if (market !== null) return { market, by: 'id' }
    const own = this.markets.filter(({ sourceExchange }) => sourceExchange === venue)
    const [bySlug, byEvent] = [own.find(({ slug }) => slug === name), own.find(({ eventId }) => eventId === name)]
    if (bySlug !== undefined) return { market: bySlug, by: 'slug' }
    return byEvent === undefined ? null : { market: byEvent, by: 'event' }
  }

  upsertEvents = () => Promise.reject(new Error('not written in this test'))
  findUnseenMarkets = async () => []
  forgetVolumes = async () => 0
  findMostActiveMarkets = async () => []

  private common(
    row: { sourceExchange: string; slug?: string; category?: string; tags?: string[] },
    filter: CatalogQuery['filter'],
    title: string,
  ) {
    return (
      filter.venues.includes(row.sourceExchange) &&
      (filter.slug === undefined || row.slug === filter.slug) &&
      (filter.category === undefined || row.category === filter.category) &&
      (filter.query === undefined || title.toLowerCase().includes(filter.query.toLowerCase())) &&
      (filter.tags === undefined || filter.tags.some((tag) => row.tags?.includes(tag)))
    )
  }

  private page<T>(
    rows: T[],
    query: CatalogQuery,
    keyOf: (row: T) => { value: number; venue: string; id: string },
  ): CatalogPageOf<T> {
    this.queries.push(query)
    if (this.failure !== null) throw this.failure
    const order = (row: T): [number, string] => [-keyOf(row).value, `${keyOf(row).venue}:${keyOf(row).id}`]
    const sorted = rows.toSorted((a, b) => compare(order(a), order(b)))
    const { after, offset = 0, limit } = query
    const rest =
      after === undefined
        ? sorted.slice(offset)
        : sorted.filter((row) => compare(order(row), [-Number(after.sortValue), `${after.venue}:${after.id}`]) > 0)
    const page = rest.slice(0, limit)
    const positions = page.map((row) => {
      const { value, venue, id } = keyOf(row)
      return { sortValue: value, venue, id, versions: {} }
    })
    const next = rest.length > page.length ? (positions.at(-1) ?? null) : null
    return {
      rows: page,
      positions,
      next,
      total: sorted.length,
      asOf: page.length === 0 ? null : this.clock.now() - 1_000,
    }
  }
}

const sortValueOf = (market: Market, sort: CatalogQuery['sort']): number =>
  (sort === 'liquidity' ? market.liquidity : market.volume24h) ?? -1
const compare = (a: [number, string], b: [number, string]): number =>
  a[0] - b[0] || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0)
