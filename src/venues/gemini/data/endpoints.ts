// Gemini's public reads, raw: addresses, parameters, paging, and what a refusal means. Rows leave here as the venue wrote them.
import type { z } from 'zod'
import { Fault } from '#lib/fault'
import type { HttpRequest, HttpResponse } from '#net/http'
import type { VenueContext } from '../../venue.ts'
import { GeminiBook, GeminiEvent, GeminiEventsPage, GeminiRefusal, GeminiTrades } from '../wire.ts'

/** Of 500 the venue would serve: an event is 25 KB and more, and 50 were once seen to be 12 MB. */
export const eventsPageRows = 50
export const tradesMax = 500
/** A walk that is not at its end after this many pages is one that never ends. */
const pagesMax = 2_000
const eventsTimeoutMs = 30_000
const events = '/v1/prediction-markets/events'

/** Said of a contract that the catalog lists and nobody has quoted yet. */
const unopened = /not a valid symbol/i

interface Read<S extends z.ZodType> {
  path: string
  query?: HttpRequest['query']
  body: S
  timeoutMs?: number
}

/** Null when the venue does not know it: 404, or 400 for a symbol whose book was never opened. */
async function read<S extends z.ZodType>(
  context: VenueContext,
  { path, query, body, timeoutMs }: Read<S>,
): Promise<z.infer<S> | null> {
  const base = context.urls.REST
  if (base === undefined) throw new Fault('INTERNAL', 'gemini has no REST address', { exchange: 'gemini' })
  const response = await context.http.request({
    url: `${base}${path}`,
    query,
    signal: context.signal,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })
  if (response.status === 404 || isUnopened(response)) return null
  if (response.status !== 200)
    throw unreadable(path, `status ${response.status} ${JSON.stringify(response.body)?.slice(0, 200) ?? ''}`)
  const parsed = body.safeParse(response.body)
  if (!parsed.success) throw unreadable(path, parsed.error.message.slice(0, 500))
  return parsed.data
}

function isUnopened({ status, body }: HttpResponse): boolean {
  if (status !== 400) return false
  const { data } = GeminiRefusal.safeParse(body)
  return data !== undefined && (data.reason === 'InvalidSymbol' || unopened.test(data.message ?? data.error ?? ''))
}

export const unreadable = (path: string, detail: string): Fault =>
  new Fault('NETWORK_ERROR', 'gemini gave an answer that cannot be used', {
    exchange: 'gemini',
    detail: `GET ${path}: ${detail}`,
  })

/** Pages by offset to `total`. A list that ends before its own total is said in the log: rows may be missing. */
async function* pages(context: VenueContext, path: string, query: HttpRequest['query']): AsyncIterable<unknown[]> {
  let offset = 0
  for (let page = 0; page < pagesMax; page++) {
    const found = await read(context, {
      path,
      query: { ...query, limit: eventsPageRows, offset },
      body: GeminiEventsPage,
      timeoutMs: eventsTimeoutMs,
    })
    if (found === null) throw unreadable(path, 'status 404')
    const { data, pagination } = found
    const total = pagination?.total ?? null
    if (data.length > 0) yield data
    offset += data.length
    if (total === null ? data.length < eventsPageRows : offset >= total) return
    if (data.length === 0) {
      context.log.warn({ venue: 'gemini', path, offset, total }, 'a list ended before its total')
      return
    }
  }
  context.log.warn({ venue: 'gemini', path, pagesMax }, 'the page walk was cut off')
}

/** `status` repeats, as in today's official client; that of May 2026 wrote `status[]`. */
export const eventPages = (context: VenueContext, statuses: readonly string[]): AsyncIterable<unknown[]> =>
  pages(context, events, { status: statuses })

/** Of the last 24 hours; newest first, as far as the name of the list goes. */
export const settledPages = (context: VenueContext): AsyncIterable<unknown[]> =>
  pages(context, `${events}/recently-settled`, {})

export const getEvent = (context: VenueContext, ticker: string): Promise<GeminiEvent | null> =>
  read(context, { path: `${events}/${encodeURIComponent(ticker)}`, body: GeminiEvent })

/** All levels: without the limits the venue shows fifty. https://docs.gemini.com/rest/market-data (current order book) */
export const getBook = (context: VenueContext, symbol: string): Promise<GeminiBook | null> =>
  read(context, {
    path: `/v1/book/${encodeURIComponent(symbol)}`,
    query: { limit_bids: 0, limit_asks: 0 },
    body: GeminiBook,
  })

/** Newest first; the venue refuses more than 500. */
export const getTrades = (context: VenueContext, symbol: string, limit: number): Promise<unknown[] | null> =>
  read(context, {
    path: `/v1/trades/${encodeURIComponent(symbol)}`,
    query: { limit_trades: Math.max(1, Math.min(limit, tradesMax)) },
    body: GeminiTrades,
  })
