// The manifest's data functions: endpoints combined with normalizers. An unreadable row is skipped and logged.
import type { Event, Market } from '#schemas/market'
import type { Trade } from '#schemas/marketData'
import { unreadable } from '../../shared/data/rest.ts'
import { readRows, readTape, shapeReader } from '../../shared/data/rows.ts'
import { isInRange } from '../../shared/data/tradeHistory.ts'
import type { BookSnapshot, CatalogPage, OutcomeRef, TradesQuery } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { bookRef, isMarketId, isSlug } from '../ids.ts'
import { PredictCategory, PredictMarket, PredictMatch } from '../wire.ts'
import * as endpoints from './endpoints.ts'
import { normalizeEvent, normalizeMarket } from './normalize.ts'
import { normalizeBook, normalizeTrade } from './tape.ts'

/** Unresolved categories. The resolved ones number in the hundreds of thousands, and no longer change. */
export async function* walkCatalog(context: VenueContext): AsyncIterable<CatalogPage> {
  for await (const rows of endpoints.openCategories(context)) {
    const read = readRows(context, rows, { what: 'category', name: 'slug', read: shapeReader(PredictCategory) })
    yield { events: read.map((category) => eventOf(context, category)), series: [] }
  }
}

function eventOf(context: VenueContext, category: PredictCategory): Event {
  const read = (row: unknown): Market | null => {
    const { data } = PredictMarket.safeParse(row)
    return data === undefined ? null : normalizeMarket(data, category)
  }
  return normalizeEvent(category, readRows(context, category.markets, { what: 'market', name: 'id', read }))
}

export async function fetchEvent(context: VenueContext, eventId: string): Promise<Event | null> {
  if (!isSlug(eventId)) return null
  const raw = await endpoints.getCategory(context, eventId)
  if (raw === null) return null
  if (raw.slug !== eventId) throw unreadable(context, `categories/${eventId}`, 'another category')
  return eventOf(context, raw)
}

/** Its category says when it ends and what else there is: it is read too, so that the market matches the walk's. */
export async function fetchMarket(
  context: VenueContext,
  marketId: string,
): Promise<{ market: Market; event: Event | null } | null> {
  if (!isMarketId(marketId)) return null
  const raw = await endpoints.getMarket(context, marketId)
  if (raw === null) return null
  if (String(raw.id) !== marketId) throw unreadable(context, `markets/${marketId}`, 'another market')
  const event = raw.categorySlug ? await fetchEvent(context, raw.categorySlug) : null
  const listed = event?.markets.find((market) => market.marketId === marketId)
  const market = listed ?? normalizeMarket(raw, null)
  if (market === null) throw unreadable(context, `markets/${marketId}`, 'outcomes')
  return { market, event: listed === undefined ? null : event }
}

export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  if (!isMarketId(bookId)) return null
  const raw = await endpoints.getBook(context, bookId)
  if (raw === null) return null
  const book = String(raw.marketId) === bookId ? normalizeBook(bookId, raw, context.clock.now()) : null
  if (book === null) throw unreadable(context, `orderbook ${bookId}`, 'level, or another market')
  return book
}

/** Newest first, page by page until there are enough; the venue has no time filter. */
export async function fetchTrades(
  context: VenueContext,
  { outcomeId, marketId }: OutcomeRef,
  query: TradesQuery,
): Promise<Trade[]> {
  const indexSet = bookRef(outcomeId, marketId)?.complement === true ? 2 : 1
  const read = (row: unknown): Trade | null => {
    const { data } = PredictMatch.safeParse(row)
    return data === undefined ? null : normalizeTrade(data, outcomeId, indexSet)
  }
  const found: Trade[] = []
  for await (const rows of endpoints.matchPages(context, marketId)) {
    const trades = readTape(context, rows, { what: 'match', name: 'settlementId', read })
    found.push(...trades.filter((trade) => isInRange(trade, query)))
    const isPast = trades.some(({ timestamp }) => timestamp < (query.startMs ?? 0))
    if (found.length >= query.limit || isPast) break
  }
  return found.toSorted((a, b) => b.timestamp - a.timestamp).slice(0, query.limit)
}
