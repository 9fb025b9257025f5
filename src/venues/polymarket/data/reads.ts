// The manifest's data functions: which calls make up one response.
import type { Event, Market, Series } from '#schemas/market'
import type { Candle, Trade } from '#schemas/marketData'
import { collectCandles } from '../../shared/collectCandles.ts'
import { byCursor, byNumber } from '../../shared/data/pages.ts'
import { readRows, readTape, shapeReader } from '../../shared/data/rows.ts'
import { isInRange } from '../../shared/data/tradeHistory.ts'
import type { BookSnapshot, CandlesQuery, CatalogPage, OutcomeRef, TradesQuery } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { bookIdOf, conditionOfPosition, isPositionId, widthsOf } from '../ids.ts'
import { DataPricePoint, DataTrade, GammaEvent, type GammaMarket } from '../wire.ts'
import { grainOf, livesOf, spanMaxMs, wholeLife, windowsMax } from './candles.ts'
import {
  booksPerRequest,
  fetchBook,
  fetchBooks,
  fetchEventById,
  fetchEventsAfter,
  fetchEventsAt,
  fetchMarketById,
  fetchMarketBySlug,
  fetchTokenMarket,
  findMarket,
  gammaPageMax,
  type PricesSpan,
  pricePages,
  tradePages,
  tradesPageMax,
} from './endpoints.ts'
import { FillIds, fillNamesOf } from './fillIds.ts'
import { marketsOf, normalizeEvent, normalizeMarket, normalizeSeries } from './normalize.ts'
import { candlesOf, normalizeBook, normalizeTrades } from './tape.ts'

/**
 * Every open event with all its markets, including closed ones. Fully closed events are not walked (they far outnumber the open ones);
 * `fetchEvent` reads one on request. Gamma has no filter by time of change, and `updatedAt` ignores prices: every walk is full.
 */
export async function* walkCatalog(
  context: VenueContext,
  _options: { updatedSinceMs: number | null },
): AsyncGenerator<CatalogPage> {
  for await (const listed of listEvents(context)) {
    const page: CatalogPage = { events: [], series: [] }
    const series = new Map<string, Series>()
    for (const raw of readRows(context, listed, { what: 'event', name: 'id', read: shapeReader(GammaEvent) })) {
      page.events.push(eventWith(raw, marketsOf(context, raw)))
      for (const entry of raw.series ?? []) series.set(entry.id, normalizeSeries(entry))
    }
    page.series.push(...series.values())
    yield page
  }
}

const eventWith = (raw: GammaEvent, markets: readonly GammaMarket[]): Event =>
  normalizeEvent(
    raw,
    markets.map((market) => normalizeMarket(market, raw)),
  )

/** Pages of raw events, by cursor, or by offset if the keyset listing is missing. */
async function* listEvents(context: VenueContext): AsyncGenerator<unknown[]> {
  let isListed = false
  yield* byCursor(context, {
    list: 'events',
    async read(cursor) {
      const page = await fetchEventsAfter(context, cursor)
      isListed ||= page !== null
      return page
    },
    rowsOf: ({ events }) => events,
    cursorOf: ({ next_cursor }) => next_cursor,
  })
  if (isListed) return
  yield* byNumber(context, {
    list: 'events',
    first: 0,
    read: (page) => fetchEventsAt(context, page * gammaPageMax),
    rowsOf: (rows) => rows,
    isLast: () => false,
  })
}

export async function fetchEvent(context: VenueContext, eventId: string): Promise<Event | null> {
  const raw = gammaId.test(eventId) ? await fetchEventById(context, eventId) : null
  return raw === null ? null : eventWith(raw, marketsOf(context, raw))
}

const gammaId = /^\d{1,15}$/
/** Of either protocol. */
const conditionId = /^0x[0-9a-fA-F]{62}(?:[0-9a-fA-F]{2})?$/
const tokenId = /^\d{16,78}$/
/** Slugs as the venue writes them; anything else cannot name a market. */
const slug = /^[\w.-]{1,300}$/

/** By Gamma market id (our `marketId`), condition id, token id or slug. */
export async function fetchMarket(
  context: VenueContext,
  marketId: string,
): Promise<{ market: Market; event: Event | null } | null> {
  const raw = await findRaw(context, marketId)
  if (raw === null) return null
  const head = raw.events?.[0] ?? null
  if (head === null) return { market: normalizeMarket(raw, null), event: null }
  const full = await fetchEventById(context, head.id)
  const market = normalizeMarket(raw, full ?? head)
  if (full === null) return { market, event: normalizeEvent(head, [market]) }
  const siblings = marketsOf(context, full).filter(({ id }) => id !== raw.id)
  return { market, event: eventWith(full, [raw, ...siblings]) }
}

function findRaw(context: VenueContext, marketId: string): Promise<GammaMarket | null> {
  if (gammaId.test(marketId)) return fetchMarketById(context, marketId)
  if (conditionId.test(marketId)) return findMarket(context, { condition_ids: widthsOf(marketId) })
  // Whether Gamma finds a market by its position ids is not known; the condition is part of them.
  if (isPositionId(marketId)) return findMarket(context, { condition_ids: widthsOf(conditionOfPosition(marketId)) })
  if (tokenId.test(marketId)) return findMarket(context, { clob_token_ids: marketId })
  return slug.test(marketId) ? fetchMarketBySlug(context, marketId) : Promise.resolve(null)
}

export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  if (bookIdOf(bookId) === null) return null
  const raw = await fetchBook(context, bookId)
  return raw === null ? null : normalizeBook(raw, context.clock.now())
}

export async function fetchOrderBooks(
  context: VenueContext,
  bookIds: readonly string[],
): Promise<Map<string, BookSnapshot>> {
  const wanted = [...new Set(bookIds)].filter((id) => bookIdOf(id) !== null)
  const books = new Map<string, BookSnapshot>()
  for (let from = 0; from < wanted.length; from += booksPerRequest) {
    const answer = await fetchBooks(context, wanted.slice(from, from + booksPerRequest))
    for (const raw of answer) books.set(raw.asset_id, normalizeBook(raw, context.clock.now()))
  }
  return books
}

const tradesPageMin = 100

/**
 * Newest first. The venue lists both tokens of a market together and takes no range there: the requested range is searched page by page.
 */
export async function fetchTrades(context: VenueContext, outcome: OutcomeRef, query: TradesQuery): Promise<Trade[]> {
  const market = await conditionIdOf(context, outcome)
  if (market === null) return []
  const isRange = query.startMs !== undefined || query.endMs !== undefined
  const pageRows = isRange ? tradesPageMax : Math.min(tradesPageMax, Math.max(tradesPageMin, 4 * query.limit))
  const rows: DataTrade[] = []
  for await (const page of tradePages(context, market, pageRows)) {
    rows.push(...readTape(context, page, { what: 'trade', name: 'transaction_hash', read: shapeReader(DataTrade) }))
    const own = normalizeTrades(rows, outcome.outcomeId, new FillIds())
    const oldest = rows.at(-1)
    const isReached = query.startMs !== undefined && oldest !== undefined && oldest.timestamp * 1000 < query.startMs
    if (isReached || own.filter((trade) => isInRange(trade, query)).length >= query.limit) break
  }
  return normalizeTrades(rows, outcome.outcomeId, fillNamesOf(context))
    .filter((trade) => isInRange(trade, query))
    .slice(0, query.limit)
}

/** From the catalog, otherwise from the CLOB. */
async function conditionIdOf(context: VenueContext, { outcomeId, metadata }: OutcomeRef): Promise<string | null> {
  const { conditionId } = metadata
  if (typeof conditionId === 'string' && conditionId !== '') return conditionId
  if (bookIdOf(outcomeId) === null) return null
  return (await fetchTokenMarket(context, outcomeId))?.condition_id ?? null
}

/** Oldest first. Point-sampled: see `candlesOf`. */
export async function fetchCandles(context: VenueContext, outcome: OutcomeRef, query: CandlesQuery): Promise<Candle[]> {
  if (bookIdOf(outcome.outcomeId) === null) return []
  const { resolutionMs, limit } = query
  const nowMs = context.clock.now()
  const read = async (span: PricesSpan, seconds: number, fromMs: number, beforeMs: number): Promise<Candle[]> => {
    const points: DataPricePoint[] = []
    const spec = { what: 'price', name: 'timestamp', read: shapeReader(DataPricePoint) }
    for await (const page of pricePages(context, outcome.outcomeId, span, seconds))
      points.push(...readTape(context, page, spec))
    return candlesOf(points, resolutionMs).filter(({ timestamp }) => timestamp >= fromMs && timestamp < beforeMs)
  }
  const windows = { nowMs, ...livesOf(outcome) }
  const fromMs = Math.max(query.startMs ?? 0, windows.earliestMs ?? 0)
  const rangeMs = Math.min(query.endMs ?? nowMs, windows.latestMs ?? nowMs, nowMs) - fromMs
  const isCoarse = resolutionMs >= 2 * wholeLife.seconds * 1000 && Math.min(limit * resolutionMs, rangeMs) > spanMaxMs
  if (!isCoarse) {
    const { candles } = await collectCandles(query, {
      ...windows,
      spanMaxMs,
      requestsMax: windowsMax,
      fetch: (from, before) =>
        read(
          { start: Math.max(1, from / 1000), end: Math.ceil(Math.min(before, nowMs) / 1000) },
          grainOf(resolutionMs, nowMs - from),
          from,
          before,
        ),
    })
    if (candles.length > 0 || rangeMs <= windowsMax * spanMaxMs) return candles
  }
  const { candles } = await collectCandles(query, {
    ...windows,
    spanMaxMs: Number.MAX_SAFE_INTEGER,
    requestsMax: 1,
    fetch: (from, before) => read({ interval: 'max' }, wholeLife.seconds, from, before),
  })
  return candles
}
