// PRED's public reads, raw. Rows leave here as the venue wrote them. https://pred-1.gitbook.io/pred-docs/api-reference
import type { HttpResponse } from '#net/http'
import { byOffset } from '../../shared/data/pages.ts'
import { read, readKnown } from '../../shared/data/rest.ts'
import type { VenueContext } from '../../venueContext.ts'
import { PredBook, PredDetails, PredDiscovery, PredRefusal } from '../wire.ts'

/** As the venue advises. */
const parentsPerPage = 50
/** The venue's maximum. */
const depth = 100

/** The venue's own 404, not that of a proxy in front of it. */
const isUnknown = ({ status, body }: HttpResponse): boolean => status === 404 && PredRefusal.safeParse(body).success

/** Every parent with its children, including ended ones. Without `verbose` the venue omits what distinguishes them. */
export const parentPages = (context: VenueContext): AsyncIterable<unknown[]> =>
  byOffset(context, {
    list: 'discover',
    limit: parentsPerPage,
    async read(offset, limit) {
      const query = { verbose: true, limit, offset }
      const page = { path: '/api/v1/market-discovery/discover', query, body: PredDiscovery }
      const { data } = await readKnown(context, page)
      return { rows: data.parent_markets_list, total: data.total }
    },
  })

/** Includes what the list omits: prices, volumes, rules, the tick. */
export const getParent = (context: VenueContext, parentId: string) =>
  read(context, { path: `/api/v1/market-discovery/parents/${parentId}`, isUnknown, body: PredDetails })

export const getBook = (context: VenueContext, parentId: string, childId: string) =>
  read(context, {
    path: `/api/v1/order/${parentId}/orderbook/${childId}`,
    query: { depth, include_metadata: false },
    headers: accountOf(context),
    isUnknown,
    body: PredBook,
  })

function accountOf({ credentials }: VenueContext): Record<string, string> {
  const { WALLET_ADDRESS: wallet, PROXY_ADDRESS: proxy } = credentials ?? {}
  return wallet === undefined || proxy === undefined ? {} : { 'X-Wallet-Address': wallet, 'X-Proxy-Address': proxy }
}
