// The manifest's data functions: endpoints combined with normalizers. An unreadable row is skipped and logged.
import type { Event, Market } from '#schemas/market'
import type { Trade } from '#schemas/marketData'
import { retryAfterRateLimit } from '../../shared/data/pages.ts'
import { unreadable } from '../../shared/data/rest.ts'
import { readRows, readTape } from '../../shared/data/rows.ts'
import { isInRange } from '../../shared/data/tradeHistory.ts'
import type { BookSnapshot, CatalogPage, OutcomeRef, TradesQuery } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { eventOf, isEvent, isSymbol } from '../ids.ts'
import { PascalBook, PascalMarket, PascalTrade } from '../wire.ts'
import * as endpoints from './endpoints.ts'
import { eventsOf, eventTitleOf, normalizeMarket } from './normalize.ts'
import { normalizeBook, normalizeTrade, tradeIds } from './tape.ts'

const eventsPerPage = 200

function readEvents(context: VenueContext, rows: readonly unknown[]): Event[] {
  const titles = new Map<string, string>()
  const read = (row: unknown): Market | null => {
    const { data } = PascalMarket.safeParse(row)
    if (data === undefined || !isSymbol(data.symbol)) return null
    const title = eventTitleOf(data)
    if (title !== undefined) titles.set(eventOf(data.symbol), title)
    return normalizeMarket(data)
  }
  return eventsOf(readRows(context, rows, { what: 'market', name: 'symbol', read }), titles)
}

/** The venue lists all of its markets at once, and does not say what changed. */
export async function* walkCatalog(
  context: VenueContext,
  _options: { updatedSinceMs: number | null },
): AsyncGenerator<CatalogPage> {
  const { data } = await retryAfterRateLimit(context, () => endpoints.getMarkets(context))
  const events = readEvents(context, data)
  if (events.length === 0 && data.length > 0) throw unreadable(context, '/api/v1/markets', 'every row')
  for (let from = 0; from < events.length; from += eventsPerPage) {
    yield { events: events.slice(from, from + eventsPerPage), series: [] }
  }
}

/** The markets of one event, including resolved ones. */
export async function fetchEvent(context: VenueContext, eventId: string): Promise<Event | null> {
  if (!isEvent(eventId)) return null
  const { data } = await endpoints.searchMarkets(context, { events: [eventId] })
  const event = readEvents(context, data).find(({ id }) => id === eventId)
  if (event === undefined && data.length > 0) throw unreadable(context, '/api/v1/markets/search', `event ${eventId}`)
  return event ?? null
}

export async function fetchMarket(
  context: VenueContext,
  marketId: string,
): Promise<{ market: Market; event: Event | null } | null> {
  if (!isSymbol(marketId)) return null
  const { data } = await endpoints.searchMarkets(context, { symbols: [marketId] })
  const markets = readEvents(context, data).flatMap((event) => event.markets)
  const market = markets.find((candidate) => candidate.marketId === marketId)
  if (market !== undefined) return { market, event: null }
  if (data.length > 0) throw unreadable(context, '/api/v1/markets/search', `market ${marketId}`)
  return null
}

export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  if (!isSymbol(bookId)) return null
  const { data, state_time_ms } = await endpoints.getBooks(context, [bookId])
  if (!Object.hasOwn(data.books, bookId)) return null
  const book = bookOf(context, bookId, data.books[bookId], state_time_ms)
  if (book === null) throw unreadable(context, '/api/v1/books', `book ${bookId}`)
  return book
}

export async function fetchOrderBooks(
  context: VenueContext,
  bookIds: readonly string[],
): Promise<Map<string, BookSnapshot>> {
  const wanted = [...new Set(bookIds.filter(isSymbol))]
  const books = new Map<string, BookSnapshot>()
  for (let from = 0; from < wanted.length; from += endpoints.booksPerRequest) {
    const batch = wanted.slice(from, from + endpoints.booksPerRequest)
    const { data, state_time_ms } = await endpoints.getBooks(context, batch)
    for (const bookId of batch) {
      if (!Object.hasOwn(data.books, bookId)) continue
      const book = bookOf(context, bookId, data.books[bookId], state_time_ms)
      if (book !== null) books.set(bookId, book)
      else context.log.warn({ symbol: bookId }, 'an unreadable book was skipped')
    }
  }
  return books
}

function bookOf(
  { clock }: VenueContext,
  bookId: string,
  row: unknown,
  stateMs: string | number | null | undefined,
): BookSnapshot | null {
  const { data } = PascalBook.safeParse(row)
  return data === undefined ? null : normalizeBook(bookId, data, clock.now(), stateMs)
}

/** A range is searched in the newest trades of one response: the venue has no time filter, so older ranges have fewer. */
export async function fetchTrades(
  context: VenueContext,
  { outcomeId, marketId }: OutcomeRef,
  query: TradesQuery,
): Promise<Trade[]> {
  const isWhole = query.startMs === undefined && query.endMs === undefined
  const limit = isWhole ? Math.min(query.limit, endpoints.tradesMax) : endpoints.tradesMax
  const { data } = await endpoints.getTrades(context, marketId, limit)
  const idOf = tradeIds()
  const read = (row: unknown): Trade | null => {
    const { data: trade } = PascalTrade.safeParse(row)
    if (trade === undefined || trade.symbol !== marketId) return null
    return normalizeTrade(trade, idOf(trade.seq), outcomeId, outcomeId !== marketId)
  }
  const trades = readTape(context, data.items, { what: 'trade', name: 'seq', read })
  return trades.filter((trade) => isInRange(trade, query)).slice(0, query.limit)
}
