// SX Bet's public reads, raw: addresses, parameters, paging, and the meaning of refusals. Rows leave here as the venue wrote
// them.
import type { HttpResponse } from '#net/http'
import { byCursor } from '../../shared/data/pages.ts'
import { read, readKnown } from '../../shared/data/rest.ts'
import type { VenueContext } from '../../venueContext.ts'
import { SxbetMarkets, SxbetMarketsPage, SxbetRefusal, SxbetSnapshot, SxbetToken, SxbetTradesPage } from '../wire.ts'

const marketsPageRows = 100
/** The venue's maximum per lookup. */
export const findMax = 30
const tradesPageRows = 100
/** Trades have a separate limit: 200 a minute; the other reads have 500. */
const tradesWeight = 2.5
/** A range may be older than the newest trades; older pages are left to the tape. */
const tradesPagesMax = 10

/** In the venue's own words; a proxy has others. */
function isUnknown({ status, body }: HttpResponse): boolean {
  const { data } = SxbetRefusal.safeParse(body)
  return data !== undefined && (status === 404 || (status === 400 && data.message === 'INVALID_MARKET'))
}

/** Everything that takes bets; reported markets are excluded. */
export const activePages = (context: VenueContext): AsyncIterable<unknown[]> =>
  byCursor(context, {
    list: '/markets/active',
    read: (paginationKey) =>
      readKnown(context, {
        path: '/markets/active',
        query: { pageSize: marketsPageRows, paginationKey },
        body: SxbetMarketsPage,
      }),
    rowsOf: ({ data }) => data.markets,
    cursorOf: ({ data }) => data.nextKey,
  })

/** In any state. Unknown ones are absent. */
export async function findMarkets(context: VenueContext, hashes: readonly string[]): Promise<unknown[]> {
  const query = { marketHashes: hashes.join(',') }
  return (await readKnown(context, { path: '/markets/find', query, body: SxbetMarkets })).data
}

export const getBook = (context: VenueContext, marketHash: string) =>
  read(context, { path: '/orderbook-v3/snapshot', query: { marketHash }, body: SxbetSnapshot, isUnknown })

/** For one socket connection, by the operator's key. */
export async function getToken(context: VenueContext): Promise<string> {
  const { credentials } = context
  const headers = { 'x-sx-api-key': credentials?.API_KEY ?? '' }
  return (await readKnown(context, { path: '/user/realtime-token-v3/api-key', headers, body: SxbetToken })).data.token
}

/** Newest first. */
export const tradePages = (context: VenueContext, marketHash: string, limit: number): AsyncIterable<unknown[]> =>
  byCursor(context, {
    list: '/trades-v3/public',
    pagesMax: tradesPagesMax,
    waits: false,
    read: (nextKey) =>
      read(context, {
        path: '/trades-v3/public',
        query: { marketHash, perPage: Math.max(1, Math.min(limit, tradesPageRows)), nextKey },
        body: SxbetTradesPage,
        weight: tradesWeight,
        isUnknown,
      }),
    rowsOf: ({ data }) => data.trades,
    cursorOf: ({ data }) => data.nextKey,
  })
