// Polymarket_us's public gateway: events, markets, books. No key, limit and offset, no totals.

import type { VenueCore } from '../restVenue.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'
import { failure } from './auth.ts'
import type { UsListing, UsMarket } from './marketGenerator.ts'
import { bboRow, bookRow, eventRow, marketRow } from './rows.ts'

const pageMax = 1_000
const pageUsual = 100

export const notFound = failure(404, 5, 'not found')

export function gatewayRoutes({ engine, isKnown, shown }: VenueCore, listing: UsListing): LabRoute[] {
  const live = (market: UsMarket) => engine.glance(market.key)!
  const get = (path: string, handle: (request: LabRequest) => LabReply): LabRoute => ({ method: 'GET', path, handle })
  const one = (find: (wanted: string) => UsMarket | undefined, answer: (market: UsMarket) => unknown) =>
    function handle({ params }: LabRequest): LabReply {
      const market = find(params.wanted!)
      return market === undefined || !isKnown(market.key) ? notFound : ok(answer(market))
    }
  const bySlug = (slug: string) => listing.bySlug.get(slug)
  const event = (find: (wanted: string) => (typeof listing.events)[number] | undefined) =>
    function handle({ params }: LabRequest): LabReply {
      const found = find(params.wanted!)
      return found === undefined ? notFound : ok({ event: eventRow(found, live) })
    }

  return [
    get('/v1/events', ({ query }) =>
      paged(
        query,
        listing.events.map((each) => eventRow(each, live)).filter((row) => fits(query, row)),
        'events',
      ),
    ),
    get(
      '/v1/events/slug/:wanted',
      event((slug) => listing.events.find((each) => each.slug === slug)),
    ),
    get(
      '/v1/events/:wanted',
      event((id) => listing.events.find((each) => String(each.id) === id)),
    ),
    get('/v1/markets', ({ query }) => {
      const events = query.getAll('eventSlug')
      const rows = listing.markets
        .filter(({ key, event: { slug } }) => isKnown(key) && (events.length === 0 || events.includes(slug)))
        .map((market) => marketRow(market, live(market)))
      return paged(
        query,
        rows.filter((row) => fits(query, row)),
        'markets',
      )
    }),
    get(
      '/v1/market/slug/:wanted',
      one(bySlug, (market) => ({ market: marketRow(market, live(market)) })),
    ),
    get(
      '/v1/market/id/:wanted',
      one(
        (id) => listing.markets.find((market) => String(market.id) === id),
        (market) => ({ market: marketRow(market, live(market)) }),
      ),
    ),
    get(
      '/v1/markets/:wanted/book',
      one(bySlug, (market) => ({ marketData: bookRow(market, live(market), shown(market.key)) })),
    ),
    get(
      '/v1/markets/:wanted/bbo',
      one(bySlug, (market) => ({ marketData: bboRow(market, live(market), shown(market.key)) })),
    ),
    get('/v1/markets/:wanted/settlement', ({ params }) => {
      const market = bySlug(params.wanted!)
      const result = market === undefined ? null : live(market).result
      return market === undefined || result === null
        ? notFound
        : ok({ slug: market.slug, settlement: result === 'yes' ? 1 : 0 })
    }),
  ]
}

function fits(
  query: URLSearchParams,
  row: { id: string; slug: string; active: boolean; closed: boolean; archived: boolean },
): boolean {
  for (const name of ['active', 'closed', 'archived'] as const) {
    const wanted = query.get(name)
    if (wanted !== null && String(row[name]) !== wanted) return false
  }
  const [ids, slugs] = [query.getAll('id'), query.getAll('slug')]
  return (ids.length === 0 || ids.includes(row.id)) && (slugs.length === 0 || slugs.includes(row.slug))
}

function paged(query: URLSearchParams, rows: readonly unknown[], name: string): LabReply {
  const limit = Math.min(pageMax, Number(query.get('limit') ?? pageUsual))
  const offset = Number(query.get('offset') ?? 0)
  if (!Number.isInteger(limit) || limit < 1 || !Number.isInteger(offset) || offset < 0) {
    return failure(400, 3, 'limit and offset must be whole numbers')
  }
  return ok({ [name]: rows.slice(offset, offset + limit) })
}
