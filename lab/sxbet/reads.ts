// Sxbet's public reads: markets, aggregated books, the tape of bets.

import { decodeCursor, encodeCursor, pageOf } from '../pagination.ts'
import type { VenueCore } from '../restVenue.ts'
import { type LabReply, type LabRoute, ok } from '../venueServer.ts'
import type { SxbetListing, SxbetMarket } from './marketGenerator.ts'
import { bookRow, marketRow, tradeRow } from './rows.ts'

const pageMax = 100
const pageUsual = 50
const findMax = 30

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  429: 'Too Many Requests',
}
export const refusalBody = (statusCode: number, message: string) => ({
  error: reasons[statusCode] ?? 'Internal Server Error',
  message,
  statusCode,
})
export const refused = (status: number, message: string): LabReply => ({ status, body: refusalBody(status, message) })
const success = (data: unknown): LabReply => ok({ status: 'success', data })

export function readRoutes(
  { engine, isKnown, shown }: VenueCore,
  listing: SxbetListing,
  {
    versionOf,
    issueToken,
  }: {
    /** Version of the shown book: fixed-width digits that increase with every change. */
    versionOf(market: SxbetMarket): string
    /** Null for an unknown key. */
    issueToken(key: string | undefined): string | null
  },
): LabRoute[] {
  const rowOf = (market: SxbetMarket) => marketRow(market, engine.glance(market.key)!)
  const known = (hash: string | null): SxbetMarket | null => {
    const market = listing.byHash.get(hash ?? '')
    return market !== undefined && isKnown(market.key) ? market : null
  }
  return [
    {
      method: 'GET',
      path: '/markets/active',
      // A filter by fixture was observed to be ignored: there is none here.
      handle({ query }) {
        const size = Number(query.get('pageSize') ?? pageUsual)
        const start = decodeCursor(query.get('paginationKey'))
        if (!Number.isInteger(size) || size < 1 || size > pageMax || start === null) {
          return refused(400, 'pageSize must be a number up to 100')
        }
        const league = query.get('leagueId')
        const fits = ({ key, event }: SxbetMarket) =>
          engine.statusOf(key) === 'open' && (league === null || league === String(event.leagueId))
        const { items, next } = pageOf({ pool: listing.markets, fits }, start, size)
        return success({ markets: items.map(rowOf), ...(next === null ? {} : { nextKey: encodeCursor(next) }) })
      },
    },
    {
      method: 'GET',
      path: '/markets/find',
      handle({ query }) {
        const hashes = (query.get('marketHashes') ?? '').split(',')
        if (hashes.length > findMax || hashes.some((hash) => !/^0x[0-9a-f]{64}$/i.test(hash))) {
          return refused(400, 'BAD_MARKET_HASHES')
        }
        return success(hashes.flatMap((hash) => listing.byHash.get(hash) ?? []).map(rowOf))
      },
    },
    {
      method: 'GET',
      path: '/orderbook-v3/snapshot',
      handle({ query }) {
        const market = known(query.get('marketHash'))
        if (market === null) return refused(404, 'Market not found')
        return success(bookRow(market.marketHash, shown(market.key), versionOf(market)))
      },
    },
    {
      method: 'GET',
      path: '/user/realtime-token-v3/api-key',
      handle({ headers }) {
        const key = headers['x-sx-api-key']
        const token = issueToken(typeof key === 'string' ? key : undefined)
        return token === null ? refused(401, 'BAD_AUTH') : success({ token })
      },
    },
    {
      method: 'GET',
      path: '/trades-v3/public',
      handle({ query }) {
        const market = known(query.get('marketHash'))
        if (market === null) return refused(404, 'Market not found')
        const perPage = Number(query.get('perPage') ?? pageUsual)
        const start = decodeCursor(query.get('nextKey'))
        if (!Number.isInteger(perPage) || perPage < 1 || perPage > pageMax || start === null) {
          return refused(400, 'perPage must be a number up to 100')
        }
        const trades = engine.glance(market.key)!.recentTrades()
        const end = start + perPage
        return success({
          trades: trades.slice(start, end).map((trade) => tradeRow(market, trade)),
          ...(end < trades.length ? { nextKey: encodeCursor(end) } : {}),
        })
      },
    },
  ]
}
