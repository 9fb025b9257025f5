// Limitless' public reads, raw: addresses, parameters, pages. Rows leave here as the venue wrote them.
import { byNumber } from '../../shared/data/pages.ts'
import { numberOf } from '../../shared/data/parsers.ts'
import { read, readKnown } from '../../shared/data/rest.ts'
import type { VenueContext } from '../../venueContext.ts'
import { LimitlessBook, LimitlessMarket, LimitlessPage, LimitlessTrades } from '../wire.ts'

/** The venue's maximum per request. */
const marketsPerPage = 25
export const tradesPerPage = 100
const active = '/markets/active'

/** Unresolved markets and groups. Rows come and go between two pages: what one walk misses the next one finds. */
export const activePages = (context: VenueContext): AsyncIterable<unknown[]> =>
  byNumber(context, {
    list: active,
    first: 1,
    read: (page) => readKnown(context, { path: active, query: { page, limit: marketsPerPage }, body: LimitlessPage }),
    rowsOf: ({ data }) => data,
    isLast: ({ data, totalMarketsCount }, page) =>
      data.length < marketsPerPage && page * marketsPerPage >= (totalMarketsCount ?? 0),
  })

/** Null when the venue does not report it. */
export const countActive = async (context: VenueContext): Promise<number | null> =>
  (await readKnown(context, { path: active, query: { page: 1, limit: 1 }, body: LimitlessPage })).totalMarketsCount ??
  null

/** By slug, or by the address of a pool. Includes groups and resolved markets. */
export const getMarket = (context: VenueContext, name: string) =>
  read(context, { path: `/markets/${encodeURIComponent(name)}`, body: LimitlessMarket })

export const getBook = (context: VenueContext, slug: string) =>
  read(context, { path: `/markets/${encodeURIComponent(slug)}/orderbook`, body: LimitlessBook })

/** Trades only, newest first. */
export async function getTrades(context: VenueContext, name: string, page: number, limit: number) {
  const body = await readKnown(context, {
    path: `/markets/${encodeURIComponent(name)}/events`,
    query: { page, limit },
    body: LimitlessTrades,
  })
  return { rows: body.events, isLast: page >= (numberOf(body.totalPages) ?? page) }
}
