// The gateway's reads, raw: no key, limit and offset, no totals. Null when the venue says it does not know the thing.
// https://docs.polymarket.us/api-reference
import type { z } from 'zod'
import { ONE } from '#core/price'
import type { HttpResponse } from '#net/http'
import { byOffset } from '../../shared/data/pages.ts'
import { type Read, read, unreadable } from '../../shared/data/rest.ts'
import type { VenueContext } from '../../venueContext.ts'
import { UsBookBody, UsEventBody, UsEventsPage, UsMarketBody, UsRefusal, UsSettlement } from '../wire.ts'

/** An event may be megabytes (4.7 observed); the venue would return up to 500 of them. */
export const eventsPerPage = 20
const pageTimeoutMs = 30_000
/** Books after a 429 in a round are read late instead of not at all. */
const patienceMs = 15_000

/** The venue's own 404, not that of a proxy in front of it. */
const isUnknown = ({ status, body }: HttpResponse): boolean => status === 404 && UsRefusal.safeParse(body).success

const ask = <S extends z.ZodType>(context: VenueContext, request: Omit<Read<S>, 'base' | 'isUnknown'>) =>
  read<S>(context, { base: 'GATEWAY', isUnknown, ...request } as Read<S>)

/** Events that have not ended, with all their markets inside, including closed ones. */
export const eventPages = (context: VenueContext): AsyncIterable<unknown[]> =>
  byOffset(context, {
    list: 'events',
    limit: eventsPerPage,
    async read(offset, limit) {
      const query = { closed: false, limit, offset }
      const page = await ask(context, { path: '/v1/events', query, timeoutMs: pageTimeoutMs, body: UsEventsPage })
      if (page === null) throw unreadable(context, '/v1/events', 'status 404')
      return { rows: page.events }
    },
  })

export const getEvent = (context: VenueContext, id: string) =>
  ask(context, { path: `/v1/events/${encodeURIComponent(id)}`, timeoutMs: pageTimeoutMs, body: UsEventBody })

/** Singular for one market, plural for its book. */
export const getMarket = (context: VenueContext, slug: string) =>
  ask(context, { path: `/v1/market/slug/${encodeURIComponent(slug)}`, body: UsMarketBody })

/** Payout of the long side of a resolved market, micros; null when there is no settlement yet. */
export async function getSettlement(context: VenueContext, slug: string): Promise<number | null> {
  const path = `/v1/markets/${encodeURIComponent(slug)}/settlement`
  const settled = await ask(context, { path, body: UsSettlement })
  if (settled === null) return null
  if (settled.slug !== slug) throw unreadable(context, path, `market ${settled.slug}`)
  return Math.round(settled.settlement * ONE)
}

export const getBook = (context: VenueContext, slug: string) =>
  ask(context, { path: `/v1/markets/${encodeURIComponent(slug)}/book`, patienceMs, body: UsBookBody })
