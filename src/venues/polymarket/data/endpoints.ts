// Reads, raw: one function per endpoint. Null when the venue says it does not know the thing.
import type { HttpRequest } from '#net/http'
import { byCursor } from '../../shared/data/pages.ts'
import { read, readKnown } from '../../shared/data/rest.ts'
import type { VenueContext } from '../../venueContext.ts'
import {
  ClobBook,
  ClobTokenMarket,
  DataOpenInterest,
  DataPage,
  GammaEvent,
  GammaEventsPage,
  GammaMarket,
  GammaMarketsPage,
} from '../wire.ts'

/** Largest page of /events/keyset and /markets/keyset since 2026-05-14. */
export const gammaPageMax = 100
/** The limit of POST /books is unpublished; similar calls take 500. */
export const booksPerRequest = 100
/** Largest pages of the Data API's lists. A cursor keeps the size of the first page. */
export const tradesPageMax = 1_000
export const pointsPageMax = 10_000
/** Pages of a market's trades, both tokens together, searched per read. */
export const tradesPagesMax = 5
const pointsPagesMax = 5

export const urlNames = { CLOB: 'CLOB', GAMMA: 'GAMMA', DATA: 'DATA', WS: 'WS' } as const

type Query = NonNullable<HttpRequest['query']>

/** Null when this deployment of Gamma has no keyset listing. The request's parameter is `after_cursor`; `cursor` is ignored by the venue. */
export const fetchEventsAfter = (context: VenueContext, cursor: string | undefined) =>
  read(context, {
    base: 'GAMMA',
    path: '/events/keyset',
    query: { limit: gammaPageMax, closed: false, after_cursor: cursor },
    body: GammaEventsPage,
  })

/** The older listing by offset. */
export const fetchEventsAt = (context: VenueContext, offset: number) =>
  readKnown(context, {
    base: 'GAMMA',
    path: '/events',
    query: { limit: gammaPageMax, offset, closed: false },
    body: GammaEventsPage.shape.events,
  })

export const fetchEventById = (context: VenueContext, id: string) =>
  read(context, { base: 'GAMMA', path: `/events/${encodeURIComponent(id)}`, body: GammaEvent })

export const fetchMarketById = (context: VenueContext, id: string) =>
  read(context, { base: 'GAMMA', path: `/markets/${encodeURIComponent(id)}`, body: GammaMarket })

export const fetchMarketBySlug = (context: VenueContext, slug: string) =>
  read(context, { base: 'GAMMA', path: `/markets/slug/${encodeURIComponent(slug)}`, body: GammaMarket })

/** The first matching market, searched among open ones and then among closed ones: the listing shows one kind at a time. */
export async function findMarket(
  context: VenueContext,
  filter: { condition_ids: readonly string[] } | { clob_token_ids: string },
): Promise<GammaMarket | null> {
  for (const closed of [false, true]) {
    const query: Query = { ...filter, closed, limit: 1 }
    const page = await read(context, { base: 'GAMMA', path: '/markets/keyset', query, body: GammaMarketsPage })
    const markets =
      page?.markets ??
      (await readKnown(context, { base: 'GAMMA', path: '/markets', query, body: GammaMarketsPage.shape.markets }))
    const { data } = GammaMarket.safeParse(markets[0])
    if (data !== undefined) return data
  }
  return null
}

/** 404 `No orderbook exists for the requested token id`. */
export const fetchBook = (context: VenueContext, tokenId: string) =>
  read(context, { base: 'CLOB', path: '/book', query: { token_id: tokenId }, body: ClobBook })

/** Tokens without a book are missing from the response. */
export const fetchBooks = (context: VenueContext, tokenIds: readonly string[]) =>
  readKnown(context, {
    base: 'CLOB',
    path: '/books',
    method: 'POST',
    send: tokenIds.map((token_id) => ({ token_id })),
    body: ClobBook.array(),
  })

export const fetchTokenMarket = (context: VenueContext, tokenId: string) =>
  read(context, { base: 'CLOB', path: `/markets-by-token/${encodeURIComponent(tokenId)}`, body: ClobTokenMarket })

/** Spans of at most 15 days in unix seconds, end excluded; or the whole life, which only the widths of 3 and 12 hours reach. */
export type PricesSpan = { interval: 'max' } | { start: number; end: number }

/** Oldest first. A width whose data has expired for the span yields an empty list. */
export const pricePages = (context: VenueContext, token_id: string, span: PricesSpan, bucket_seconds: number) =>
  dataPages(context, {
    list: '/v2/prices-history',
    query: { token_id, ...span, bucket_seconds, limit: pointsPageMax },
    pagesMax: pointsPagesMax,
  })

/** Newest first, both tokens of the market; `taker_only` yields one row per match. With a condition the venue ignores `start` and `end`. */
export const tradePages = (context: VenueContext, condition: string, limit: number) =>
  dataPages(context, {
    list: '/v2/trades',
    query: { condition, taker_only: true, limit },
    pagesMax: tradesPagesMax,
  })

/** Every filter is sent again with each cursor. A 404 is about the route, and so a fault: an unknown market has an empty list. */
const dataPages = (
  context: VenueContext,
  { list, query, pagesMax }: { list: string; query: Query; pagesMax: number },
): AsyncIterable<unknown[]> =>
  byCursor(context, {
    list,
    pagesMax,
    waits: false,
    read: (cursor) => readKnown(context, { base: 'DATA', path: list, query: { ...query, cursor }, body: DataPage }),
    rowsOf: ({ data }) => data,
    cursorOf: ({ pagination: { has_more, next_cursor } }) => (has_more ? next_cursor : null),
  })

/** Without a condition: one row, `GLOBAL`, of all markets. https://docs.polymarket.com/api-reference/markets/get-open-interest */
export const fetchOpenInterest = (context: VenueContext) =>
  readKnown(context, { base: 'DATA', path: '/v2/oi', body: DataOpenInterest })
