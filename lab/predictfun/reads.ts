// Predictfun's public reads: categories, markets, books, matches. All require a key.

import { decodeCursor, encodeCursor, pageOf } from '../pagination.ts'
import type { VenueCore } from '../restVenue.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'
import { refused, wrongKey } from './auth.ts'
import type { PredictListing } from './marketGenerator.ts'
import { bookRow, categoryRow, isResolved, marketRow, matchRow, syntheticTraders } from './rows.ts'

const pageMax = 100
const pageUsual = 20

const notFound = (what: string): LabReply => refused(404, 'not_found', `${what} not found`)

export function readRoutes(
  { engine, isKnown, shown }: VenueCore,
  listing: PredictListing,
  isKey: (key: unknown) => boolean,
): LabRoute[] {
  const live = (market: { key: string }) => engine.glance(market.key)!
  const withStats = ({ query }: LabRequest) => query.get('includeStats') === 'true'
  const get = (path: string, handle: (request: LabRequest) => LabReply): LabRoute => ({
    method: 'GET',
    path: `/v1${path}`,
    handle: (request) => (isKey(request.headers['x-api-key']) ? handle(request) : wrongKey),
  })
  const market = (request: LabRequest, answer: (found: PredictListing['markets'][number]) => LabReply): LabReply => {
    const found = listing.byId.get(request.params.id!)
    return found === undefined ? notFound('market') : answer(found)
  }
  return [
    get('/categories', (request) => {
      const { query } = request
      const status = query.get('status')
      const pool = query.get('sort') === 'PUBLISHED_AT_DESC' ? listing.categories.toReversed() : listing.categories
      const fits = (category: (typeof pool)[number]) =>
        status === null || (status === 'RESOLVED') === isResolved(category, live)
      return paged({ pool, fits }, query, (category) => categoryRow(category, live, withStats(request)))
    }),
    get('/categories/:slug', (request) => {
      const category = listing.bySlug.get(request.params.slug!)
      return category === undefined ? notFound('category') : good(categoryRow(category, live, withStats(request)))
    }),
    get('/markets/:id', (request) =>
      market(request, (found) => good(marketRow(found, live(found), withStats(request)))),
    ),
    get('/markets/:id/orderbook', (request) =>
      market(request, (found) => (isKnown(found.key) ? good(bookRow(found, shown(found.key))) : notFound('Orderbook'))),
    ),
    get('/orders/matches', ({ query }) => {
      const signer = query.get('signerAddress')
      if (signer !== null) {
        const byKey = new Map(listing.markets.map((each) => [each.key, each]))
        const pool = syntheticTraders.tradesOf(signer.toLowerCase(), engine, [...byKey.keys()])
        return paged({ pool, fits: () => true }, query, ({ key, trade }) => matchRow(byKey.get(key)!, trade))
      }
      const found = listing.byId.get(query.get('marketId') ?? '')
      if (found === undefined) return notFound('market')
      return paged({ pool: live(found).recentTrades(), fits: () => true }, query, (trade) => matchRow(found, trade))
    }),
  ]
}

const good = (data: unknown): LabReply => ok({ data, success: true })

function paged<T>(
  selection: { pool: readonly T[]; fits(item: T): boolean },
  query: URLSearchParams,
  row: (item: T) => unknown,
): LabReply {
  const first = Number(query.get('first') ?? pageUsual)
  const start = decodeCursor(query.get('after'))
  if (start === null || !Number.isInteger(first) || first < 1 || first > pageMax)
    return refused(400, 'bad_request', 'first must be from 1 to 100, after a cursor')
  const { items, next } = pageOf(selection, start, first)
  return ok({ cursor: next === null ? null : encodeCursor(next), data: items.map(row), success: true })
}
