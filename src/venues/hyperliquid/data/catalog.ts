// The catalog walk and the single-market read. The venue lists everything at once, without pages.
import type { Event, Market } from '#schemas/market'
import { retryAfterRateLimit } from '../../shared/data/pages.ts'
import type { CatalogPage } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { outcomeNumberOf } from './coin.ts'
import { type Listing, readListing } from './listing.ts'
import { eventIdOf, type Listed, normalizeEvent, normalizeMarket } from './normalize.ts'
import { fetchSettled, findSettled } from './settled.ts'

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
