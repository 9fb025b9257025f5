// The data functions of the manifest: endpoints joined with normalisers. A row that cannot be read is left out and said in the log.
import type { Event, Market, Series } from '#schemas/market'
import type { Trade } from '#schemas/marketData'
import type { BookSnapshot, CatalogPage, OutcomeRef, TradesQuery, VenueContext } from '../../venue.ts'
import { eventTickersOf, symbolForm } from '../symbol.ts'
import { GeminiContract, GeminiEvent, GeminiTrade } from '../wire.ts'
import * as endpoints from './endpoints.ts'
import { normalizeEvent, normalizeMarket, normalizeSeries } from './normalize.ts'
import { normalizeBook, normalizeTrade } from './normalizeTape.ts'

/** Settled events change no more: the latest of them are read from a list of their own, older ones by `fetchMarket`. */
const walkedStatuses = ['approved', 'active', 'closed', 'under_review'] as const
/** Events asked about for one symbol. */
const eventGuessesMax = 6

/** The venue cannot be asked what changed: every walk is whole, but for settled events from before `updatedSinceMs`. */
export async function* walkCatalog(
  context: VenueContext,
  { updatedSinceMs }: { updatedSinceMs: number | null },
): AsyncIterable<CatalogPage> {
  const told = new Set<string>()
  for await (const rows of endpoints.eventPages(context, walkedStatuses)) yield pageOf(context, rows, told)
  try {
    for await (const rows of endpoints.settledPages(context)) {
      yield pageOf(context, rows, told)
      if (updatedSinceMs !== null && rows.every((row) => resolvedBefore(row, updatedSinceMs))) return
    }
  } catch (error) {
    if (context.signal.aborted) throw error
    context.log.warn({ venue: 'gemini', err: error }, 'no list of settled events: some stay as they were last seen')
  }
}

function pageOf(context: VenueContext, rows: readonly unknown[], told: Set<string>): CatalogPage {
  const events: Event[] = []
  const series: Series[] = []
  for (const row of rows) {
    const parsed = GeminiEvent.safeParse(row)
    if (!parsed.success) {
      unread(context, 'event', (row as { ticker?: unknown } | null)?.ticker)
      continue
    }
    const event = eventOf(context, parsed.data)
    events.push(event)
    if (event.seriesId === null || told.has(event.seriesId)) continue
    told.add(event.seriesId)
    series.push(normalizeSeries(event.seriesId))
  }
  return { events, series }
}

function eventOf(context: VenueContext, event: GeminiEvent): Event {
  const markets: Market[] = []
  for (const row of event.contracts ?? []) {
    const parsed = GeminiContract.safeParse(row)
    if (parsed.success && symbolForm.test(parsed.data.instrumentSymbol)) {
      markets.push(normalizeMarket(parsed.data, event))
    } else {
      unread(context, 'contract', (row as { instrumentSymbol?: unknown } | null)?.instrumentSymbol)
    }
  }
  return normalizeEvent(event, markets)
}

/** False when it does not say. */
const resolvedBefore = (row: unknown, ms: number): boolean =>
  Date.parse(String((row as { resolvedAt?: unknown } | null)?.resolvedAt)) < ms

export async function fetchEvent(context: VenueContext, eventId: string): Promise<Event | null> {
  const raw = await endpoints.getEvent(context, eventId)
  return raw === null ? null : eventOf(context, raw)
}

/** There is no read of one contract: its event is asked for, and believed only when it lists this very symbol. */
export async function fetchMarket(
  context: VenueContext,
  marketId: string,
): Promise<{ market: Market; event: Event } | null> {
  if (!symbolForm.test(marketId)) return null
  for (const ticker of eventTickersOf(marketId, eventGuessesMax)) {
    const raw = await endpoints.getEvent(context, ticker)
    if (raw === null) continue
    const event = eventOf(context, raw)
    const market = event.markets.find((candidate) => candidate.marketId === marketId)
    if (market !== undefined) return { market, event }
    const listed = raw.contracts?.some((row) => (row as { instrumentSymbol?: unknown })?.instrumentSymbol === marketId)
    if (listed === true) throw endpoints.unreadable(`events/${ticker}`, `contract ${marketId}`)
  }
  return null
}

export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  const raw = await endpoints.getBook(context, bookId)
  if (raw === null) return null
  const book = normalizeBook(bookId, raw, context.clock.now())
  if (book === null) throw endpoints.unreadable(`/v1/book/${bookId}`, 'level')
  return book
}

/** The newest trades that the venue shows. Its replicas disagree about the tape: a snapshot, never a sum. */
export async function fetchTrades(
  context: VenueContext,
  { outcomeId, marketId }: OutcomeRef,
  { startMs, endMs, limit }: TradesQuery,
): Promise<Trade[]> {
  // A range may lie behind the newest trades, so it is looked for in all that one answer holds.
  const whole = startMs === undefined && endMs === undefined
  const rows = await endpoints.getTrades(context, marketId, whole ? limit : endpoints.tradesMax)
  if (rows === null) return []
  const trades: Trade[] = []
  for (const row of rows) {
    const parsed = GeminiTrade.safeParse(row)
    const trade = parsed.success ? normalizeTrade(parsed.data, outcomeId, outcomeId !== marketId) : null
    if (trade === null) unread(context, 'trade', (row as { tid?: unknown } | null)?.tid)
    else trades.push(trade)
  }
  // Rows of another form are no quiet market.
  if (rows.length > 0 && trades.length === 0) throw endpoints.unreadable(`/v1/trades/${marketId}`, 'every row')
  const asked = (at: number): boolean => at >= (startMs ?? 0) && at <= (endMs ?? Infinity)
  return trades.filter(({ timestamp }) => asked(timestamp)).slice(0, limit)
}

function unread(context: VenueContext, what: string, name: unknown): void {
  context.log.warn({ venue: 'gemini', what, name }, 'a row that cannot be read was left out')
}
