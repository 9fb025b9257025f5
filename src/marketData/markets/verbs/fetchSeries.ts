// Series of events, ordered by id. A venue without the concept answers an empty list, never a 501.
import { z } from 'zod'
import { cursorBinding } from '#core/cursor'
import { Fault } from '#core/fault'
import { Series } from '#schemas/market'
import { defineVerb } from '../defineVerb.ts'
import { Id, Limit, Text, toIso } from '../fields.ts'
import { limitDefault, marketsLimitMax, offsetMax, venuesOf } from '../listQuery.ts'
import { presentSeries, splitQualified } from '../qualifiedIds.ts'
import { cursorOf } from './shapes.ts'

const cursorKind = 'series'
const Place = z.object({ venue: z.string(), id: z.string() })

export const fetchSeries = defineVerb({
  name: 'fetchSeries',
  summary: `Series from the catalog; at most ${marketsLimitMax} rows, more by meta.nextCursor`,
  args: [{ name: 'params', kind: 'object' }],
  query: z
    .object({
      id: Id.optional(),
      slug: Id.optional(),
      query: Text.optional(),
      recurrence: Text.optional(),
      limit: Limit.max(1_000_000).default(limitDefault),
      offset: z.number().int().min(0).max(offsetMax).optional(),
      cursor: z.string().min(1).max(4_096).optional(),
      sourceExchange: z.string().min(1).max(64).optional(),
    })
    .meta({ examples: [{ id: 's1' }] }),
  data: z.array(Series),
  router: 'union',
  heavy: true,
  rowsPerCredit: 100,
  errors: ['CATALOG_UNAVAILABLE'],
  async handle({ query: { sourceExchange, id, cursor, offset, limit: wanted, ...filter }, exchange }, markets) {
    if (cursor !== undefined && offset !== undefined)
      throw new Fault('VALIDATION_ERROR', 'cursor cannot be combined with offset')
    const located = id === undefined ? null : splitQualified(exchange, id)
    const venues = venuesOf(exchange, sourceExchange).filter((slug) => located === null || slug === located.venue.slug)
    const limit = Math.min(wanted, marketsLimitMax)
    const selection = { ...filter, venues, id: located?.id ?? id }
    const bind = cursorBinding(selection)
    const after = cursor === undefined ? {} : { after: Place.parse(markets.cursors.decode(cursorKind, bind, cursor)) }
    const found =
      venues.length === 0
        ? { rows: [], asOf: null }
        : await markets.catalog.findSeries({ ...selection, ...after, offset: offset ?? 0, limit: limit + 1 })
    const rows = found.rows.slice(0, limit)
    const last = found.rows.length > limit ? rows.at(-1) : undefined
    const next =
      last === undefined ? null : markets.cursors.encode(cursorKind, bind, { venue: last.sourceExchange, id: last.id })
    return {
      data: rows.map((row) => presentSeries(exchange, row)),
      asOf: toIso(found.asOf),
      source: 'catalog',
      meta: { limit, ...cursorOf(next) },
    }
  },
})
