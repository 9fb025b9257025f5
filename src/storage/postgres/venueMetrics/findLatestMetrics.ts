// The newest value of each venue and metric.
import { type MetricName, type MetricScope, type MetricUnit, metricNames } from '#schemas/venueMetrics'
import type { Queryable } from '../pool.ts'

export interface MetricRow {
  venue: string
  metric: MetricName
  /** `YYYY-MM-DD`. */
  day: string
  value: number
  unit: MetricUnit
  source: 'venue' | 'catalog' | 'tape'
  scope: MetricScope
  read_at: string
  recorded_at: Date
}

/** `venue` null: all. One index look-up for each, regardless of how many days are kept. Ordered by name. */
export async function findLatestMetrics(db: Queryable, venue: string | null): Promise<MetricRow[]> {
  if (venue?.includes('\0')) return []
  const { rows } = await db.query<MetricRow>(
    `SELECT m.venue, m.metric, m.day::text AS day, m.value, m.unit, m.source, m.scope, m.read_at, m.recorded_at
     FROM venue_metric_jobs AS j
     CROSS JOIN unnest($2::text[]) AS named(metric)
     CROSS JOIN LATERAL (
       SELECT * FROM venue_metrics AS v WHERE v.venue = j.venue AND v.metric = named.metric ORDER BY v.day DESC LIMIT 1
     ) AS m
     WHERE $1::text IS NULL OR j.venue = $1
     ORDER BY m.venue, m.metric`,
    [venue, metricNames],
  )
  return rows
}
