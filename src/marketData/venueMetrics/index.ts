// Venue-level figures, one per reporting day.

export type { VenueMetricsDeps, VenueMetricsRouteDeps } from './ports.ts'
export { getVenueMetrics } from './routes/getVenueMetrics.ts'
export {
  type CollectedMetric,
  dayMs,
  dayOf,
  dueMetrics,
  isHistoryComplete,
  nextDueInMs,
  oldestTapeMs,
  startOf,
} from './schedule.ts'
