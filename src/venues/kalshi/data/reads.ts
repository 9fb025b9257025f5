// The manifest's data functions: endpoints combined with normalizers. An unreadable row is skipped and logged.
import { Fault } from '#core/fault'
import type { Event, Market, Series } from '#schemas/market'
import type { Candle, Trade } from '#schemas/marketData'
import { collectCandles } from '../../shared/collectCandles.ts'
import { retryAfterRateLimit } from '../../shared/data/pages.ts'
import { timeOf } from '../../shared/data/parsers.ts'
import { unreadable } from '../../shared/data/rest.ts'
import { fieldOf, readLongList, readOptional, readRows, readTape, shapeReader } from '../../shared/data/rows.ts'
import { isInRange } from '../../shared/data/tradeHistory.ts'
import type { BookSnapshot, CandlesQuery, CatalogPage, OutcomeRef, TradesQuery } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { KalshiBook, KalshiCandle, KalshiEvent, KalshiNamedBook, KalshiSeries, KalshiTrade } from '../wire.ts'
import { aggregateCandles, baseLengthMs, normalizeCandle } from './candles.ts'
import * as endpoints from './endpoints.ts'
import {
  type MarketContext,
  normalizeBook,
  normalizeEvent,
  normalizeSeries,
  normalizeTrade,
  seriesOfTicker,
} from './normalize.ts'
import { normalizeLegacyBook, readMarket } from './normalizeLegacy.ts'

/** Settled markets number in the millions and no longer change; a full walk leaves them to `fetchEvent`. */
const walkedStatuses = ['open', 'unopened', 'closed'] as const
/** Candles per request; the venue refuses more than 10,000. */
const candlesPerRequestMax = 5_000
/** Requests per candles read: in thin markets the response is short rather than unbounded. */
const candleRequestsMax = 10

/**
 * `min_updated_ts` covers changes of text and state, not trading: every walk reads open markets in full, for their prices.
 */
export async function* walkCatalog(
  context: VenueContext,
  { updatedSinceMs }: { updatedSinceMs: number | null },
): AsyncIterable<CatalogPage> {
  const allSeries = await seriesByTicker(context)
  const seenSeries = new Set<string>()
  const queries: endpoints.EventsQuery[] =
    updatedSinceMs === null
      ? walkedStatuses.map((status) => ({ status }))
      : [{ status: 'open' }, { minUpdatedTs: Math.floor(updatedSinceMs / 1000) }]
  for (const query of queries) {
    for await (const rows of endpoints.eventPages(context, query)) {
      const events = eventsOf(context, rows, allSeries)
      const series: Series[] = []
      for (const { seriesId } of events) {
        const raw = seriesId === null ? undefined : allSeries.get(seriesId)
        if (raw === undefined || seenSeries.has(raw.ticker)) continue
        seenSeries.add(raw.ticker)
        series.push(normalizeSeries(raw, context.venue))
      }
      yield { events, series }
    }
  }
}

/** Fees and tags come from the series. Without the list the catalog still works, and they are unknown. */
async function seriesByTicker(context: VenueContext): Promise<Map<string, KalshiSeries>> {
  const words = 'no series list: fees and tags stay unknown in this walk'
  const rows = await retryAfterRateLimit(context, () => readOptional(context, words, [], endpoints.listSeries(context)))
  const series = await readLongList(context, rows, { what: 'series', name: 'ticker', read: shapeReader(KalshiSeries) })
  return new Map(series.map((one) => [one.ticker, one]))
}

function eventsOf(
  context: VenueContext,
  rows: readonly unknown[],
  allSeries: ReadonlyMap<string, KalshiSeries>,
): Event[] {
  const { venue } = context
  return readRows(context, rows, { what: 'event', name: 'event_ticker', read: shapeReader(KalshiEvent) }).map(
    (event) => {
      const series = allSeries.get(event.series_ticker ?? '') ?? null
      return normalizeEvent(event, marketsOf(context, event.markets, { event, series }), series, venue)
    },
  )
}

const marketsOf = (
  context: VenueContext,
  rows: readonly unknown[] | null | undefined,
  around: MarketContext,
): Market[] =>
  readRows(context, rows, {
    what: 'market',
    name: 'ticker',
    read: (row) => readMarket(row, { ...around, venue: context.venue }),
  })

export async function fetchEvent(context: VenueContext, eventId: string): Promise<Event | null> {
  const body = await endpoints.getEvent(context, eventId)
  if (body === null) return null
  const ticker = body.event.series_ticker ?? ''
  const series = ticker === '' ? null : await endpoints.getSeries(context, ticker)
  const event = { ...body.event, markets: body.event.markets ?? body.markets ?? [] }
  return eventsOf(context, [event], new Map(series === null ? [] : [[ticker, series]]))[0] ?? null
}

export async function fetchMarket(
  context: VenueContext,
  marketId: string,
): Promise<{ market: Market; event: Event | null } | null> {
  const { venue } = context
  const row = await endpoints.getMarket(context, marketId)
  if (row === null) return null
  const eventTicker = fieldOf(row, 'event_ticker')
  const body = typeof eventTicker === 'string' ? await endpoints.getEvent(context, eventTicker) : null
  const event = body?.event ?? null
  const series = event?.series_ticker ? await endpoints.getSeries(context, event.series_ticker) : null
  const market = readMarket(row, { event, series, venue })
  if (market === null) throw unreadable(context, `/markets/${marketId}`, 'market row')
  if (event === null) return { market, event: null }
  const siblings = marketsOf(context, event.markets ?? body?.markets, { event, series })
  return { market, event: normalizeEvent(event, siblings, series, venue) }
}

export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  const body = await endpoints.getBook(context, bookId)
  if (body === null) return null
  const recvTs = context.clock.now()
  // The two eras name the book differently; a response with neither is an empty book in an empty envelope.
  const book =
    body.orderbook_fp === undefined && body.orderbook
      ? normalizeLegacyBook(bookId, body.orderbook, recvTs)
      : normalizeBook(bookId, body.orderbook_fp ?? {}, recvTs)
  if (book === null) throw unreadable(context, `/markets/${bookId}/orderbook`, 'level')
  return book
}

export async function fetchOrderBooks(
  context: VenueContext,
  bookIds: readonly string[],
): Promise<Map<string, BookSnapshot>> {
  const books = new Map<string, BookSnapshot>()
  const wanted = [...new Set(bookIds)]
  for (let from = 0; from < wanted.length; from += endpoints.booksPerRequestMax) {
    const batch = wanted.slice(from, from + endpoints.booksPerRequestMax)
    const rows = await endpoints.getBooks(context, batch)
    const recvTs = context.clock.now()
    const read = (row: unknown): BookSnapshot | null => {
      const { data } = KalshiNamedBook.safeParse(row)
      return data === undefined ? null : normalizeBook(data.ticker, data.orderbook_fp ?? KalshiBook.parse({}), recvTs)
    }
    for (const book of readRows(context, rows, { what: 'order book', name: 'ticker', read })) {
      books.set(book.bookId, book)
    }
  }
  return books
}

export async function fetchTrades(
  context: VenueContext,
  { outcomeId, marketId }: OutcomeRef,
  query: TradesQuery,
): Promise<Trade[]> {
  const { startMs, endMs, limit } = query
  const pages = endpoints.tradePages(context, {
    ticker: marketId,
    pageSize: Math.max(1, Math.min(limit, endpoints.tradesPageMax)),
    ...(startMs === undefined ? {} : { minTs: Math.floor(startMs / 1000) }),
    ...(endMs === undefined ? {} : { maxTs: Math.ceil(endMs / 1000) }),
  })
  const read = (row: unknown): Trade | null => {
    const { data } = KalshiTrade.safeParse(row)
    return data === undefined ? null : normalizeTrade(data, outcomeId, outcomeId !== marketId)
  }
  const trades: Trade[] = []
  for await (const rows of pages) {
    const page = readTape(context, rows, { what: 'trade', name: 'trade_id', read })
    trades.push(...page.filter((trade) => isInRange(trade, query)))
    if (trades.length >= limit) break
  }
  return trades.slice(0, limit)
}

/** Oldest first. Empty buckets are absent. */
export async function fetchCandles(
  context: VenueContext,
  { outcomeId, marketId, eventId, metadata }: OutcomeRef,
  query: CandlesQuery,
): Promise<Candle[]> {
  const { resolutionMs } = query
  const base = baseLengthMs(resolutionMs)
  if (base === null) throw new Fault('VALIDATION_ERROR', 'no such candle length', { exchange: context.venue })
  const seriesTicker =
    typeof metadata.seriesTicker === 'string' ? metadata.seriesTicker : seriesOfTicker(eventId ?? marketId)
  const isNo = outcomeId !== marketId

  async function fetch(fromMs: number, beforeMs: number): Promise<Candle[]> {
    const rows = await endpoints.getCandles(context, {
      seriesTicker,
      ticker: marketId,
      // Buckets are named by their ends: one that starts at the window's start ends a length later.
      startTs: Math.floor((fromMs + 1) / 1000),
      endTs: Math.ceil(beforeMs / 1000),
      periodMinutes: base! / 60_000,
    })
    if (rows === null) throw new Fault('MARKET_NOT_FOUND', 'no such market', { exchange: context.venue })
    const fine = readRows(context, rows, { what: 'candle', name: 'end_period_ts', read: shapeReader(KalshiCandle) })
      .map((raw) => normalizeCandle(raw, base!, isNo))
      .filter((candle) => candle !== null && candle.timestamp >= fromMs && candle.timestamp < beforeMs)
      .sort((a, b) => a!.timestamp - b!.timestamp) as Candle[]
    return base === resolutionMs ? fine : aggregateCandles(fine, resolutionMs)
  }

  const { candles } = await collectCandles(query, {
    nowMs: context.clock.now(),
    earliestMs: momentOf(metadata.openTime),
    latestMs: momentOf(metadata.closeTime),
    spanMaxMs: candlesPerRequestMax * base,
    requestsMax: candleRequestsMax,
    fetch,
  })
  return candles
}

/** Epoch ms of a time that the normalizer wrote; null when absent. */
const momentOf = (iso: unknown): number | null => timeOf(typeof iso === 'string' ? iso : null)
