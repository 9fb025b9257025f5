// XO's public reads, raw: catalog and books on two hosts, no key. All of them are undocumented.
import { byNumber } from '../../shared/data/pages.ts'
import { read, readKnown } from '../../shared/data/rest.ts'
import type { VenueContext } from '../../venueContext.ts'
import { XoBook, XoMarketBody, XoMarketsPage } from '../wire.ts'

/** The page size used by its clients. */
const marketsPerPage = 100
const pageTimeoutMs = 30_000

/** Markets with books, in whatever state the venue lists them; resolved ones are not listed. */
export const marketPages = (context: VenueContext): AsyncIterable<unknown[]> =>
  byNumber(context, {
    list: 'markets',
    first: 1,
    read: (page) =>
      readKnown(context, {
        base: 'DATA',
        path: '/api/markets',
        query: { take: marketsPerPage, page, marketScope: 'onlyClob' },
        timeoutMs: pageTimeoutMs,
        body: XoMarketsPage,
      }),
    rowsOf: ({ data }) => data,
    isLast: ({ meta }) => !meta.hasNextPage,
  })

/** Also resolved ones. Null when there is none. */
export async function getMarket(context: VenueContext, id: string): Promise<unknown> {
  const body = await read(context, { base: 'DATA', path: `/api/markets/${encodeURIComponent(id)}`, body: XoMarketBody })
  return body === null ? null : (body.data ?? body)
}

export const getBook = (context: VenueContext, token: string) =>
  read(context, { base: 'CLOB', path: '/book', query: { token_id: token }, body: XoBook })
