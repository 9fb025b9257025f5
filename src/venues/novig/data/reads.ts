// The manifest's data functions: endpoints combined with normalizers. An unreadable row is skipped and logged.
import type { Event, Market } from '#schemas/market'
import { unreadable } from '../../shared/data/rest.ts'
import { readRows, shapeReader } from '../../shared/data/rows.ts'
import type { BookSnapshot, CatalogPage } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { isId } from '../ids.ts'
import { NovigBooks } from '../wire.ts'
import { CatalogBook, CatalogEvent, CatalogMarket } from '../wireCatalog.ts'
import * as catalog from './catalog.ts'
import * as graphql from './endpoints.ts'
import { catalogFirst, isCatalogResting, leaveCatalog } from './fallback.ts'
import { booksOf, eventOf, marketOf as marketRowOf } from './fromCatalog.ts'
import { normalizeEvent, readEvent } from './normalize.ts'
import { type KnownMarket, marketOf, remember } from './outcomeMarkets.ts'
import { Supplement } from './supplement.ts'
import { normalizeBook } from './tape.ts'

/** The open set with all its markets. Events do not say when they changed: every walk is full. */
export async function* walkCatalog(
  context: VenueContext,
  _options: { updatedSinceMs: number | null },
): AsyncGenerator<CatalogPage> {
  const listed = isCatalogResting(context) ? null : await listCatalog(context)
  if (listed === null) yield* walkGraphql(context)
  else yield* pagesOf(context, listed)
}

interface Listed {
  event: CatalogEvent
  markets: CatalogMarket[]
}

const readEvents = (context: VenueContext, rows: readonly unknown[]): CatalogEvent[] =>
  readRows(context, rows, { what: 'event', name: 'eventId', read: shapeReader(CatalogEvent) })

function readMarkets(context: VenueContext, rows: readonly unknown[]): CatalogMarket[] {
  const markets = readRows(context, rows, { what: 'market', name: 'marketId', read: shapeReader(CatalogMarket) })
  for (const market of markets) remember(context, market)
  return markets
}

/** Both lists, whole: the venue lists markets without regard to their events. Null when the catalog does not answer. */
async function listCatalog(context: VenueContext): Promise<Listed[] | null> {
  const listed = new Map<string, Listed>()
  try {
    for await (const rows of catalog.eventPages(context)) {
      for (const event of readEvents(context, rows)) listed.set(event.eventId, { event, markets: [] })
    }
    let strays = 0
    for await (const rows of catalog.marketPages(context)) {
      for (const market of readMarkets(context, rows)) {
        const event = listed.get(market.eventId)
        if (event === undefined) strays++
        else event.markets.push(market)
      }
    }
    if (strays > 0) context.log.warn({ markets: strays }, 'markets of unlisted events were skipped')
  } catch (error) {
    leaveCatalog(context, error)
    return null
  }
  return [...listed.values()]
}

async function* pagesOf(context: VenueContext, listed: readonly Listed[]): AsyncGenerator<CatalogPage> {
  const supplement = new Supplement(context)
  for (let from = 0; from < listed.length; from += graphql.eventsPerPage) {
    const part = listed.slice(from, from + graphql.eventsPerPage)
    await supplement.read(part.map(({ event }) => event.eventId))
    yield { events: part.map((each) => eventFrom(each, supplement)), series: [] }
  }
}

const eventFrom = ({ event, markets }: Listed, supplement: Supplement): Event =>
  normalizeEvent(
    eventOf(event),
    markets.map((market) => marketRowOf(market, supplement.market(market.marketId))),
  )

async function* walkGraphql(context: VenueContext): AsyncGenerator<CatalogPage> {
  const rowsOf = { what: 'event', name: 'id', read: (row: unknown) => readEvent(context, row) }
  for await (const rows of graphql.eventPages(context)) {
    yield { events: readRows(context, rows, rowsOf), series: [] }
  }
}

/** The single requested event; null when the venue has none. */
function only(context: VenueContext, rows: readonly unknown[]): Event | null {
  if (rows.length === 0) return null
  const event = readEvent(context, rows[0])
  if (event === null || rows.length > 1) throw unreadable(context, 'event', `${rows.length} rows for one event`)
  return event
}

/** From the catalog with all its markets; null when it is not in the open set. */
async function openEvent(context: VenueContext, eventId: string): Promise<Event | null> {
  const event = await catalog.getEvent(context, eventId)
  if (event === null) return null
  if (event.eventId !== eventId) throw unreadable(context, 'event', `event ${event.eventId}`)
  const markets: CatalogMarket[] = []
  for await (const rows of catalog.marketPages(context, eventId)) markets.push(...readMarkets(context, rows))
  const own = markets.filter((market) => market.eventId === eventId)
  const supplement = new Supplement(context)
  await supplement.read([eventId])
  return eventFrom({ event, markets: own }, supplement)
}

const unlisted = Symbol('unlisted')

/**
 * From the catalog; from the GraphQL where the catalog does not answer, and where it does not list the thing, which may have ended. A
 * failure of the GraphQL is then a fault: absence from the catalog does not prove that it never existed.
 */
async function listedOrEnded<T>(
  context: VenueContext,
  listed: () => Promise<T | typeof unlisted>,
  ended: () => Promise<T>,
): Promise<T> {
  const found = await catalogFirst<T | typeof unlisted>(context, listed, ended)
  return found === unlisted ? ended() : found
}

/** Also ended ones. */
export async function fetchEvent(context: VenueContext, eventId: string): Promise<Event | null> {
  if (!isId(eventId)) return null
  const event = await listedOrEnded<Event | null>(
    context,
    async () => (await openEvent(context, eventId)) ?? unlisted,
    async () => only(context, await graphql.getEvent(context, eventId)),
  )
  if (event !== null && event.id !== eventId) throw unreadable(context, 'event', `event ${event.id}`)
  return event
}

export async function fetchMarket(
  context: VenueContext,
  marketId: string,
): Promise<{ market: Market; event: Event } | null> {
  if (!isId(marketId)) return null
  const event = await listedOrEnded<Event | null>(
    context,
    async () => {
      const row = await catalog.getMarket(context, marketId)
      return (row === null ? null : await openEvent(context, row.eventId)) ?? unlisted
    },
    async () => only(context, await graphql.getEventOfMarket(context, marketId)),
  )
  if (event === null) return null
  const market = event.markets.find((candidate) => candidate.marketId === marketId)
  if (market === undefined) throw unreadable(context, 'event', `market ${marketId}`)
  return { market, event }
}

export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  if (!isId(bookId)) return null
  const answer = await listedOrEnded<CatalogAnswer | BookSnapshot | null>(
    context,
    async () => {
      const market = await marketOf(context, bookId)
      if (market === null) return unlisted
      const body = await catalog.getBook(context, market.marketId)
      return body === null ? null : { market, body }
    },
    () => graphqlBook(context, bookId),
  )
  if (answer === null || !('body' in answer)) return answer
  const raw = CatalogBook.safeParse(answer.body).data
  const books = raw === undefined ? null : booksOf(raw, answer.market)
  const book = books === null ? null : normalizeBook(bookId, books, context.clock.now())
  if (book === null) throw unreadable(context, 'book', `book ${bookId}`)
  return book
}

interface CatalogAnswer {
  market: KnownMarket
  body: unknown
}

async function graphqlBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  const rows = await graphql.getBooks(context, [bookId])
  if (rows.length === 0) return null
  const recvTs = context.clock.now()
  const markets = readRows(context, rows, { what: 'order book', name: 'id', read: shapeReader(NovigBooks) })
  const found = markets.find(({ outcomes }) => outcomes.some(({ id }) => id === bookId))
  const book = found === undefined ? null : normalizeBook(bookId, found, recvTs)
  if (book === null) throw unreadable(context, 'market', `book ${bookId}`)
  return book
}
