// Opinion's public reads, raw: addresses, parameters, paging, and the meaning of refusals. All of them answer without a key; the operator's key,
// if there is one, is sent along.
import type { HttpResponse } from '#net/http'
import { byNumber } from '../../shared/data/pages.ts'
import { read, readKnown } from '../../shared/data/rest.ts'
import type { VenueContext } from '../../venueContext.ts'
import {
  type OpinionBook,
  OpinionBookAnswer,
  OpinionMarketDetail,
  OpinionMarketsPage,
  OpinionRefusal,
} from '../wire.ts'

/** The venue's maximum. */
const pageRows = 20
const list = '/market'
/** Binary and categorical ones; the venue's default omits the latter. */
const everyType = 2
/** Markets listed during a walk shift rows to later pages: some are repeated, none is missed. */
const newestFirst = 1

/** The format is undocumented: any refusal in the venue's own form that mentions absence, or an empty result. */
export function isUnknown({ status, body }: HttpResponse): boolean {
  const { data } = OpinionRefusal.safeParse(body)
  const number = data?.errno ?? data?.code
  if (data === undefined || typeof number !== 'number') return false
  if (number === 0) return status === 200 && isNothing(data.result)
  return [200, 400, 404].includes(status) && /not (?:found|exist)/i.test(data.errmsg ?? data.msg ?? '')
}

const isNothing = (result: unknown): boolean =>
  result === null || (typeof result === 'object' && 'data' in result && result.data === null)

/** With a key the venue allows 15 reads/s, without one 5. */
export const keyOf = ({ credentials }: VenueContext) =>
  credentials?.API_KEY === undefined ? {} : { headers: { apikey: credentials.API_KEY } }

export const marketPages = (context: VenueContext): AsyncIterable<unknown[]> =>
  byNumber(context, {
    list,
    first: 1,
    read: (page) =>
      readKnown(context, {
        path: list,
        query: { marketType: everyType, sortBy: newestFirst, limit: pageRows, page },
        ...keyOf(context),
        body: OpinionMarketsPage,
      }),
    rowsOf: ({ result }) => result.list,
    isLast: ({ result: { list: rows, total } }, page) =>
      total === null || total === undefined ? rows.length < pageRows : page * pageRows >= total,
  })

/** Of every type; null when the venue does not report it. */
export async function countActivated(context: VenueContext): Promise<number | null> {
  const query = { marketType: everyType, status: 'activated', limit: 1, page: 1 }
  const { result } = await readKnown(context, { path: list, query, ...keyOf(context), body: OpinionMarketsPage })
  return result.total ?? null
}

const getDetail = async (context: VenueContext, path: string) =>
  (await read(context, { path, ...keyOf(context), body: OpinionMarketDetail, isUnknown }))?.result.data ?? null

/** A standalone one, or a child of a categorical one. */
export const getMarket = (context: VenueContext, marketId: string) => getDetail(context, `/market/${marketId}`)
export const getCategorical = (context: VenueContext, id: string) => getDetail(context, `/market/categorical/${id}`)
export const getBySlug = (context: VenueContext, slug: string) =>
  getDetail(context, `/market/slug/${encodeURIComponent(slug)}`)

export async function getBook(context: VenueContext, token: string): Promise<OpinionBook | null> {
  const query = { token_id: token }
  const answer = await read(context, {
    path: '/token/orderbook',
    query,
    ...keyOf(context),
    body: OpinionBookAnswer,
    isUnknown,
  })
  return answer?.result ?? null
}
