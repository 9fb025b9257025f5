// A page of events with their markets from the catalog.
import { z } from 'zod'
import { matchesEvent } from '../criteria.ts'
import { defineVerb } from '../defineVerb.ts'
import type { Exchange } from '../exchange.ts'
import { EventListQuery, eventsLimitMax, planList } from '../listQuery.ts'
import type { Markets } from '../markets.ts'
import { presentEvent } from '../qualifiedIds.ts'
import { readList } from '../readList.ts'
import { EventRow, listAnswer } from './shapes.ts'

export async function readEvents(markets: Markets, exchange: Exchange, query: EventListQuery) {
  const plan = planList(exchange, query, eventsLimitMax)
  const { filter } = query
  const page = await readList(
    markets,
    'events',
    (listQuery) => markets.catalog.findEvents(listQuery),
    plan,
    filter === undefined ? null : (row) => matchesEvent(row, filter),
  )
  const { rows, pending } = await markets.tapeFacts.fillEvents(page.rows)
  // Most of an event is its markets.
  const charged = rows.reduce((sum, row) => sum + Math.max(1, row.markets.length), 0)
  return { page, pending, limit: plan.limit, charged, rows: rows.map((row) => presentEvent(exchange, row)) }
}

export const fetchEvents = defineVerb({
  name: 'fetchEvents',
  summary: `Events with their markets from the catalog; at most ${eventsLimitMax} rows, more by meta.nextCursor`,
  args: [{ name: 'params', kind: 'object' }],
  query: EventListQuery,
  data: z.array(EventRow),
  router: 'union',
  heavy: true,
  rowsPerCredit: 100,
  errors: ['CATALOG_UNAVAILABLE', 'CATALOG_QUERY_TOO_BROAD'],
  async handle({ query, exchange }, markets) {
    const { rows, charged, ...list } = await readEvents(markets, exchange, query)
    return { ...listAnswer(list, rows), rows: charged }
  },
})
