// Novig's public REST catalog, raw: read only, no key. It contains the open set: ended items leave it, and are answered with 404.
// https://docs.novig.com/api-reference (Public)
import { z } from 'zod'
import { byCursor } from '../../shared/data/pages.ts'
import { read, readKnown } from '../../shared/data/rest.ts'
import type { VenueContext } from '../../venueContext.ts'
import { CatalogEvent, CatalogList, CatalogMarket } from '../wireCatalog.ts'

/** Rows of a page: 5,000 at most, which are some 2 MB. */
export const rowsPerPage = 1_000
const pageTimeoutMs = 30_000
const root = '/v3/public/catalog'

const list = (context: VenueContext, name: string, filter: Readonly<Record<string, string>> = {}) =>
  byCursor(context, {
    list: name,
    read: (after) =>
      readKnown(context, {
        path: `${root}/${name}`,
        query: { ...filter, limit: String(rowsPerPage), ...(after === undefined ? {} : { after }) },
        timeoutMs: pageTimeoutMs,
        body: CatalogList,
      }),
    rowsOf: ({ items }) => items,
    cursorOf: ({ next }) => next,
  })

export const eventPages = (context: VenueContext): AsyncIterable<unknown[]> => list(context, 'events')

/** Of all events, or of one. */
export const marketPages = (context: VenueContext, eventId?: string): AsyncIterable<unknown[]> =>
  list(context, 'markets', eventId === undefined ? {} : { event: eventId })

/** Null: not in the open set. */
export const getEvent = (context: VenueContext, id: string) =>
  read(context, { path: `${root}/events/${id}`, what: 'event', body: CatalogEvent })

export const getMarket = (context: VenueContext, id: string) =>
  read(context, { path: `${root}/markets/${id}`, what: 'market', body: CatalogMarket })

/** Parsed by the caller: one invalid book does not mean that the catalog is unavailable. */
export const getBook = (context: VenueContext, marketId: string) =>
  read(context, { path: `${root}/markets/${marketId}/book`, what: 'book', body: z.unknown() })
