// Predict.fun's reads, raw: addresses, parameters, paging, and the meaning of refusals. All of them require the
// operator's key.
import { Fault } from '#core/fault'
import type { HttpResponse } from '#net/http'
import { byCursor } from '../../shared/data/pages.ts'
import { type Read, read, readKnown } from '../../shared/data/rest.ts'
import type { VenueContext } from '../../venueContext.ts'
import { PredictBookAnswer, PredictCategoryAnswer, PredictMarketAnswer, PredictPage, PredictRefusal } from '../wire.ts'

/** Each contains its markets, and every market its rules. */
const categoriesPageRows = 50
const matchesPageRows = 100
const matchesPagesMax = 10

const categories = '/v1/categories'

/** `not_found`, or in words: "Orderbook not found", "market not found". */
export function isUnknown({ status, body }: HttpResponse): boolean {
  const { data } = PredictRefusal.safeParse(status === 400 || status === 404 ? body : null)
  return data?.error === 'not_found' || /not found/i.test(data?.message ?? '')
}

export const missing = ({ credentials }: Pick<VenueContext, 'credentials'>): string | null =>
  credentials?.API_KEY === undefined ? 'predictfun needs a key, and none is configured' : null

/** No request is made that cannot succeed. */
export function keyOf({ credentials, venue }: VenueContext): { headers: Record<string, string> } {
  const why = missing({ credentials })
  if (why !== null) throw new Fault('NETWORK_ERROR', why, { exchange: venue })
  return { headers: { 'x-api-key': credentials!.API_KEY! } }
}

/** Categories published during a walk come after the existing ones. */
export const openCategories = (context: VenueContext): AsyncIterable<unknown[]> =>
  byCursor(context, {
    list: categories,
    read: (after) =>
      readKnown(context, {
        path: categories,
        query: { status: 'OPEN', sort: 'PUBLISHED_AT_ASC', includeStats: true, first: categoriesPageRows, after },
        body: PredictPage,
        ...keyOf(context),
      }),
    rowsOf: ({ data }) => data,
    cursorOf: ({ cursor }) => cursor,
  })

/** Newest first. Null at once when the venue does not know the market. */
export const matchPages = (context: VenueContext, marketId: string): AsyncIterable<unknown[]> =>
  byCursor(context, {
    list: `matches of ${marketId}`,
    pagesMax: matchesPagesMax,
    waits: false,
    read: (after) =>
      read(context, {
        path: '/v1/orders/matches',
        query: { marketId, first: matchesPageRows, after },
        body: PredictPage,
        isUnknown,
        ...keyOf(context),
      }),
    rowsOf: ({ data }) => data,
    cursorOf: ({ cursor }) => cursor,
  })

const get = <S extends Parameters<typeof read>[1]['body']>(context: VenueContext, request: Read<S>) =>
  read(context, { ...request, ...keyOf(context), isUnknown })

export const getCategory = async (context: VenueContext, slug: string) =>
  (
    await get(context, {
      path: `${categories}/${encodeURIComponent(slug)}`,
      query: { includeStats: true },
      body: PredictCategoryAnswer,
    })
  )?.data ?? null

export const getMarket = async (context: VenueContext, marketId: string) =>
  (await get(context, { path: `/v1/markets/${marketId}`, query: { includeStats: true }, body: PredictMarketAnswer }))
    ?.data ?? null

export const getBook = async (context: VenueContext, marketId: string) =>
  (await get(context, { path: `/v1/markets/${marketId}/orderbook`, body: PredictBookAnswer }))?.data ?? null
