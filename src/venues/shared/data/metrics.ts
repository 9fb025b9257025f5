// Venue-level figures. A figure the venue does not report, or reports only in part, is left out: an incomplete sum would be wrong.
import type { MetricUnit, PublishedMetricName } from '#schemas/venueMetrics'
import type { PublishedMetric } from '../../venue.ts'

/** Null as soon as one part is unknown. Rounded to the millionth, the precision of venues' own decimals. */
export function wholeSum(parts: Iterable<number | null>): number | null {
  let sum = 0
  for (const part of parts) {
    if (part === null) return null
    sum += part
  }
  return Math.round(sum * 1e6) / 1e6
}

/** Only the known ones. */
export const metricsOf = (
  { scope, read }: Pick<PublishedMetric, 'scope' | 'read'>,
  figures: readonly (readonly [metric: PublishedMetricName, value: number | null, unit: MetricUnit])[],
): PublishedMetric[] =>
  figures.flatMap(([metric, value, unit]) => (value === null ? [] : [{ metric, value, unit, scope, read }]))
