// Venue-level figures, one per reporting day.
export { dayMs, dayOf, dueParts, type Gathered, mayCountTape, nextDueInMs, oldestTapeMs, startOf } from './due.ts'
export type { VenueMetricsDeps, VenueMetricsRouteDeps } from './ports.ts'
export { getVenueMetrics } from './routes/getVenueMetrics.ts'
