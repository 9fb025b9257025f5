// Reads, raw: one function per endpoint. Null where the venue says it does not know the thing.
import type { z } from 'zod'
import { Fault } from '#lib/fault'
import type { HttpRequest } from '#net/http'
import type { VenueContext } from '../../venue.ts'
import {
  ClobBook,
  ClobPricesHistory,
  ClobTokenMarket,
  DataTrades,
  GammaEvent,
  GammaEventsPage,
  GammaMarket,
  GammaMarketsPage,
} from '../wire.ts'

/** Largest page of /events/keyset and /markets/keyset since 2026-05-14. */
export const gammaPageMax = 100
/** The limit of POST /books is not published; the sister calls take 500. */
export const booksPerRequest = 100
/** Data API v1 /trades: largest page and furthest offset. */
export const tradesPageMax = 500
export const tradesOffsetMax = 1_000

export const urlNames = { CLOB: 'CLOB', GAMMA: 'GAMMA', DATA: 'DATA', WS: 'WS' } as const

type Query = NonNullable<HttpRequest['query']>

/** The parsed body; null for 404. */
async function read<T extends z.ZodType>(
  context: VenueContext,
  request: Omit<HttpRequest, 'url' | 'signal'> & { base: keyof typeof urlNames; path: string },
  schema: T,
): Promise<z.infer<T> | null> {
  const { base, path, ...rest } = request
  const { status, body } = await context.http.request({
    ...rest,
    url: `${context.urls[base]}${path}`,
    signal: context.signal,
  })
  if (status === 404) return null
  const refused = (detail: string, cause?: unknown): Fault =>
    new Fault('NETWORK_ERROR', 'unexpected answer from venue', { exchange: 'polymarket', detail, cause })
  if (status < 200 || status > 299) throw refused(`${base} ${path}: status ${status}`)
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw refused(`${base} ${path}: ${parsed.error.issues[0]?.message ?? 'shape'}`, parsed.error)
  return parsed.data
}

/** Null when this deployment of Gamma has no keyset listing. The request's parameter is `after_cursor`; `cursor` is ignored by the venue. */
export const fetchEventsAfter = (context: VenueContext, cursor: string | null) =>
  read(
    context,
    {
      base: 'GAMMA',
      path: '/events/keyset',
      query: { limit: gammaPageMax, closed: false, ...(cursor === null ? {} : { after_cursor: cursor }) },
    },
    GammaEventsPage,
  )

/** The older listing by offset. */
export const fetchEventsAt = (context: VenueContext, offset: number) =>
  read(
    context,
    { base: 'GAMMA', path: '/events', query: { limit: gammaPageMax, offset, closed: false } },
    GammaEventsPage.shape.events,
  )

export const fetchEventById = (context: VenueContext, id: string) =>
  read(context, { base: 'GAMMA', path: `/events/${encodeURIComponent(id)}` }, GammaEvent)

export const fetchMarketById = (context: VenueContext, id: string) =>
  read(context, { base: 'GAMMA', path: `/markets/${encodeURIComponent(id)}` }, GammaMarket)

export const fetchMarketBySlug = (context: VenueContext, slug: string) =>
  read(context, { base: 'GAMMA', path: `/markets/slug/${encodeURIComponent(slug)}` }, GammaMarket)

/** The first market that matches, looked for among open ones and then among closed ones: the listing shows one kind at a time. */
export async function findMarket(
  context: VenueContext,
  filter: { condition_ids: string } | { clob_token_ids: string },
): Promise<GammaMarket | null> {
  for (const closed of [false, true]) {
    const query: Query = { ...filter, closed, limit: 1 }
    const page = await read(context, { base: 'GAMMA', path: '/markets/keyset', query }, GammaMarketsPage)
    const markets =
      page?.markets ??
      (await read(context, { base: 'GAMMA', path: '/markets', query }, GammaMarketsPage.shape.markets)) ??
      []
    const { data } = GammaMarket.safeParse(markets[0])
    if (data !== undefined) return data
  }
  return null
}

/** 404 `No orderbook exists for the requested token id`. */
export const fetchBook = (context: VenueContext, tokenId: string) =>
  read(context, { base: 'CLOB', path: '/book', query: { token_id: tokenId } }, ClobBook)

/** Tokens without a book are missing from the answer. */
export const fetchBooks = (context: VenueContext, tokenIds: readonly string[]) =>
  read(
    context,
    { base: 'CLOB', path: '/books', method: 'POST', body: tokenIds.map((token_id) => ({ token_id })) },
    ClobBook.array(),
  )

export const fetchTokenMarket = (context: VenueContext, tokenId: string) =>
  read(context, { base: 'CLOB', path: `/markets-by-token/${encodeURIComponent(tokenId)}` }, ClobTokenMarket)

/** `market` is the token id there. Either `interval` or both of `startTs` and `endTs` (unix seconds); `fidelity` in minutes. */
export const fetchPricesHistory = (
  context: VenueContext,
  tokenId: string,
  span: { interval: 'max' } | { startTs: number; endTs: number },
  fidelity: number,
) =>
  read(
    context,
    { base: 'CLOB', path: '/prices-history', query: { market: tokenId, ...span, fidelity } },
    ClobPricesHistory,
  )

/** Newest first, both tokens of the market. `takerOnly` makes one row a match; times in unix seconds. */
export const fetchTradeRows = (
  context: VenueContext,
  query: { market: string; limit: number; offset: number; start?: number; end?: number },
) => read(context, { base: 'DATA', path: '/trades', query: { takerOnly: true, ...query } }, DataTrades)
