// The manifest's data functions: endpoints combined with normalizers. An unreadable row is skipped and logged.
import type { Event, Market } from '#schemas/market'
import type { Trade } from '#schemas/marketData'
import { furtherPage, retryAfterRateLimit } from '../../shared/data/pages.ts'
import { unreadable } from '../../shared/data/rest.ts'
import { readOptional, readRows, readTape, shapeReader } from '../../shared/data/rows.ts'
import { isInRange } from '../../shared/data/tradeHistory.ts'
import type { BookSnapshot, CatalogPage, OutcomeRef, TradesQuery } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { partsOf } from '../ids.ts'
import { Name, PredictStreetEvent, PredictStreetMarket } from '../wire.ts'
import * as endpoints from './endpoints.ts'
import { normalizeEvent, normalizeMarket } from './normalize.ts'
import { normalizeBook, normalizeTrade } from './tape.ts'

/** Of all the market's outcomes together; older ones are not searched. */
const tradePagesMax = 5

/**
 * Neither list has pages or a filter for changes: events with their markets, then further entries of the market list. Ended markets are on neither;
 * they are read individually.
 */
export async function* walkCatalog(context: VenueContext): AsyncIterable<CatalogPage> {
  const words = 'no list of events: each is read individually'
  const listed = await retryAfterRateLimit(context, () =>
    readOptional(context, words, [], endpoints.getEvents(context)),
  )
  const events = readRows(context, listed, { what: 'event', name: 'id', read: shapeReader(PredictStreetEvent) })
  const listedIds = new Set<string>()
  const page = (raw: readonly PredictStreetEvent[]): CatalogPage => {
    const read = raw.map((event) => eventOf(context, event))
    for (const { markets } of read) for (const { marketId } of markets) listedIds.add(marketId)
    return { events: read, series: [] }
  }
  if (events.length > 0) yield page(events)
  const rows = await retryAfterRateLimit(context, () => endpoints.getMarkets(context))
  if (rows.length >= endpoints.marketsMax)
    context.log.warn({ rows: rows.length }, 'the venue cuts its list of markets off')
  for (const { slug, eventId } of readRows(context, rows, marketRows)) {
    if (listedIds.has(slug)) continue
    const event = await retryAfterRateLimit(context, () => endpoints.getEvent(context, eventId))
    if (event !== null) yield page([event])
  }
}

const isName = (text: string): boolean => Name.safeParse(text).success
const marketRows = { what: 'market', name: 'slug', read: shapeReader(PredictStreetMarket) }

function eventOf(context: VenueContext, event: PredictStreetEvent): Event {
  const read = (row: unknown): Market | null => {
    const { data } = PredictStreetMarket.safeParse(row)
    return data?.eventId === event.id ? normalizeMarket(data, event) : null
  }
  return normalizeEvent(event, readRows(context, event.markets, { ...marketRows, read }))
}

/** Null also for an ended event: the venue no longer returns it. */
export async function fetchEvent(context: VenueContext, eventId: string): Promise<Event | null> {
  const raw = isName(eventId) ? await endpoints.getEvent(context, eventId) : null
  if (raw === null) return null
  if (raw.id !== eventId) throw unreadable(context, `/api/events/${eventId}`, `event ${raw.id}`)
  return eventOf(context, raw)
}

export async function fetchMarket(
  context: VenueContext,
  marketId: string,
): Promise<{ market: Market; event: Event | null } | null> {
  const raw = isName(marketId) ? await endpoints.getMarket(context, marketId) : null
  if (raw === null) return null
  const market = raw.slug === marketId ? normalizeMarket(raw, null) : null
  if (market === null) throw unreadable(context, `/api/markets/${marketId}`, `market ${raw.slug}, symbol ${raw.symbol}`)
  return { market, event: await fetchEvent(context, raw.eventId) }
}

export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  const parts = partsOf(bookId)
  const raw = parts === null ? null : await endpoints.getBook(context, parts.symbol, parts.index)
  if (raw === null) return null
  const book = normalizeBook(bookId, raw, context.clock.now())
  if (book === null)
    throw unreadable(context, `book ${bookId}`, `a level, or the book of ${raw.marketId}:${raw.outcome}`)
  return book
}

/**
 * The tape is the market's: an outcome's trades are searched among all. A page begins a millisecond above the end of the last one, so that none is
 * lost.
 */
export async function fetchTrades(
  context: VenueContext,
  { outcomeId }: Pick<OutcomeRef, 'outcomeId'>,
  query: TradesQuery,
): Promise<Trade[]> {
  const symbol = partsOf(outcomeId)?.symbol
  if (symbol === undefined) return []
  const seen = new Map<string, Trade>()
  const own = () => [...seen.values()].filter((trade) => trade.outcomeId === outcomeId && isInRange(trade, query))
  let beforeMs = query.endMs === undefined ? undefined : query.endMs + 1
  const afterMs = query.startMs === undefined ? undefined : query.startMs - 1
  for (let page = 0; page < tradePagesMax && own().length < query.limit; page++) {
    const reading: ReturnType<typeof endpoints.getTrades> = endpoints.getTrades(context, symbol, { beforeMs, afterMs })
    const body: Awaited<typeof reading> = await furtherPage(context, page === 0, reading)
    if (body !== null && body.symbol !== symbol) throw unreadable(context, `trades of ${symbol}`, `of ${body.symbol}`)
    const trades = readTape(context, body?.trades, {
      what: 'trade',
      name: 'id',
      read: (row) => normalizeTrade(row, symbol),
    })
    const before = seen.size
    for (const trade of trades) seen.set(trade.id, trade)
    if (body === null || body.trades.length < endpoints.tradesMax || seen.size === before) break
    beforeMs = Math.min(...trades.map(({ timestamp }) => timestamp)) + 1
  }
  return own()
    .sort((a, b) => b.timestamp - a.timestamp)
    .slice(0, query.limit)
}
