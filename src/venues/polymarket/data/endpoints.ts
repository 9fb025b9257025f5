// Reads, raw: one function per endpoint. Null when the venue says it does not know the thing.
import type { HttpRequest } from '#net/http'
import { read } from '../../shared/data/rest.ts'
import type { VenueContext } from '../../venue.ts'
import {
  ClobBook,
  ClobPricesHistory,
  ClobTokenMarket,
  DataOpenInterest,
  DataTrades,
  GammaEvent,
  GammaEventsPage,
  GammaMarket,
  GammaMarketsPage,
} from '../wire.ts'

/** Largest page of /events/keyset and /markets/keyset since 2026-05-14. */
export const gammaPageMax = 100
/** The limit of POST /books is unpublished; similar calls take 500. */
export const booksPerRequest = 100
/** Data API v1 /trades: largest page and furthest offset. */
export const tradesPageMax = 500
export const tradesOffsetMax = 1_000

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
  read(context, {
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
  filter: { condition_ids: string } | { clob_token_ids: string },
): Promise<GammaMarket | null> {
  for (const closed of [false, true]) {
    const query: Query = { ...filter, closed, limit: 1 }
    const page = await read(context, { base: 'GAMMA', path: '/markets/keyset', query, body: GammaMarketsPage })
    const markets =
      page?.markets ??
      (await read(context, { base: 'GAMMA', path: '/markets', query, body: GammaMarketsPage.shape.markets })) ??
      []
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
  read(context, {
    base: 'CLOB',
    path: '/books',
    method: 'POST',
    send: tokenIds.map((token_id) => ({ token_id })),
    body: ClobBook.array(),
  })

export const fetchTokenMarket = (context: VenueContext, tokenId: string) =>
  read(context, { base: 'CLOB', path: `/markets-by-token/${encodeURIComponent(tokenId)}`, body: ClobTokenMarket })

/** `market` is the token id there. Either `interval` or both of `startTs` and `endTs` (unix seconds); `fidelity` in minutes. */
export const fetchPricesHistory = (
  context: VenueContext,
  tokenId: string,
  span: { interval: 'max' } | { startTs: number; endTs: number },
  fidelity: number,
) =>
  read(context, {
    base: 'CLOB',
    path: '/prices-history',
    query: { market: tokenId, ...span, fidelity },
    body: ClobPricesHistory,
  })

/** Newest first, both tokens of the market. `takerOnly` yields one row per match; times in unix seconds. */
export const fetchTradeRows = (
  context: VenueContext,
  query: { market: string; limit: number; offset: number; start?: number; end?: number },
) => read(context, { base: 'DATA', path: '/trades', query: { takerOnly: true, ...query }, body: DataTrades })

/** Without a condition: one row, `GLOBAL`, of all markets. https://docs.polymarket.com/api-reference/markets/get-open-interest */
export const fetchOpenInterest = (context: VenueContext) =>
  read(context, { base: 'DATA', path: '/v2/oi', body: DataOpenInterest })
