// What the routes of venue metrics need from outside.
import type { MetricRow } from '#storage/postgres/venueMetrics/findLatestMetrics'

export interface VenueMetricsDeps {
  /** Null: of all venues. Throws PLATFORM_UNAVAILABLE. */
  findLatest(venue: string | null): Promise<MetricRow[]>
}

export interface VenueMetricsRouteDeps {
  venueMetrics: VenueMetricsDeps
}
