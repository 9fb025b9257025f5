// Figures published by venues, and those of our own catalog and tape: each figure's newest day.

import { z } from 'zod'
import { snapshotFields } from '#schemas/envelope'
import { VenueMetrics } from '#schemas/venueMetrics'
import { defineRoute } from '#server/http/defineRoute'
import { VenueName } from '#server/http/venueName'
import type { VenueMetricsRouteDeps } from '../ports.ts'

export const getVenueMetrics = defineRoute({
  operationId: 'getVenueMetrics',
  method: 'get',
  path: '/v1/venues/metrics',
  family: 'venueMetrics',
  access: { scope: 'read', credits: 1 },
  summary:
    'The newest figure of each venue and metric, with its reporting day, unit and source; an untracked venue is {}',
  tag: 'venues',
  query: z.strictObject({ venue: VenueName.optional().describe('default: all tracked venues') }),
  data: VenueMetrics,
  topLevelFields: snapshotFields,
  errors: ['EXCHANGE_NOT_AVAILABLE'],
  async handle({ query: { venue } }, { venueMetrics }: VenueMetricsRouteDeps) {
    const rows = await venueMetrics.findLatest(venue ?? null)
    const data: VenueMetrics = {}
    let asOf = 0
    for (const { venue: slug, metric, value, unit, day: date, source, scope, read_at: read, recorded_at } of rows) {
      const recordedAt = recorded_at.toISOString()
      data[slug] = { ...data[slug], [metric]: { value, unit, date, source, scope, read, recordedAt } }
      asOf = Math.max(asOf, recorded_at.getTime())
    }
    return {
      data,
      siblings: {
        asOf: asOf === 0 ? null : new Date(asOf).toISOString(),
        provenance: { source: 'stored' },
      },
    }
  },
})
