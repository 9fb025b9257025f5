// The manifest's data functions: endpoints combined with normalizers. An unreadable row is skipped and logged.
import type { Event, Market } from '#schemas/market'
import { unreadable } from '../shared/data/rest.ts'
import { readRows, shaped } from '../shared/data/rows.ts'
import type { BookSnapshot, CatalogPage, VenueContext } from '../venue.ts'
import { normalizeBook } from './book.ts'
import * as endpoints from './endpoints.ts'
import { isId } from './id.ts'
import { readEvent } from './normalize.ts'
import { NovigBooks } from './wire.ts'

const eventRows = (context: VenueContext) => ({
  what: 'event',
  name: 'id',
  read: (row: unknown) => readEvent(context, row),
})

/** Every event that has not ended, with all its markets. Events do not say when they changed: every walk is full. */
export async function* walkCatalog(
  context: VenueContext,
  _options: { updatedSinceMs: number | null },
): AsyncGenerator<CatalogPage> {
  for await (const rows of endpoints.eventPages(context)) {
    yield { events: readRows(context, rows, eventRows(context)), series: [] }
  }
}

/** The single requested event; null when the venue has none. */
function only(context: VenueContext, rows: readonly unknown[]): Event | null {
  if (rows.length === 0) return null
  const event = readEvent(context, rows[0])
  if (event === null || rows.length > 1) throw unreadable(context, 'event', `${rows.length} rows for one event`)
  return event
}

/** Also ended ones. */
export async function fetchEvent(context: VenueContext, eventId: string): Promise<Event | null> {
  if (!isId(eventId)) return null
  const event = only(context, await endpoints.getEvent(context, eventId))
  if (event !== null && event.id !== eventId) throw unreadable(context, 'event', `event ${event.id}`)
  return event
}

export async function fetchMarket(
  context: VenueContext,
  marketId: string,
): Promise<{ market: Market; event: Event } | null> {
  if (!isId(marketId)) return null
  const event = only(context, await endpoints.getEventOfMarket(context, marketId))
  if (event === null) return null
  const market = event.markets.find((candidate) => candidate.marketId === marketId)
  if (market === undefined) throw unreadable(context, 'event', `market ${marketId}`)
  return { market, event }
}

export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  if (!isId(bookId)) return null
  const rows = await endpoints.getBooks(context, [bookId])
  if (rows.length === 0) return null
  const books = booksOf(context, rows, new Set([bookId]))
  const book = books.get(bookId)
  if (book === undefined) throw unreadable(context, 'market', `book ${bookId}`)
  return book
}

export async function fetchOrderBooks(
  context: VenueContext,
  bookIds: readonly string[],
): Promise<Map<string, BookSnapshot>> {
  const wanted = new Set(bookIds.filter(isId))
  const ids = [...wanted]
  const books = new Map<string, BookSnapshot>()
  for (let from = 0; from < ids.length; from += endpoints.booksPerRequest) {
    const rows = await endpoints.getBooks(context, ids.slice(from, from + endpoints.booksPerRequest))
    for (const [bookId, book] of booksOf(context, rows, wanted)) books.set(bookId, book)
  }
  return books
}

/** The requested books of the readable markets. */
function booksOf(
  context: VenueContext,
  rows: readonly unknown[],
  wanted: ReadonlySet<string>,
): Map<string, BookSnapshot> {
  const recvTs = context.clock.now()
  const books = new Map<string, BookSnapshot>()
  for (const market of readRows(context, rows, { what: 'order book', name: 'id', read: shaped(NovigBooks) })) {
    for (const { id } of market.outcomes) {
      const book = wanted.has(id) ? normalizeBook(id, market, recvTs) : null
      if (book !== null) books.set(id, book)
      else if (wanted.has(id)) context.log.warn({ outcome: id }, 'a book that cannot be read was left out')
    }
  }
  return books
}
