// Kalshi's public reads, raw: addresses, parameters, paging, and what a refusal means. Rows leave here as the venue wrote them.
import type { z } from 'zod'
import { Fault } from '#lib/fault'
import type { VenueContext } from '../../venue.ts'
import { signedHeaders } from '../auth.ts'
import {
  KalshiBookBody,
  KalshiBooksBody,
  KalshiCandlesBody,
  KalshiEventBody,
  KalshiEventsPage,
  KalshiMarketBody,
  type KalshiSeries,
  KalshiSeriesBody,
  KalshiSeriesList,
  KalshiTradesPage,
} from '../wire.ts'

/** https://docs.kalshi.com/api-reference: largest pages and batches the venue serves. */
export const eventsPageMax = 200
export const tradesPageMax = 1_000
export const booksPerRequestMax = 100
/** A page walk that is not at its end after this many pages is one that never ends. */
const pagesMax = 10_000
/** The series list is one large body. */
const seriesTimeoutMs = 30_000

type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
interface Read<S extends z.ZodType> {
  path: string
  query?: Query
  body: S
  /** Order books are the one read documented as keyed: sign when there is a key, ask openly when there is none. */
  signed?: boolean
  timeoutMs?: number
}

/** Null for 404: the venue does not know it. */
async function read<S extends z.ZodType>(
  context: VenueContext,
  { path, query, body, signed, timeoutMs }: Read<S>,
): Promise<z.infer<S> | null> {
  const base = context.urls.REST
  if (base === undefined) throw new Fault('INTERNAL', 'kalshi has no REST address', { exchange: 'kalshi' })
  const url = `${base}${path}`
  const signature = () => signedHeaders(context.credentials, 'GET', new URL(url).pathname, context.clock.now()) ?? {}
  const response = await context.http.request({
    url,
    query,
    signal: context.signal,
    ...(signed ? { sign: signature } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })
  if (response.status === 404) return null
  if (response.status < 200 || response.status > 299)
    throw unreadable(path, `status ${response.status} ${JSON.stringify(response.body)?.slice(0, 200) ?? ''}`)
  const parsed = body.safeParse(response.body)
  if (!parsed.success) throw unreadable(path, parsed.error.message.slice(0, 500))
  return parsed.data
}

export const unreadable = (path: string, detail: string): Fault =>
  new Fault('NETWORK_ERROR', 'kalshi gave an answer that cannot be used', {
    exchange: 'kalshi',
    detail: `GET ${path}: ${detail}`,
  })

/**
 * Pages to the end: an empty or missing cursor. A cursor seen before ends the walk too (the venue answers a garbage cursor with 200), with a
 * line in the log, since then some rows may be missing.
 */
async function* pages<P extends { cursor?: string | null }>(
  context: VenueContext,
  path: string,
  fetchPage: (cursor: string | undefined) => Promise<P | null>,
): AsyncIterable<P> {
  const seen = new Set<string>()
  let cursor: string | undefined
  while (seen.size < pagesMax) {
    const page = await fetchPage(cursor)
    if (page === null) return
    yield page
    if (page.cursor === undefined || page.cursor === null || page.cursor === '') return
    if (seen.has(page.cursor)) {
      context.log.warn({ venue: 'kalshi', path }, 'the venue repeats a page cursor; the walk stops here')
      return
    }
    seen.add(page.cursor)
    cursor = page.cursor
  }
  context.log.warn({ venue: 'kalshi', path, pagesMax }, 'the page walk was cut off')
}

export interface EventsQuery {
  status?: 'unopened' | 'open' | 'closed' | 'settled'
  /** Epoch seconds. */
  minUpdatedTs?: number
}

/** https://docs.kalshi.com/api-reference/events/get-events. Multivariate (combo) events are not in this list. */
export async function* eventPages(context: VenueContext, query: EventsQuery): AsyncIterable<unknown[]> {
  const path = '/events'
  const ask = (cursor: string | undefined) =>
    read(context, {
      path,
      query: {
        limit: eventsPageMax,
        with_nested_markets: true,
        status: query.status,
        min_updated_ts: query.minUpdatedTs,
        cursor,
      },
      body: KalshiEventsPage,
    })
  for await (const page of pages(context, path, ask)) yield page.events ?? []
}

/** Every series at once; https://docs.kalshi.com/api-reference/market/get-series-list. */
export async function listSeries(context: VenueContext): Promise<unknown[]> {
  const list = await read(context, { path: '/series', body: KalshiSeriesList, timeoutMs: seriesTimeoutMs })
  return list?.series ?? []
}

export async function getSeries(context: VenueContext, ticker: string): Promise<KalshiSeries | null> {
  const found = await read(context, { path: `/series/${encodeURIComponent(ticker)}`, body: KalshiSeriesBody })
  return found?.series ?? null
}

export const getEvent = (context: VenueContext, ticker: string): Promise<z.infer<typeof KalshiEventBody> | null> =>
  read(context, {
    path: `/events/${encodeURIComponent(ticker)}`,
    query: { with_nested_markets: true },
    body: KalshiEventBody,
  })

export async function getMarket(context: VenueContext, ticker: string): Promise<unknown> {
  const found = await read(context, { path: `/markets/${encodeURIComponent(ticker)}`, body: KalshiMarketBody })
  return found?.market ?? null
}

export const getBook = (context: VenueContext, ticker: string): Promise<z.infer<typeof KalshiBookBody> | null> =>
  read(context, { path: `/markets/${encodeURIComponent(ticker)}/orderbook`, body: KalshiBookBody, signed: true })

export async function getBooks(context: VenueContext, tickers: readonly string[]): Promise<unknown[]> {
  const found = await read(context, {
    path: '/markets/orderbooks',
    query: { tickers },
    body: KalshiBooksBody,
    signed: true,
  })
  return found?.orderbooks ?? []
}

export interface TradesRead {
  ticker: string
  /** Epoch seconds, both inclusive. */
  minTs?: number
  maxTs?: number
  pageSize: number
}

/** Newest first; https://docs.kalshi.com/api-reference/market/get-trades */
export async function* tradePages(context: VenueContext, query: TradesRead): AsyncIterable<unknown[]> {
  const path = '/markets/trades'
  const ask = (cursor: string | undefined) =>
    read(context, {
      path,
      query: { ticker: query.ticker, limit: query.pageSize, min_ts: query.minTs, max_ts: query.maxTs, cursor },
      body: KalshiTradesPage,
    })
  for await (const page of pages(context, path, ask)) yield page.trades ?? []
}

export interface CandlesRead {
  seriesTicker: string
  ticker: string
  /** Epoch seconds. */
  startTs: number
  endTs: number
  periodMinutes: number
}

/** https://docs.kalshi.com/api-reference/market/get-market-candlesticks. Null when the venue does not know the market. */
export async function getCandles(context: VenueContext, query: CandlesRead): Promise<unknown[] | null> {
  const found = await read(context, {
    path: `/series/${encodeURIComponent(query.seriesTicker)}/markets/${encodeURIComponent(query.ticker)}/candlesticks`,
    query: { start_ts: query.startTs, end_ts: query.endTs, period_interval: query.periodMinutes },
    body: KalshiCandlesBody,
  })
  return found === null ? null : (found.candlesticks ?? [])
}
