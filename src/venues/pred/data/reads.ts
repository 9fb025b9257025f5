// The manifest's data functions: endpoints combined with normalizers. An unreadable row is skipped and logged.
import type { Event, Market } from '#schemas/market'
import { retryAfterRateLimit } from '../../shared/data/pages.ts'
import { unreadable } from '../../shared/data/rest.ts'
import { fieldOf, readOptional, readRows, shapeReader } from '../../shared/data/rows.ts'
import type { BookSnapshot, CatalogPage } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { isHash, partsOf } from '../ids.ts'
import { PredChild, PredEntry, type PredParent } from '../wire.ts'
import * as endpoints from './endpoints.ts'
import { normalizeBook, normalizeEvent, type PredFixture, statusOf } from './normalize.ts'

const childRows = { what: 'market', name: 'market_id', read: shapeReader(PredChild) }

/** The venue cannot list only changes: every walk is full. A separate read of an ended market adds nothing to the list. */
export async function* walkCatalog(context: VenueContext): AsyncIterable<CatalogPage> {
  for await (const rows of endpoints.parentPages(context)) {
    const events: Event[] = []
    for (const entry of readRows(context, rows, {
      what: 'parent',
      name: 'parent_market_data',
      read: shapeReader(PredEntry),
    })) {
      const { parent_market_data: parent, markets } = entry
      const details = isOver(entry) ? null : await detailsOf(context, parent.parent_market_id)
      events.push(eventOf(context, details ?? { parent_market_data: parent, markets }, entry))
    }
    yield { events, series: [] }
  }
}

const isOver = ({ parent_market_data: parent }: PredEntry): boolean => statusOf(parent.status) === 'resolved'

const withoutDetails = 'could not read a parent market: its markets have no prices and volumes'
const detailsOf = (context: VenueContext, parentId: string) =>
  retryAfterRateLimit(context, () =>
    readOptional(
      context,
      withoutDetails,
      null,
      endpoints.getParent(context, parentId).then((body) => body?.data ?? null),
    ),
  )

interface ParentResponse {
  parent_market_data: PredParent
  markets: readonly unknown[]
}

const eventOf = (
  context: VenueContext,
  { parent_market_data: parent, markets }: ParentResponse,
  fixtureData: PredFixture | null,
): Event => normalizeEvent(parent, readRows(context, markets, childRows), fixtureData)

async function parentOf(context: VenueContext, parentId: string): Promise<ParentResponse | null> {
  const body = isHash(parentId) ? await endpoints.getParent(context, parentId) : null
  if (body === null) return null
  const { parent_market_id: id } = body.data.parent_market_data
  if (id !== parentId) throw unreadable(context, `parent ${parentId}`, `parent ${id}`)
  return body.data
}

/** Without its fixture, which only the list has. */
export async function fetchEvent(context: VenueContext, eventId: string): Promise<Event | null> {
  const response = await parentOf(context, eventId)
  return response === null ? null : eventOf(context, response, null)
}

/** A child is only available through its parent. */
export async function fetchMarket(
  context: VenueContext,
  marketId: string,
): Promise<{ market: Market; event: Event } | null> {
  const parts = partsOf(marketId)
  const response = parts === null ? null : await parentOf(context, parts.parentId)
  if (parts === null || response === null) return null
  const event = eventOf(context, response, null)
  const market = event.markets.find((candidate) => candidate.marketId === marketId)
  if (market !== undefined) return { market, event }
  const isListed = response.markets.some((row) => fieldOf(row, 'market_id') === parts.childId)
  if (isListed) throw unreadable(context, `parent ${parts.parentId}`, `market ${parts.childId}`)
  return null
}

export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  const parts = partsOf(bookId)
  const raw = parts === null ? null : await endpoints.getBook(context, parts.parentId, parts.childId)
  if (raw === null) return null
  const book = normalizeBook(bookId, raw, context.clock.now())
  if (book === null) throw unreadable(context, `book ${bookId}`, 'a level')
  return book
}
