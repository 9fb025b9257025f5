// One event: the first match.
import { Fault } from '#core/fault'
import { defineVerb } from '../defineVerb.ts'
import { toIso } from '../fields.ts'
import { EventListQuery, requireLookup } from '../listQuery.ts'
import { readEvents } from './fetchEvents.ts'
import { EventRow, pendingMeta } from './shapes.ts'

export const fetchEvent = defineVerb({
  name: 'fetchEvent',
  summary: 'The first event that matches, with its markets',
  args: [{ name: 'params', kind: 'object' }],
  query: EventListQuery,
  data: EventRow,
  router: 'union',
  errors: ['EVENT_NOT_FOUND', 'CATALOG_UNAVAILABLE', 'CATALOG_QUERY_TOO_BROAD'],
  async handle({ query, exchange }, markets) {
    requireLookup(EventListQuery, query)
    const { page, rows, pending } = await readEvents(markets, exchange, { ...query, limit: 1 })
    if (rows[0] === undefined) {
      throw new Fault('EVENT_NOT_FOUND', 'no event matches', exchange.router ? {} : { exchange: exchange.name })
    }
    return { data: rows[0], asOf: toIso(page.asOf), source: 'catalog', ...pendingMeta(pending) }
  },
})
