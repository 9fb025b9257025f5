// The manifest's data functions: endpoints combined with normalizers.
import type { Event, Market, Series } from '#schemas/market'
import { recentBook } from '../../shared/data/recentBooks.ts'
import { unreadable } from '../../shared/data/rest.ts'
import type { BookSnapshot, CatalogPage } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { isSlug } from '../ids.ts'
import { eventPages, getBook, getEvent, getMarket } from './endpoints.ts'
import { normalizeMarket, readEvents, seriesOf } from './normalize.ts'
import { type Allowance, allowance, withSettlements } from './settlements.ts'
import { normalizeBook } from './tape.ts'

/**
 * Every event that has not ended, with all its markets: a market row names no event, so the list of markets would not show which belong
 * together. There is no filter by time of change, and `updatedAt` ignores prices: every walk is full.
 */
export async function* walkCatalog(
  context: VenueContext,
  _options: { updatedSinceMs: number | null },
): AsyncGenerator<CatalogPage> {
  const allowed = allowance()
  for await (const rows of eventPages(context)) {
    const page: CatalogPage = { events: [], series: [] }
    const series = new Map<string, Series>()
    for (const read of readEvents(context, rows)) {
      page.events.push(await settled(context, read.event, allowed))
      const one = seriesOf(read.raw)
      if (one !== null) series.set(one.id, one)
    }
    page.series.push(...series.values())
    yield page
  }
}

const settled = async (context: VenueContext, event: Event, allowed: Allowance): Promise<Event> => ({
  ...event,
  markets: await withSettlements(context, event.markets, allowed),
})

/** Also ended ones, with their markets inside. */
export async function fetchEvent(context: VenueContext, eventId: string): Promise<Event | null> {
  const body = await getEvent(context, eventId)
  if (body === null) return null
  const [read] = readEvents(context, [body.event])
  if (read?.event.id !== eventId) throw unreadable(context, `/v1/events/${eventId}`, `event ${read?.event.id}`)
  return settled(context, read.event, allowance())
}

/** By slug, which is the market id. A market row names no event, and there is no list of a market's events: the event comes from the walk. */
export async function fetchMarket(
  context: VenueContext,
  marketId: string,
): Promise<{ market: Market; event: Event | null } | null> {
  if (!isSlug(marketId)) return null
  const body = await getMarket(context, marketId)
  if (body === null) return null
  const market = normalizeMarket(body.market, null)
  if (market === null || market.marketId !== marketId) {
    throw unreadable(
      context,
      `/v1/market/slug/${marketId}`,
      market === null ? 'its sides' : `market ${market.marketId}`,
    )
  }
  const [paid] = await withSettlements(context, [market], allowance())
  return { market: paid ?? market, event: null }
}

/**
 * The venue counts calls, and its own reads are half a minute old anyway. Slightly shorter than the poll's cadence, so that a poll always reads.
 */
export const freshMs = 25_000

export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  if (!isSlug(bookId)) return null
  return recentBook(context, bookId, freshMs, async () => {
    const body = await getBook(context, bookId)
    if (body === null) return null
    const snapshot = normalizeBook(bookId, body.marketData, context.clock.now())
    if (snapshot !== null) return snapshot
    throw unreadable(context, `/v1/markets/${bookId}/book`, 'an invalid level, or another market')
  })
}
