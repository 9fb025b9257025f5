// Venue-level figures per reporting day: those a venue publishes, and exact ones from our own catalog and tape.
import { z } from 'zod'

/** Published by the venue. */
export const publishedMetrics = ['volume24h', 'volume', 'openInterest', 'liquidity', 'traders', 'openMarkets'] as const
export type PublishedMetricName = (typeof publishedMetrics)[number]

/** Counted by us. */
export const ownMetrics = ['catalogOpenMarkets', 'tapedTrades'] as const
export const metricNames = [...publishedMetrics, ...ownMetrics] as const
export type MetricName = (typeof metricNames)[number]

export const metricUnits = ['USD', 'USDC', 'CONTRACTS', 'MARKETS', 'TRADERS', 'TRADES'] as const
export type MetricUnit = (typeof metricUnits)[number]

/**
 * What the figure covers. `venue`: published by the venue about itself. `listed`: summed over the open markets in one response of the venue;
 * markets settled since are excluded. `catalog`, `tape`: counted in ours.
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

/** By venue, then by metric; unreported metrics are absent. */
export const VenueMetrics = z.record(z.string(), z.partialRecord(z.enum(metricNames), VenueMetric))
export type VenueMetrics = z.infer<typeof VenueMetrics>
