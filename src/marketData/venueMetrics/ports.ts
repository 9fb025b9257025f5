// External dependencies of the venue metrics routes.
import type { MetricRow } from '#storage/postgres/venueMetrics/findLatestMetrics'

export interface VenueMetricsDeps {
  /** Null: for all venues. Throws PLATFORM_UNAVAILABLE. */
  findLatest(venue: string | null): Promise<MetricRow[]>
}

export interface VenueMetricsRouteDeps {
  venueMetrics: VenueMetricsDeps
}
