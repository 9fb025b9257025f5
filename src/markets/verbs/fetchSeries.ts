// Series of events. A venue without the concept answers an empty list, never a 501.
import { z } from 'zod'
import { Series } from '#schemas/market'
import { defineVerb } from '../defineVerb.ts'
import { Id, Limit, Text } from '../fields.ts'
import { limitDefault, marketsLimitMax, offsetMax, venuesOf } from '../listQuery.ts'
import { presentSeries, splitQualified } from '../routerIds.ts'

export const fetchSeries = defineVerb({
  name: 'fetchSeries',
  summary: 'Series from the catalog',
  args: [{ name: 'params', kind: 'object' }],
  query: z.object({
    id: Id.optional(),
    slug: Id.optional(),
    query: Text.optional(),
    recurrence: Text.optional(),
    limit: Limit.max(1_000_000).default(limitDefault),
    offset: z.number().int().min(0).max(offsetMax).default(0),
    sourceExchange: z.string().min(1).max(64).optional(),
  }),
  data: z.array(Series),
  router: 'union',
  errors: ['CATALOG_UNAVAILABLE'],
  async handle({ query: { sourceExchange, id, ...rest }, exchange }, markets) {
    const located = id === undefined ? null : splitQualified(exchange, id)
    const venues = venuesOf(exchange, sourceExchange).filter((slug) => located === null || slug === located.venue.slug)
    const limit = Math.min(rest.limit, marketsLimitMax)
    const rows =
      venues.length === 0 ? [] : await markets.catalog.findSeries({ ...rest, limit, venues, id: located?.id ?? id })
    return { data: rows.map((row) => presentSeries(exchange, row)), asOf: null, source: 'catalog', meta: { limit } }
  },
})
