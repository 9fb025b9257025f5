// Myriad's public reads, raw: addresses, parameters, paging, and the meaning of refusals. Rows leave here as the venue wrote
// them.
import type { HttpResponse } from '#net/http'
import { byNumber } from '../../shared/data/pages.ts'
import { read, readKnown, unreadable } from '../../shared/data/rest.ts'
import type { VenueContext } from '../../venueContext.ts'
import type { Place } from '../ids.ts'
import {
  MyriadBook,
  MyriadEvent,
  MyriadEvents,
  MyriadMarket,
  MyriadPage,
  MyriadRefusal,
  MyriadTrades,
} from '../wire.ts'

const pageRows = 100
const tradesPageRows = 200
/** Older pages are left to the tape. */
const tradesPagesMax = 5

/** In the venue's own words; a proxy has others. */
export const isUnknown = ({ status, body }: HttpResponse): boolean =>
  status === 404 && MyriadRefusal.safeParse(body).success

const at = ({ id, networkId, model }: Place) => ({
  path: `/markets/${id}`,
  query: { network_id: networkId, trading_model: model },
})

/** Pools and order books alike: without the parameter the venue lists only pools. */
export const marketPages = (context: VenueContext, state: string): AsyncIterable<unknown[]> =>
  byNumber(context, {
    list: `/markets?state=${state}`,
    first: 1,
    read: (page) =>
      readKnown(context, {
        path: '/markets',
        // By publication date: an order that trading does not change.
        query: { state, trading_model: 'all', sort: 'published_at', order: 'asc', page, limit: pageRows },
        body: MyriadPage,
      }),
    rowsOf: ({ data }) => data,
    isLast: ({ data, pagination }) => !(pagination?.hasNext ?? data.length === pageRows),
  })

/** Null when the venue does not report it. */
export async function countOpen(context: VenueContext): Promise<number | null> {
  const query = { state: 'open', trading_model: 'all', page: 1, limit: 1 }
  return (await readKnown(context, { path: '/markets', query, body: MyriadPage })).pagination?.total ?? null
}

/** An account with more pages cannot be shown. */
const orderPagesMax = 20

/** To the end of the list. Throws NETWORK_ERROR when that is too far. */
export async function listOpenOrders(
  context: VenueContext,
  account: { trader: string; network_id: string },
): Promise<unknown[]> {
  const rows: unknown[] = []
  for (let page = 1; page <= orderPagesMax; page++) {
    const query = { ...account, status: 'open', page, limit: pageRows }
    const { data, pagination } = await readKnown(context, { path: '/orders', query, body: MyriadPage })
    rows.push(...data)
    if (!(pagination?.hasNext ?? data.length === pageRows)) return rows
  }
  throw unreadable(context, '/orders', `more than ${orderPagesMax * pageRows} orders of one account`)
}

/** All of one state at once: the list has no pages. */
export const listEvents = async (context: VenueContext, state: string): Promise<unknown[]> =>
  (await readKnown(context, { path: '/events', query: { state }, body: MyriadEvents })).data

export const getEvent = (context: VenueContext, id: string) =>
  read(context, { path: `/events/${encodeURIComponent(id)}`, body: MyriadEvent, isUnknown })

export const getMarket = (context: VenueContext, place: Place) =>
  read(context, { ...at(place), body: MyriadMarket, isUnknown })

export function getBook(context: VenueContext, place: Place, outcome: string) {
  const { path, query } = at(place)
  const bookQuery = { network_id: query.network_id, outcome }
  return read(context, { path: `${path}/orderbook`, query: bookQuery, body: MyriadBook, isUnknown })
}

/** Of an order book, newest first. */
export function tradePages(context: VenueContext, place: Place, outcome: string): AsyncIterable<unknown[]> {
  const { path, query } = at(place)
  return byNumber(context, {
    list: `${path}/trades`,
    first: 1,
    pagesMax: tradesPagesMax,
    waits: false,
    read: (page) =>
      readKnown(context, {
        path: `${path}/trades`,
        query: { network_id: query.network_id, outcome, limit: tradesPageRows, page },
        body: MyriadTrades,
        isUnknown,
      }),
    rowsOf: (rows) => rows,
    isLast: (rows) => rows.length < tradesPageRows,
  })
}

/** A pool's actions, newest first; range in unix seconds, inclusive. */
export function actionPages(
  context: VenueContext,
  place: Place,
  range: { since?: number | undefined; until?: number | undefined },
): AsyncIterable<unknown[]> {
  const { path, query } = at(place)
  return byNumber(context, {
    list: `${path}/events`,
    first: 1,
    pagesMax: tradesPagesMax,
    waits: false,
    read: (page) =>
      readKnown(context, {
        path: `${path}/events`,
        query: { network_id: query.network_id, ...range, page, limit: pageRows },
        body: MyriadPage,
        isUnknown,
      }),
    rowsOf: ({ data }) => data,
    isLast: ({ data, pagination }) => !(pagination?.hasNext ?? data.length === pageRows),
  })
}
