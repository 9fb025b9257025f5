// The list's filter values, and how many fixtures each leaves.
import { z } from 'zod'
import { Facets } from '#schemas/sports'
import { defineRoute } from '#server/http/defineRoute'
import { facetsOf } from '../facets.ts'
import type { SportsRouteDeps } from '../ports.ts'
import { catalogsOf, Meta, metaOf, reliabilityOf, requireSnapshot } from '../rows.ts'
import { filterOf, filters, tagged } from './shapes.ts'

export const listSportsFacets = defineRoute({
  operationId: 'listSportsFacets',
  method: 'get',
  path: '/v1/sports/facets',
  family: 'sports',
  access: { scope: 'read', credits: 1 },
  summary:
    'Sports, competitions, venues, statuses and market types of the fixtures in the list’s own window, with their counts',
  tag: 'sports',
  // The window is the list's default: counts for another one would cover other fixtures.
  query: z.strictObject(filters),
  data: Facets,
  topLevelFields: { meta: Meta },
  errors: ['SPORTS_SCREEN_UNAVAILABLE', 'EXCHANGE_NOT_AVAILABLE'],
  revalidates: true,
  handle({ query, call }, { sports }: SportsRouteDeps) {
    const now = sports.clock.now()
    const filter = filterOf(query, now)
    const snapshot = requireSnapshot(sports)
    const found = snapshot.index.find(filter, now, Number.POSITIVE_INFINITY)
    const reliability = reliabilityOf(snapshot, found, now, catalogsOf(sports, filter))
    const meta = metaOf(snapshot, reliability, null)
    return tagged(
      ['listSportsFacets', query],
      facetsOf(found, now),
      { meta },
      {
        degraded: meta.degraded,
        held: call.headers['if-none-match'],
      },
    )
  },
})
