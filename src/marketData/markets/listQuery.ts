// The arguments of list verbs, and the catalog query they become.
import { z } from 'zod'
import { cursorBinding } from '#core/cursor'
import { Fault } from '#core/fault'
import { canonicalVenue } from '#schemas/venues'
import { EventCriteria, MarketCriteria } from './criteria.ts'
import type { Exchange } from './exchange.ts'
import { Id, Limit, Tags, Text } from './fields.ts'
import type { CatalogFilter, CatalogSort } from './ports.ts'
import { splitQualified } from './qualifiedIds.ts'

export const limitDefault = 100
/** Larger values are accepted and clamped; `meta.limit` reports it. */
export const marketsLimitMax = 1_000
/** An event carries its markets. */
export const eventsLimitMax = 200
/** Deeper pages are reached by cursor. */
export const offsetMax = 100_000

const shared = {
  limit: Limit.max(1_000_000).optional(),
  offset: z.number().int().min(0).max(offsetMax).optional(),
  /** 1 is the first. */
  page: z.number().int().min(1).max(offsetMax).optional(),
  cursor: z.string().min(1).max(4_096).optional(),
  sort: z.enum(['volume', 'liquidity', 'newest']).default('volume'),
  /** Active rows, unless an id or slug is given: a lookup finds closed rows too. `inactive` and `closed`: all that are not active; `resolved`: settled ones. */
  status: z.enum(['active', 'inactive', 'closed', 'resolved', 'all']).optional(),
  searchIn: z.enum(['title', 'description', 'both']).default('title'),
  query: Text.optional(),
  slug: Id.optional(),
  marketId: Id.optional(),
  outcomeId: Id.optional(),
  eventId: Id.optional(),
  category: Text.optional(),
  tags: Tags.optional(),
  sourceExchange: z.string().min(1).max(64).optional(),
  exchange: z.string().min(1).max(64).optional(),
}

export const MarketListQuery = z
  .object({
    ...shared,
    filter: z.union([Text, MarketCriteria]).optional(),
    /** Accepted from clients of the family; the text search here has no similarity. */
    similarityThreshold: z.number().min(0).max(1).optional(),
  })
  .meta({ examples: [{ marketId: 'KXBTC-26' }] })
export type MarketListQuery = z.infer<typeof MarketListQuery>

export const EventListQuery = z
  .object({
    ...shared,
    series: Id.optional(),
    filter: z.union([Text, EventCriteria]).optional(),
  })
  .meta({ examples: [{ eventId: 'event-KXBTC-26' }] })
export type EventListQuery = z.infer<typeof EventListQuery>

const lookUps = ['marketId', 'outcomeId', 'eventId', 'slug', 'series', 'query', 'category', 'tags', 'filter'] as const

/** For verbs that return one row. Without a name or a filter any row would be the answer. */
export function requireLookup(schema: z.ZodObject, query: ListQuery): void {
  const names = lookUps.filter((name) => name in schema.shape)
  if (names.some((name) => (query as Readonly<Record<string, unknown>>)[name] !== undefined)) return
  throw new Fault('VALIDATION_ERROR', `give at least one of ${names.join(', ')}`)
}

export type ListQuery = MarketListQuery | EventListQuery

/** The catalog query. `filter.venues` is empty when no row can match. */
export interface ListPlan {
  filter: CatalogFilter
  sort: CatalogSort
  limit: number
  offset: number
  cursor: string | undefined
  /** Identifies sort and filters: a cursor opens only for the same ones. */
  bind: string
}

export function planList(exchange: Exchange, query: ListQuery, limitMax: number): ListPlan {
  if (query.cursor !== undefined && (query.offset !== undefined || query.page !== undefined)) {
    throw new Fault('VALIDATION_ERROR', 'cursor cannot be combined with offset or page')
  }
  const limit = Math.min(query.limit ?? limitDefault, limitMax)
  const offset = query.offset ?? ((query.page ?? 1) - 1) * limit
  if (offset > offsetMax)
    throw new Fault('VALIDATION_ERROR', `offset must be at most ${offsetMax}; continue with cursor`)
  const filter = filterOf(exchange, query)
  return {
    filter,
    sort: query.sort,
    limit,
    offset,
    cursor: query.cursor,
    bind: cursorBinding({ filter, sort: query.sort, criteria: query.filter }),
  }
}

function filterOf(exchange: Exchange, query: ListQuery): CatalogFilter {
  const ids = {
    marketId: query.marketId,
    outcomeId: query.outcomeId,
    eventId: query.eventId,
    seriesId: seriesOf(query),
  }
  const lookUp = query.slug !== undefined || Object.values(ids).some((id) => id !== undefined)
  let venues = venuesOf(exchange, query.sourceExchange ?? query.exchange)
  const filter: CatalogFilter = {
    venues,
    status: query.status ?? (lookUp ? 'all' : 'active'),
    query: query.query,
    searchIn: query.query === undefined ? undefined : query.searchIn,
    slug: query.slug,
    category: query.category,
    tags: query.tags,
  }
  for (const [name, id] of Object.entries(ids) as [keyof typeof ids, string | undefined][]) {
    if (id === undefined) continue
    const located = splitQualified(exchange, id)
    if (located !== null) venues = venues.filter((slug) => slug === located.venue.slug)
    filter[name] = located?.id ?? id
  }
  return { ...filter, venues }
}

const seriesOf = (query: ListQuery): string | undefined => ('series' in query ? query.series : undefined)

/** The router can be narrowed to one venue; on a venue's own route the name can only repeat it. */
export function venuesOf(exchange: Exchange, wanted: string | undefined): string[] {
  const slugs = exchange.venues.map((venue) => venue.slug)
  if (wanted === undefined) return slugs
  const slug = canonicalVenue(wanted)
  if (slugs.includes(slug)) return [slug]
  if (exchange.router) throw new Fault('EXCHANGE_NOT_AVAILABLE', 'this exchange is not available here')
  throw new Fault('VALIDATION_ERROR', `sourceExchange: this route answers for ${exchange.name} only`)
}
