// Gemini's public reads, raw: addresses, parameters, paging, and the meaning of refusals. Rows leave here as the venue wrote
// them.
import type { HttpResponse } from '#net/http'
import { byOffset } from '../../shared/data/pages.ts'
import { read, readKnown } from '../../shared/data/rest.ts'
import type { VenueContext } from '../../venueContext.ts'
import { GeminiBook, GeminiEvent, GeminiEventsPage, GeminiRefusal, GeminiTrades } from '../wire.ts'

/** The venue serves up to 500: an event is 25 KB and more, and 50 were once observed at 12 MB. */
const eventsPageRows = 50
export const tradesMax = 500
/** A walk that has not ended after this many pages is endless. */
const pagesMax = 2_000
const eventsTimeoutMs = 30_000
const events = '/v1/prediction-markets/events'

/** The venue's message for a contract that the catalog lists but that has not been quoted yet. */
const unopened = /not a valid symbol/i

/** A 400 for a symbol whose book was never opened. */
function isUnopened({ status, body }: HttpResponse): boolean {
  const { data } = GeminiRefusal.safeParse(status === 400 ? body : null)
  return data?.reason === 'InvalidSymbol' || unopened.test(data?.message ?? data?.error ?? '')
}

const isUnknown = (answer: HttpResponse): boolean => answer.status === 404 || isUnopened(answer)

function pages(context: VenueContext, path: string, query: { status?: readonly string[] }): AsyncIterable<unknown[]> {
  const page = { path, body: GeminiEventsPage, timeoutMs: eventsTimeoutMs }
  return byOffset(context, {
    list: path,
    limit: eventsPageRows,
    pagesMax,
    async read(offset, limit) {
      const { data, pagination } = await readKnown(context, { ...page, query: { ...query, limit, offset } })
      return { rows: data, total: pagination?.total }
    },
  })
}

/** `status` repeats, as in today's official client; the one of May 2026 wrote `status[]`. */
export const eventPages = (context: VenueContext, status: readonly string[]) => pages(context, events, { status })

/** Of the last 24 hours; newest first, judging by the name of the list. */
export const settledPages = (context: VenueContext) => pages(context, `${events}/recently-settled`, {})

export const getEvent = (context: VenueContext, ticker: string) =>
  read(context, { path: `${events}/${encodeURIComponent(ticker)}`, body: GeminiEvent })

/** All levels: without the limits the venue shows fifty. https://docs.gemini.com/rest/market-data (current order book) */
export const getBook = (context: VenueContext, symbol: string) =>
  read(context, {
    path: `/v1/book/${encodeURIComponent(symbol)}`,
    query: { limit_bids: 0, limit_asks: 0 },
    body: GeminiBook,
    isUnknown,
  })

/** Newest first; the venue refuses more than 500. Null where nothing was ever quoted. */
export const getTrades = (context: VenueContext, symbol: string, limit: number) =>
  read(context, {
    path: `/v1/trades/${encodeURIComponent(symbol)}`,
    query: { limit_trades: Math.max(1, Math.min(limit, tradesMax)) },
    body: GeminiTrades,
    isUnknown: isUnopened,
  })
