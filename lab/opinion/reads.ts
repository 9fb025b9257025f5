// Opinion's public reads: markets, categorical heads, books of tokens. They answer without a key, but not to a wrong one.

import type { VenueCore } from '../restVenue.ts'
import { pageRows } from '../syntheticTraders.ts'
import type { LabReply, LabRequest, LabRoute } from '../venueServer.ts'
import { okEnvelope as good, refused, wrongKey } from './auth.ts'
import type { OpinionListing } from './marketGenerator.ts'
import { bookRow, eventRow, marketRow, syntheticTraders, walletTradeRow } from './rows.ts'

const pageMax = 20
const pageUsual = 10

/** Refused lookups have status 200. */
const unknown = (what: string): LabReply => refused(200, 10_404, `${what} not found`)

const filters: Readonly<Record<string, readonly number[]>> = { activated: [2], resolved: [4] }

export function readRoutes(
  { engine, isKnown, shown }: VenueCore,
  listing: OpinionListing,
  isKey: (key: string) => boolean,
): LabRoute[] {
  const live = (market: { key: string }) => engine.glance(market.key)!
  const get = (path: string, handle: (request: LabRequest) => LabReply): LabRoute => ({
    method: 'GET',
    path: `/openapi${path}`,
    handle(request) {
      const { apikey } = request.headers
      return apikey === undefined || isKey(String(apikey)) ? handle(request) : wrongKey
    },
  })
  const rowsOf = (query: URLSearchParams) => {
    const type = query.get('marketType') ?? '0'
    const statuses = filters[query.get('status') ?? '']
    return listing.events
      .toReversed()
      .filter(({ isCategorical }) => type === '2' || (type === '1') === isCategorical)
      .map((event) => eventRow(event, live))
      .filter(({ status }) => statuses === undefined || statuses.includes(status))
  }
  return [
    get('/market', ({ query }) => {
      const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? pageUsual)]
      if (!(Number.isInteger(page) && page >= 1 && Number.isInteger(limit) && limit >= 1 && limit <= pageMax)) {
        return refused(400, 10_001, 'invalid page or limit')
      }
      const rows = rowsOf(query)
      return good({ list: rows.slice((page - 1) * limit, page * limit), total: rows.length })
    }),
    get('/market/categorical/:id', ({ params }) => {
      const head = listing.headsById.get(params.id!)
      return head === undefined ? unknown('market') : good({ data: eventRow(head, live) })
    }),
    get('/market/slug/:slug', ({ params }) => {
      const event = listing.eventsBySlug.get(params.slug!)
      return event === undefined ? unknown('market') : good({ data: eventRow(event, live) })
    }),
    get('/market/:id', ({ params }) => {
      const market = listing.byId.get(params.id!)
      return market === undefined ? unknown('market') : good({ data: marketRow(market, live) })
    }),
    get('/trade/user/:wallet', ({ params, query, headers }) => {
      if (headers.apikey === undefined) return wrongKey
      const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? pageUsual)]
      if (!(page >= 1 && limit >= 1 && limit <= pageMax)) return refused(400, 10_001, 'invalid page or limit')
      const byKey = new Map(listing.markets.map((market) => [market.key, market]))
      const rows = syntheticTraders.tradesOf(params.wallet!.toLowerCase(), engine, [...byKey.keys()])
      const list = pageRows(rows, page, limit).map(({ key, trade }) => walletTradeRow(byKey.get(key)!, trade))
      return good({ list, total: rows.length })
    }),
    get('/token/orderbook', ({ query }) => {
      const found = listing.byToken.get(query.get('token_id') ?? '')
      if (found === undefined || !isKnown(found.market.key)) return unknown('token')
      return good(bookRow(found.market, found.side, shown(found.market.key)))
    }),
  ]
}
