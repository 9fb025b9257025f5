// A cursor walk over the events.
import { defineVerb } from '../defineVerb.ts'
import { EventListQuery } from '../listQuery.ts'
import { readEvents } from './fetchEvents.ts'
import { cursorOf, EventRow, listAnswer, pageOf, totalOf } from './shapes.ts'

export const fetchEventsPaginated = defineVerb({
  name: 'fetchEventsPaginated',
  summary: 'One page of events with total and nextCursor; the cursor works only with the same sort and filters',
  args: [{ name: 'params', kind: 'object' }],
  query: EventListQuery,
  data: pageOf(EventRow),
  router: 'union',
  heavy: true,
  rowsPerCredit: 100,
  errors: ['CATALOG_UNAVAILABLE', 'CATALOG_QUERY_TOO_BROAD'],
  async handle({ query, exchange }, markets) {
    const { rows, charged, ...list } = await readEvents(markets, exchange, query)
    const { total, nextCursor } = list.page
    return { ...listAnswer(list, { data: rows, ...totalOf(total), ...cursorOf(nextCursor) }), rows: charged }
  },
})
