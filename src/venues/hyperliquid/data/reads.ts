// The manifest's data functions: endpoints combined with normalizers. The venue lists everything at once, without pages.
import type { Event, Market } from '#schemas/market'
import type { Trade } from '#schemas/marketData'
import { retryAfterRateLimit } from '../../shared/data/pages.ts'
import { unreadable } from '../../shared/data/rest.ts'
import { readTape } from '../../shared/data/rows.ts'
import { isInRange } from '../../shared/data/tradeHistory.ts'
import type { BookSnapshot, CatalogPage, OutcomeRef, TradesQuery } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { isCoin, outcomeNumberOf } from '../ids.ts'
import { HyperTrade } from '../wire.ts'
import { getBook, getTrades } from './endpoints.ts'
import { type Listing, readListing } from './listing.ts'
import { eventIdOf, type Listed, normalizeEvent, normalizeMarket } from './normalize.ts'
import { fetchSettled, findSettled } from './settled.ts'
import { normalizeBook, normalizeTrade } from './tape.ts'

/** Written to storage together. */
const eventsPerPage = 200

/** Every open outcome, then those that have settled since they were seen. The list does not say when a row changed: every walk is full. */
export async function* walkCatalog(
  context: VenueContext,
  _options: { updatedSinceMs: number | null },
): AsyncGenerator<CatalogPage> {
  const listing = await retryAfterRateLimit(context, () => readListing(context))
  yield* pagesOf(groupsOf(listing.open), listing)
  const { settled, remember } = await findSettled(context, listing)
  const touched = new Set(settled.map(eventIdOf))
  const siblings = listing.open.filter((listed) => touched.has(eventIdOf(listed)))
  yield* pagesOf(groupsOf([...siblings, ...settled]), listing)
  remember()
}

function groupsOf(rows: readonly Listed[]): Listed[][] {
  const groups = new Map<string, Listed[]>()
  for (const listed of rows) {
    const id = eventIdOf(listed)
    const group = groups.get(id)
    if (group === undefined) groups.set(id, [listed])
    else group.push(listed)
  }
  return [...groups.values()]
}

function* pagesOf(groups: readonly Listed[][], listing: Listing): Generator<CatalogPage> {
  for (let from = 0; from < groups.length; from += eventsPerPage) {
    const events = groups.slice(from, from + eventsPerPage).map((group) => eventOf(group, listing))
    yield { events, series: [] }
  }
}

/** By outcome number, or by either of its coins. */
export async function fetchMarket(
  context: VenueContext,
  marketId: string,
): Promise<{ market: Market; event: Event | null } | null> {
  const number = outcomeNumberOf(marketId)
  if (number === null) return null
  const listing = await readListing(context)
  const own = listing.open.find(({ spec }) => spec.outcome === number) ?? (await fetchSettled(context, number))
  if (own === null) return null
  const siblings = listing.open.filter((listed) => listed !== own && eventIdOf(listed) === eventIdOf(own))
  const event = eventOf([own, ...siblings], listing)
  return { market: event.markets[0]!, event }
}

function eventOf(group: readonly Listed[], { questions, around }: Listing): Event {
  const [first] = group
  const terms = first!.question === null ? null : (questions.get(first!.question.question) ?? null)
  const markets = group.map((listed) => normalizeMarket(listed, around))
  return normalizeEvent(first!, markets, around, terms)
}

/** Null when the venue has no such coin. Ids that cannot be an outcome's coin are requested too: the caller may only want to test reachability. */
export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  const raw = await getBook(context, bookId)
  if (raw === null || !isCoin(bookId)) return null
  const book = raw.coin === bookId ? normalizeBook(raw, context.clock.now()) : null
  if (book === null) throw unreadable(context, `l2Book ${bookId}`, 'level or coin')
  return book
}

/** Newest first. The venue takes no range: it is cut out of the recent trades. */
export async function fetchTrades(
  context: VenueContext,
  { outcomeId }: OutcomeRef,
  query: TradesQuery,
): Promise<Trade[]> {
  if (!isCoin(outcomeId)) return []
  const read = (row: unknown): Trade | null => {
    const { data } = HyperTrade.safeParse(row)
    return data === undefined ? null : normalizeTrade(data)
  }
  return readTape(context, await getTrades(context, outcomeId), { what: 'trade', name: 'tid', read })
    .filter((trade) => trade.outcomeId === outcomeId && isInRange(trade, query))
    .sort((a, b) => b.timestamp - a.timestamp)
    .slice(0, query.limit)
}
