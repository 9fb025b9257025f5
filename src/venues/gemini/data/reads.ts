// The manifest's data functions: endpoints combined with normalizers. An unreadable row is skipped and logged.
import type { Event, Market, Series } from '#schemas/market'
import type { Trade } from '#schemas/marketData'
import { unreadable } from '../../shared/data/rest.ts'
import { fieldOf, readRows, readTape, shapeReader } from '../../shared/data/rows.ts'
import { isInRange } from '../../shared/data/tradeHistory.ts'
import type { BookSnapshot, CatalogPage, OutcomeRef, TradesQuery } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { eventTickersOf, isSymbol } from '../ids.ts'
import { GeminiContract, GeminiEvent, GeminiTrade } from '../wire.ts'
import * as endpoints from './endpoints.ts'
import { normalizeEvent, normalizeMarket, normalizeSeries } from './normalize.ts'
import { normalizeBook, normalizeTrade } from './tape.ts'

/** Settled events no longer change: the latest are read from a list of their own, older ones by `fetchMarket`. */
const walkedStatuses = ['approved', 'active', 'closed', 'under_review'] as const
/** Maximum events tried per symbol. */
const eventGuessesMax = 6

/** The venue cannot list only changes: every walk is full, except for settled events from before `updatedSinceMs`. */
export async function* walkCatalog(
  context: VenueContext,
  { updatedSinceMs }: { updatedSinceMs: number | null },
): AsyncIterable<CatalogPage> {
  const seenSeries = new Set<string>()
  for await (const rows of endpoints.eventPages(context, walkedStatuses)) yield pageOf(context, rows, seenSeries)
  try {
    for await (const rows of endpoints.settledPages(context)) {
      yield pageOf(context, rows, seenSeries)
      const isBefore = (row: unknown) => Date.parse(String(fieldOf(row, 'resolvedAt'))) < (updatedSinceMs ?? 0)
      if (rows.length > 0 && rows.every(isBefore)) return
    }
  } catch (error) {
    if (context.signal.aborted) throw error
    context.log.warn({ err: error }, 'no list of settled events: some stay as they were last seen')
  }
}

function pageOf(context: VenueContext, rows: readonly unknown[], seenSeries: Set<string>): CatalogPage {
  const read = readRows(context, rows, { what: 'event', name: 'ticker', read: shapeReader(GeminiEvent) })
  const events = read.map((event) => eventOf(context, event))
  const series: Series[] = []
  for (const { seriesId } of events) {
    if (seriesId === null || seenSeries.has(seriesId)) continue
    seenSeries.add(seriesId)
    series.push(normalizeSeries(seriesId))
  }
  return { events, series }
}

function eventOf(context: VenueContext, event: GeminiEvent): Event {
  const read = (row: unknown): Market | null => {
    const { data } = GeminiContract.safeParse(row)
    return data !== undefined && isSymbol(data.instrumentSymbol) ? normalizeMarket(data, event) : null
  }
  return normalizeEvent(event, readRows(context, event.contracts, { what: 'contract', name: 'instrumentSymbol', read }))
}

export async function fetchEvent(context: VenueContext, eventId: string): Promise<Event | null> {
  const raw = await endpoints.getEvent(context, eventId)
  return raw === null ? null : eventOf(context, raw)
}

/** There is no read of a single contract: its event is read, and accepted only if it lists this exact symbol. */
export async function fetchMarket(
  context: VenueContext,
  marketId: string,
): Promise<{ market: Market; event: Event } | null> {
  if (!isSymbol(marketId)) return null
  for (const ticker of eventTickersOf(marketId, eventGuessesMax)) {
    const raw = await endpoints.getEvent(context, ticker)
    if (raw === null) continue
    const event = eventOf(context, raw)
    const market = event.markets.find((candidate) => candidate.marketId === marketId)
    if (market !== undefined) return { market, event }
    if (raw.contracts?.some((row) => fieldOf(row, 'instrumentSymbol') === marketId)) {
      throw unreadable(context, `events/${ticker}`, `contract ${marketId}`)
    }
  }
  return null
}

export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  const raw = await endpoints.getBook(context, bookId)
  if (raw === null) return null
  const book = normalizeBook(bookId, raw, context.clock.now())
  if (book === null) throw unreadable(context, `/v1/book/${bookId}`, 'level')
  return book
}

/** The newest trades that the venue shows. Its replicas disagree about the tape: a snapshot, never a sum. */
export async function fetchTrades(
  context: VenueContext,
  { outcomeId, marketId }: OutcomeRef,
  query: TradesQuery,
): Promise<Trade[]> {
  // A range may be older than the newest trades, so all rows of one response are searched.
  const isWhole = query.startMs === undefined && query.endMs === undefined
  const rows = await endpoints.getTrades(context, marketId, isWhole ? query.limit : endpoints.tradesMax)
  const read = (row: unknown): Trade | null => {
    const { data } = GeminiTrade.safeParse(row)
    return data === undefined ? null : normalizeTrade(data, outcomeId, outcomeId !== marketId)
  }
  const trades = readTape(context, rows, { what: 'trade', name: 'tid', read })
  return trades.filter((trade) => isInRange(trade, query)).slice(0, query.limit)
}
