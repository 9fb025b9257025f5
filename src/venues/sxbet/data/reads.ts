// The manifest's data functions: endpoints combined with normalizers. An unreadable row is skipped and logged.
import type { Market } from '#schemas/market'
import type { Trade } from '#schemas/marketData'
import { unreadable } from '../../shared/data/rest.ts'
import { fieldOf, readRows, readTape, shapeReader } from '../../shared/data/rows.ts'
import { isInRange } from '../../shared/data/tradeHistory.ts'
import type { BookSnapshot, CatalogPage, OutcomeRef, TradesQuery } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { isHash } from '../ids.ts'
import { SxbetMarket, SxbetTrade } from '../wire.ts'
import * as endpoints from './endpoints.ts'
import { eventIdOf, normalizeEvent, normalizeMarket, seriesOf } from './normalize.ts'
import { isTrade, normalizeBook, normalizeTrade } from './tape.ts'

const eventsPerPage = 100
const marketRows = { what: 'market', name: 'marketHash', read: shapeReader(SxbetMarket) }

/**
 * The list is ordered by market, and a fixture's may be on any page: events are returned after all pages are read, with an empty page for each
 * until then. Reported markets are not listed: see `fetchMarkets`.
 */
export async function* walkCatalog(context: VenueContext): AsyncIterable<CatalogPage> {
  const fixtures = new Map<string, Map<string, SxbetMarket>>()
  for await (const rows of endpoints.activePages(context)) {
    for (const row of readRows(context, rows, marketRows)) {
      const eventId = eventIdOf(row)
      const fixture = fixtures.get(eventId) ?? new Map<string, SxbetMarket>()
      fixtures.set(eventId, fixture.set(row.marketHash, row))
    }
    yield { events: [], series: [] }
  }
  const seenSeries = new Set<string>()
  const events = [...fixtures.values()].map((rows) => [...rows.values()])
  for (let from = 0; from < events.length; from += eventsPerPage) {
    const page = events.slice(from, from + eventsPerPage)
    const series = page
      .flatMap(([first]) => seriesOf(first!) ?? [])
      .filter(({ id }) => !seenSeries.has(id) && seenSeries.add(id))
    yield { events: page.map(normalizeEvent), series }
  }
}

export async function fetchMarkets(context: VenueContext, marketIds: readonly string[]): Promise<Map<string, Market>> {
  const hashes = marketIds.filter(isHash)
  const found = new Map<string, Market>()
  for (let from = 0; from < hashes.length; from += endpoints.findMax) {
    const batch = hashes.slice(from, from + endpoints.findMax)
    const rows = await endpoints.findMarkets(context, batch)
    for (const row of readRows(context, rows, marketRows)) found.set(row.marketHash, normalizeMarket(row))
    const lost = batch.find((hash) => !found.has(hash) && rows.some((row) => fieldOf(row, 'marketHash') === hash))
    if (lost !== undefined) throw unreadable(context, '/markets/find', `market ${lost}`)
  }
  return found
}

/** Without its event: there is no list of a fixture's markets in every state. */
export async function fetchMarket(
  context: VenueContext,
  marketId: string,
): Promise<{ market: Market; event: null } | null> {
  const market = (await fetchMarkets(context, [marketId])).get(marketId)
  return market === undefined ? null : { market, event: null }
}

export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  const answer = await endpoints.getBook(context, bookId)
  if (answer === null) return null
  const book = answer.data.marketHash === bookId ? normalizeBook(answer.data, context.clock.now()) : null
  if (book === null) throw unreadable(context, '/orderbook-v3/snapshot', `book of ${bookId}`)
  return book
}

/** The newest bets that the venue shows, back to the start of the requested range. */
export async function fetchTrades(
  context: VenueContext,
  { outcomeId, marketId }: OutcomeRef,
  query: TradesQuery,
): Promise<Trade[]> {
  const read = (row: unknown): { raw: SxbetTrade; trade: Trade } | null => {
    const raw = SxbetTrade.safeParse(row).data
    const trade = raw === undefined || raw.marketHash !== marketId ? null : normalizeTrade(raw, outcomeId)
    return trade === null ? null : { raw: raw!, trade }
  }
  const trades: Trade[] = []
  const isRange = query.startMs !== undefined || query.endMs !== undefined
  for await (const rows of endpoints.tradePages(context, marketId, isRange ? Number.POSITIVE_INFINITY : query.limit)) {
    const page = readTape(context, rows, { what: 'trade', name: 'tradeId', read })
    for (const { raw, trade } of page) if (isTrade(raw) && isInRange(trade, query)) trades.push(trade)
    const isBefore = page.some(({ trade }) => trade.timestamp < (query.startMs ?? 0))
    if (trades.length >= query.limit || isBefore) break
  }
  return trades.slice(0, query.limit)
}
