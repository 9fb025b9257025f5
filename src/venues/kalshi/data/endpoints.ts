// Kalshi's public reads, raw: addresses, parameters, paging, and the meaning of refusals. Rows leave here as the venue wrote
// them.
import type { z } from 'zod'
import { byCursor } from '../../shared/data/pages.ts'
import { type Read, read, readKnown } from '../../shared/data/rest.ts'
import type { VenueContext } from '../../venueContext.ts'
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
import { signedHeaders } from './auth.ts'

/** https://docs.kalshi.com/api-reference: largest pages and batches the venue serves. */
export const eventsPageMax = 200
export const tradesPageMax = 1_000
export const booksPerRequestMax = 100
/** The series list is one large body. */
const seriesTimeoutMs = 30_000

/** Order books are the only read documented as requiring a key: signed when there is one, unauthenticated otherwise. */
function signed<S extends z.ZodType>(context: VenueContext, request: Read<S>): Read<S> {
  const sign = () => signedHeaders(context, 'GET', new URL(context.urls.REST + request.path).pathname) ?? {}
  return { ...request, sign }
}

export interface EventsQuery {
  status?: 'unopened' | 'open' | 'closed' | 'settled'
  /** Epoch seconds. */
  minUpdatedTs?: number
}

/** https://docs.kalshi.com/api-reference/events/get-events. Multivariate (combo) events are not in this list. */
export function eventPages(context: VenueContext, { status, minUpdatedTs }: EventsQuery): AsyncIterable<unknown[]> {
  const query = { limit: eventsPageMax, with_nested_markets: true, status, min_updated_ts: minUpdatedTs }
  return byCursor(context, {
    list: 'events',
    read: (cursor) => readKnown(context, { path: '/events', query: { ...query, cursor }, body: KalshiEventsPage }),
    rowsOf: ({ events }) => events ?? [],
    cursorOf: ({ cursor }) => cursor,
  })
}

/** Every series at once; https://docs.kalshi.com/api-reference/market/get-series-list. */
export async function listSeries(context: VenueContext): Promise<unknown[]> {
  const list = await readKnown(context, { path: '/series', body: KalshiSeriesList, timeoutMs: seriesTimeoutMs })
  return list.series ?? []
}

/** Like `listSeries`, with each series' volume. */
export const listSeriesVolumes = (context: VenueContext) =>
  readKnown(context, {
    path: '/series',
    query: { include_volume: true },
    body: KalshiSeriesList,
    timeoutMs: seriesTimeoutMs,
  })

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
  read(context, signed(context, { path: `/markets/${encodeURIComponent(ticker)}/orderbook`, body: KalshiBookBody }))

export async function getBooks(context: VenueContext, tickers: readonly string[]): Promise<unknown[]> {
  const request = signed(context, { path: '/markets/orderbooks', query: { tickers }, body: KalshiBooksBody })
  return (await readKnown(context, request)).orderbooks ?? []
}

export interface TradesRead {
  ticker: string
  /** Epoch seconds, both inclusive. */
  minTs?: number
  maxTs?: number
  pageSize: number
}

/** Newest first; https://docs.kalshi.com/api-reference/market/get-trades */
export function tradePages(
  context: VenueContext,
  { ticker, minTs, maxTs, pageSize }: TradesRead,
): AsyncIterable<unknown[]> {
  const query = { ticker, limit: pageSize, min_ts: minTs, max_ts: maxTs }
  return byCursor(context, {
    list: 'trades',
    waits: false,
    read: (cursor) =>
      readKnown(context, { path: '/markets/trades', query: { ...query, cursor }, body: KalshiTradesPage }),
    rowsOf: ({ trades }) => trades ?? [],
    cursorOf: ({ cursor }) => cursor,
  })
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
