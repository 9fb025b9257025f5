// The gateway's reads, raw: no key, limit and offset, no totals. Null where the venue says it does not know the thing.
// https://docs.polymarket.us/api-reference
import type { z } from 'zod'
import { Fault } from '#lib/fault'
import { ONE } from '#lib/price'
import type { HttpRequest } from '#net/http'
import type { VenueContext } from '../../venue.ts'
import { UsBookBody, UsEventBody, UsEventsPage, UsMarketBody, UsRefusal, UsSettlement } from '../wire.ts'
import { beginTruce, keepTruce, sitOutTruce } from './truce.ts'

/** Long enough for the tries that a 429 with `retry-after: 10` leads to: an answer given up on would hide that time. */
const timeoutMs = 15_000
/** A page of events is megabytes. */
const pageTimeoutMs = 30_000

/** The parsed body; null for the venue's own 404. */
async function read<S extends z.ZodType>(
  context: VenueContext,
  request: { path: string; query?: HttpRequest['query']; timeoutMs?: number; patient?: boolean },
  schema: S,
): Promise<z.infer<S> | null> {
  const { http, clock, urls, signal } = context
  if (request.patient) await sitOutTruce(http, clock, signal)
  else keepTruce(http, clock)
  const { path, query } = request
  const { status, body } = await http
    .request({ url: `${urls.GATEWAY}${path}`, query, signal, timeoutMs: request.timeoutMs ?? timeoutMs })
    .catch((error: unknown) => {
      if (!(error instanceof Fault) || !isLimit(error)) throw error
      const retryAfterSeconds = beginTruce(http, clock, error.retryAfterSeconds)
      throw new Fault('NETWORK_ERROR', error.message, { exchange: 'polymarket_us', retryAfterSeconds, cause: error })
    })
  if (status === 404 && UsRefusal.safeParse(body).success) return null
  if (status < 200 || status > 299) throw unreadable(path, `status ${status} ${JSON.stringify(body)?.slice(0, 200)}`)
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw unreadable(path, parsed.error.message.slice(0, 500))
  return parsed.data
}

/** The client's word for a 429, whose body may be a page of HTML and which may name no time. */
const isLimit = ({ message, retryAfterSeconds }: Fault): boolean =>
  retryAfterSeconds !== undefined || message.endsWith('limits our requests')

export const unreadable = (path: string, detail: string): Fault =>
  new Fault('NETWORK_ERROR', 'polymarket_us gave an answer that cannot be used', {
    exchange: 'polymarket_us',
    detail: `GET ${path}: ${detail}`,
  })

/** Events that are not over, their markets inside, those that are closed among them. */
export async function listEvents(context: VenueContext, offset: number, limit: number): Promise<unknown[]> {
  const query = { closed: false, limit, offset }
  const page = await read(context, { path: '/v1/events', query, timeoutMs: pageTimeoutMs }, UsEventsPage)
  if (page === null) throw unreadable('/v1/events', 'status 404')
  return page.events
}

export const getEvent = (context: VenueContext, id: string) =>
  read(context, { path: `/v1/events/${encodeURIComponent(id)}`, timeoutMs: pageTimeoutMs }, UsEventBody)

/** Singular for one market, plural for its book. */
export const getMarket = (context: VenueContext, slug: string) =>
  read(context, { path: `/v1/market/slug/${encodeURIComponent(slug)}` }, UsMarketBody)

/** What the long side of a resolved market paid, micros; null where there is no settlement yet. */
export async function getSettlement(context: VenueContext, slug: string): Promise<number | null> {
  const path = `/v1/markets/${encodeURIComponent(slug)}/settlement`
  const body = await read(context, { path }, UsSettlement)
  if (body === null) return null
  if (body.slug !== slug) throw unreadable(path, `market ${body.slug}`)
  return Math.round(body.settlement * ONE)
}

export const getBook = (context: VenueContext, slug: string) =>
  read(context, { path: `/v1/markets/${encodeURIComponent(slug)}/book`, patient: true }, UsBookBody)
