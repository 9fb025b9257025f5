// The Gamma service: events, markets, tags and series as the catalog shows them.
import type { Engine } from '../engine/engine.ts'
import type { Faults } from '../faults.ts'
import { decodeCursor, encodeCursor, pageOf, type Selection } from '../pagination.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'
import { createGammaRows, seriesRow, tagRow } from './gammaRows.ts'
import type { PolyEvent, PolyListing, PolyMarket } from './marketGenerator.ts'

const PAGE_MAX = 100
const OFFSET_PAGE_DEFAULT = 20
const OFFSET_PAGE_MAX = 500

const everything = <T>(pool: readonly T[]): Selection<T> => ({ pool, fits: () => true })

const notFound: LabReply = { status: 404, body: { type: 'not found error', error: 'id not found' } }

export function gammaRoutes(listing: PolyListing, engine: Engine, faults: () => Faults): LabRoute[] {
  const rows = createGammaRows(engine)
  const known = (market: PolyMarket) => faults().denies(market.key) === null
  const isClosed = (market: PolyMarket) => engine.statusOf(market.key) !== 'open'
  const eventClosed = (event: PolyEvent) => event.markets.every(isClosed)

  function filterMarkets(query: URLSearchParams): Selection<PolyMarket> {
    const wantsClosed = query.get('closed') === 'true'
    const ids = wanted(query, 'ids', 'id')
    const conditions = wanted(query, 'condition_ids')
    const tokens = wanted(query, 'clob_token_ids')
    const slugs = wanted(query, 'slug')
    const tag = query.get('tag_id')
    const pool = tokens === null ? listing.markets : tokens.flatMap((token) => listing.byToken.get(token)?.market ?? [])
    return {
      pool,
      fits: (market) =>
        known(market) &&
        isClosed(market) === wantsClosed &&
        (ids === null || ids.includes(market.id)) &&
        (conditions === null || conditions.includes(shownCondition(market))) &&
        (slugs === null || slugs.includes(market.slug)) &&
        (tag === null || market.event.tags.some((candidate) => candidate.id === tag)),
    }
  }

  function filterEvents(query: URLSearchParams): Selection<PolyEvent> {
    const closed = query.get('closed')
    const ids = wanted(query, 'ids', 'id')
    const slugs = wanted(query, 'slug')
    const tag = query.get('tag_id')
    return {
      pool: listing.events,
      fits: (event) =>
        (closed === null ? !eventClosed(event) : eventClosed(event) === (closed === 'true')) &&
        (ids === null || ids.includes(event.id)) &&
        (slugs === null || slugs.includes(event.slug)) &&
        (tag === null || event.tags.some((candidate) => candidate.id === tag)),
    }
  }

  const oneMarket = (market: PolyMarket | undefined): LabReply =>
    market === undefined || !known(market) ? notFound : ok(rows.market(market))
  const oneEvent = (event: PolyEvent | undefined): LabReply => (event === undefined ? notFound : ok(rows.event(event)))
  const get = (path: string, handle: (request: LabRequest) => LabReply): LabRoute => ({ method: 'GET', path, handle })

  return [
    get('/gamma/markets/keyset', ({ query }) => keyset('markets', filterMarkets(query), query, rows.market)),
    get('/gamma/events/keyset', ({ query }) => keyset('events', filterEvents(query), query, rows.event)),
    get('/gamma/markets', ({ query }) => ok(offsetPage(filterMarkets(query), query).map(rows.market))),
    get('/gamma/events', ({ query }) => ok(offsetPage(filterEvents(query), query).map(rows.event))),
    get('/gamma/markets/:id', ({ params }) => oneMarket(listing.byId.get(params.id!))),
    get('/gamma/markets/slug/:slug', ({ params }) =>
      oneMarket(listing.markets.find(({ slug }) => slug === params.slug)),
    ),
    get('/gamma/events/:id', ({ params }) => oneEvent(listing.events.find(({ id }) => id === params.id))),
    get('/gamma/events/slug/:slug', ({ params }) => oneEvent(listing.events.find(({ slug }) => slug === params.slug))),
    get('/gamma/events/:id/tags', ({ params }) => {
      const event = listing.events.find(({ id }) => id === params.id)
      return event === undefined ? notFound : ok(event.tags.map(tagRow))
    }),
    get('/gamma/tags', ({ query }) => ok(offsetPage(everything(listing.tags), query).map(tagRow))),
    get('/gamma/series', ({ query }) => ok(offsetPage(everything(listing.series), query).map(seriesRow))),
    get('/gamma/series/:id', ({ params }) => {
      const series = listing.series.find(({ id }) => id === params.id)
      return series === undefined ? notFound : ok(seriesRow(series))
    }),
    get('/gamma/sports', () => ok([])),
  ]
}

/** `{rows, next_cursor?}`; the last page has no cursor. */
function keyset<T>(name: string, all: Selection<T>, query: URLSearchParams, row: (item: T) => unknown): LabReply {
  const limit = Math.min(PAGE_MAX, Number(query.get('limit') ?? OFFSET_PAGE_DEFAULT) || OFFSET_PAGE_DEFAULT)
  const start = decodeCursor(query.get('after_cursor'))
  if (start === null) return { status: 400, body: { type: 'validation error', error: 'invalid cursor' } }
  const { items, next } = pageOf(all, start, limit)
  return ok({ [name]: items.map(row), ...(next === null ? {} : { next_cursor: encodeCursor(next) }) })
}

function offsetPage<T>({ pool, fits }: Selection<T>, query: URLSearchParams): readonly T[] {
  const limit = Math.min(OFFSET_PAGE_MAX, Number(query.get('limit') ?? OFFSET_PAGE_DEFAULT))
  const offset = Number(query.get('offset') ?? 0)
  return pool.filter(fits).slice(offset, offset + limit)
}

/** As Gamma writes it. */
const shownCondition = ({ protocol, conditionId }: PolyMarket): string =>
  protocol === 'v2' ? conditionId.slice(0, -2) : conditionId

/** A repeated (or comma-joined) filter; null when absent. */
function wanted(query: URLSearchParams, ...names: string[]): string[] | null {
  const values = names.flatMap((name) => query.getAll(name)).flatMap((value) => value.split(','))
  return values.length === 0 ? null : values
}
