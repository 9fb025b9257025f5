// Figures of venues as wholes, one a reporting day: what a venue says of itself, and what our own catalog and tape say exactly.
import { z } from 'zod'

/** Said by the venue. */
export const publishedMetrics = ['volume24h', 'volume', 'openInterest', 'liquidity', 'traders', 'openMarkets'] as const
export type PublishedMetricName = (typeof publishedMetrics)[number]

/** Counted by us. */
export const ownMetrics = ['catalogOpenMarkets', 'tapedTrades'] as const
export const metricNames = [...publishedMetrics, ...ownMetrics] as const
export type MetricName = (typeof metricNames)[number]

export const metricUnits = ['USD', 'USDC', 'CONTRACTS', 'MARKETS', 'TRADERS', 'TRADES'] as const
export type MetricUnit = (typeof metricUnits)[number]

/**
 * Of what the figure is. `venue`: the venue says it of itself. `listed`: the sum of what one answer of the venue says of every market that it lists
 * as open; what settled since is not in it. `catalog`, `tape`: counted in ours.
 */
export const metricScopes = ['venue', 'listed', 'catalog', 'tape'] as const
export type MetricScope = (typeof metricScopes)[number]

export const VenueMetric = z
  .object({
    value: z.number(),
    unit: z.enum(metricUnits),
    date: z.iso.date().describe('reporting day, UTC'),
    source: z.enum(['venue', 'catalog', 'tape']),
    scope: z.enum(metricScopes),
    read: z.string().describe('where it was read: the venue’s own path, or ours'),
    recordedAt: z.iso.datetime(),
  })
  .meta({ id: 'VenueMetric' })
export type VenueMetric = z.infer<typeof VenueMetric>

/** By venue, then by metric; what was not reported is absent. */
export const VenueMetrics = z.record(z.string(), z.partialRecord(z.enum(metricNames), VenueMetric))
export type VenueMetrics = z.infer<typeof VenueMetrics>
