// The manifest's data functions: endpoints combined with normalizers. An unreadable row is skipped and logged.
import type { Event, Market } from '#schemas/market'
import type { Trade } from '#schemas/marketData'
import { retryAfterRateLimit } from '../../shared/data/pages.ts'
import { unreadable } from '../../shared/data/rest.ts'
import { readOptional, readRows, readTape, shapeReader } from '../../shared/data/rows.ts'
import { isInRange } from '../../shared/data/tradeHistory.ts'
import type { BookSnapshot, CatalogPage, OutcomeRef, TradesQuery } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { outcomeOf, placeOf } from '../ids.ts'
import { MyriadAction, MyriadEvent, MyriadMarket, MyriadTrade } from '../wire.ts'
import * as endpoints from './endpoints.ts'
import { eventOfMarket, idOf, normalizeEvent, normalizeMarket } from './normalize.ts'
import { normalizeAction, normalizeBook, normalizeTrade, poolBook } from './tape.ts'

/** Resolved markets no longer change, and are the majority: five-minute games. See `fetchMarket`. */
const walkedStates = ['open', 'closed'] as const
const marketRows = { what: 'market', name: 'slug', read: shapeReader(MyriadMarket) }

/** Events of several order books first, with their markets; then every market outside of them. */
export async function* walkCatalog(context: VenueContext): AsyncIterable<CatalogPage> {
  const listedIds = new Set<string>()
  for (const state of walkedStates) {
    const words = 'no list of events: their markets are listed without events'
    const listed = retryAfterRateLimit(context, () => endpoints.listEvents(context, state))
    const rows = await readOptional(context, words, [], listed)
    const events = readRows(context, rows, { what: 'event', name: 'slug', read: shapeReader(MyriadEvent) }).map(
      (event) => eventOf(context, event),
    )
    for (const event of events) for (const { marketId } of event.markets) listedIds.add(marketId)
    yield { events: events.filter(({ markets }) => markets.length > 0), series: [] }
  }
  for (const state of walkedStates) {
    for await (const rows of endpoints.marketPages(context, state)) {
      const lone = readRows(context, rows, marketRows).filter((row) => !listedIds.has(idOf(row)))
      yield { events: lone.map(eventOfMarket), series: [] }
    }
  }
}

const eventOf = (context: VenueContext, event: MyriadEvent): Event =>
  normalizeEvent(event, readRows(context, event.markets, marketRows))

/** By its own id, or for a standalone market by the market's. */
export async function fetchEvent(context: VenueContext, eventId: string): Promise<Event | null> {
  const place = placeOf(eventId)
  if (place !== null) {
    const raw = await endpoints.getMarket(context, place)
    return raw === null || raw.eventId ? null : eventOfMarket(raw)
  }
  const raw = await endpoints.getEvent(context, eventId)
  return raw === null ? null : eventOf(context, raw)
}

export async function fetchMarket(
  context: VenueContext,
  marketId: string,
): Promise<{ market: Market; event: Event | null } | null> {
  const place = placeOf(marketId)
  const raw = place === null ? null : await endpoints.getMarket(context, place)
  if (raw === null) return null
  if (idOf(raw) !== marketId) throw unreadable(context, '/markets', `another market than ${marketId}`)
  if (!raw.eventId) {
    const event = eventOfMarket(raw)
    return { market: event.markets[0]!, event }
  }
  // Its name is prefixed by the question, which only the event has.
  const event = await endpoints.getEvent(context, raw.eventId)
  const inEvent = event === null ? null : eventOf(context, event)
  const market = inEvent?.markets.find((candidate) => candidate.marketId === marketId)
  return market === undefined ? { market: normalizeMarket(raw), event: null } : { market, event: inEvent }
}

/** The id says whether it is an order book's or a pool's. */
export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  const place = outcomeOf(bookId)
  if (place === null) return null
  if (place.model === 'amm') {
    const raw = await endpoints.getMarket(context, place)
    const isListed = raw?.outcomes.some(({ id }) => id === place.outcome) === true
    return isListed ? poolBook(bookId, raw, place.outcome, context.clock.now()) : null
  }
  const raw = await endpoints.getBook(context, place, place.outcome)
  if (raw === null) return null
  const book = normalizeBook(bookId, raw, context.clock.now())
  if (book === null) throw unreadable(context, '/orderbook', `level of ${bookId}`)
  return book
}

/** Newest first, back to the start of the requested range. */
export async function fetchTrades(
  context: VenueContext,
  { outcomeId }: OutcomeRef,
  query: TradesQuery,
): Promise<Trade[]> {
  const place = outcomeOf(outcomeId)
  if (place === null) return []
  const seconds = (ms: number | undefined, round: (number: number) => number) =>
    ms === undefined ? undefined : round(ms / 1_000)
  const range = { since: seconds(query.startMs, Math.floor), until: seconds(query.endMs, Math.ceil) }
  const isPool = place.model === 'amm'
  const pages = isPool
    ? endpoints.actionPages(context, place, range)
    : endpoints.tradePages(context, place, place.outcome)
  const trades: Trade[] = []
  for await (const rows of pages) {
    const spec = { what: 'trade', name: isPool ? 'txId' : 'txHash', read: isPool ? readAction : readTrade }
    const read = readTape(context, rows, spec).filter(({ of }) => of === place.outcome)
    const tradesOnPage = read.flatMap(({ trade }) => trade(outcomeId) ?? [])
    trades.push(...tradesOnPage.filter((trade) => isInRange(trade, query)))
    if (trades.length >= query.limit || tradesOnPage.some(({ timestamp }) => timestamp < (query.startMs ?? 0))) break
  }
  return trades.slice(0, query.limit)
}

/** A row of the tape: its outcome, if any, and the row mapped to our types. */
interface Read {
  of: string | null
  trade(outcomeId: string): Trade | null
}

function readTrade(row: unknown): Read | null {
  const raw = MyriadTrade.safeParse(row).data
  if (raw === undefined || normalizeTrade(raw, '') === null) return null
  return { of: raw.outcome, trade: (outcomeId) => normalizeTrade(raw, outcomeId) }
}

/** Liquidity changes and claims are not trades. */
function readAction(row: unknown): Read | null {
  const raw = MyriadAction.safeParse(row).data
  if (raw === undefined) return null
  const isTrade = raw.action === 'buy' || raw.action === 'sell'
  if (isTrade && normalizeAction(raw, '') === null) return null
  return {
    of: isTrade ? (raw.outcomeId ?? null) : null,
    trade: (outcomeId) => normalizeAction(raw, outcomeId),
  }
}
