// PredictStreet's public reads, raw. Rows leave here as the venue wrote them. https://docs.adipredictstreet.com/api-reference
import type { HttpResponse } from '#net/http'
import { isoOfTime } from '../../shared/data/parsers.ts'
import { read, readKnown } from '../../shared/data/rest.ts'
import type { VenueContext } from '../../venueContext.ts'
import {
  PredictStreetBook,
  PredictStreetEvent,
  PredictStreetEvents,
  PredictStreetMarket,
  PredictStreetMarkets,
  PredictStreetRefusal,
  PredictStreetTrades,
} from '../wire.ts'

/** The venue's maximum list length; there are no pages. */
export const marketsMax = 500
export const tradesMax = 200
/** The same depth as its stream's snapshots. */
const depth = 100
const listTimeoutMs = 30_000

const hasErrorCode =
  (...codes: string[]) =>
  ({ status, body }: HttpResponse): boolean =>
    status >= 400 && status < 500 && codes.includes(PredictStreetRefusal.safeParse(body).data?.code ?? '')

const noMarket = hasErrorCode('market_not_found', 'invalid_outcome')

export const getEvents = async (context: VenueContext): Promise<unknown[]> =>
  (await readKnown(context, { path: '/api/events', timeoutMs: listTimeoutMs, body: PredictStreetEvents })).events

/** Null also for an event without public markets. */
export const getEvent = (context: VenueContext, id: string) =>
  read(context, {
    path: `/api/events/${encodeURIComponent(id)}`,
    isUnknown: hasErrorCode('event_not_found'),
    body: PredictStreetEvent,
  })

/** Open, paused, and upcoming ones. */
export const getMarkets = async (context: VenueContext): Promise<unknown[]> =>
  (await readKnown(context, { path: '/api/markets', timeoutMs: listTimeoutMs, body: PredictStreetMarkets })).markets

export const getMarket = (context: VenueContext, slug: string) =>
  read(context, { path: `/api/markets/${encodeURIComponent(slug)}`, isUnknown: noMarket, body: PredictStreetMarket })

export const getBook = (context: VenueContext, symbol: string, outcome: number) =>
  read(context, {
    path: `/api/markets/${encodeURIComponent(symbol)}/orderbook`,
    query: { outcome, depth },
    isUnknown: noMarket,
    body: PredictStreetBook,
  })

/** Newest first, of all the market's outcomes. Both ends excluded. */
export const getTrades = (context: VenueContext, symbol: string, span: { beforeMs?: number; afterMs?: number }) =>
  read(context, {
    path: `/api/markets/${encodeURIComponent(symbol)}/trades`,
    query: { limit: tradesMax, before: isoOfTime(span.beforeMs ?? null), after: isoOfTime(span.afterMs ?? null) },
    isUnknown: noMarket,
    body: PredictStreetTrades,
  })
