// Which process gathers a venue's metrics, and its progress: one row per venue, taken when it is free or expired.
import type { MetricName, MetricScope, MetricUnit } from '#schemas/venueMetrics'
import type { Queryable } from '../pool.ts'

/** A holder that is silent for this long is taken for dead. */
export const jobLeaseMs = 120_000

export const metricParts = ['venue', 'catalog', 'tape'] as const
/** Gathered separately: reported by the venue, counted in our catalog, counted on our tape. */
export type MetricPart = (typeof metricParts)[number]

/** The last completed day, `YYYY-MM-DD`, of each part; null before the first. */
export type MetricProgress = Readonly<Record<MetricPart, string | null>>

export interface NewMetric {
  metric: MetricName
  value: number
  unit: MetricUnit
  scope: MetricScope
  read: string
}

/** Takes or renews the venue's job in one statement; null while another process has it. */
export async function holdMetricJob(db: Queryable, venue: string, holder: string): Promise<MetricProgress | null> {
  const { rows } = await db.query<MetricProgress>(
    `INSERT INTO venue_metric_jobs AS j (venue, holder, expires_at)
     VALUES ($1, $2, clock_timestamp() + $3::int * interval '1 millisecond')
     ON CONFLICT (venue) DO UPDATE SET holder = EXCLUDED.holder, expires_at = EXCLUDED.expires_at
     WHERE j.holder = $2 OR j.expires_at <= clock_timestamp()
     RETURNING j.venue_day::text AS venue, j.catalog_day::text AS catalog, j.tape_day::text AS tape`,
    [venue, holder, jobLeaseMs],
  )
  return rows[0] ?? null
}

/** Lets another process take it immediately. */
export async function releaseMetricJob(db: Queryable, venue: string, holder: string): Promise<void> {
  await db.query('UPDATE venue_metric_jobs SET expires_at = clock_timestamp() WHERE venue = $1 AND holder = $2', [
    venue,
    holder,
  ])
}

/**
 * A part's values for a day, and that the part has completed it: both or neither, and only by the job's holder. There may be several values or
 * none. False: another process holds it.
 */
export async function writeMetrics(
  db: Queryable,
  {
    venue,
    holder,
    part,
    day,
    recordedAt,
  }: { venue: string; holder: string; part: MetricPart; day: string; recordedAt: Date },
  metrics: readonly NewMetric[],
): Promise<boolean> {
  const done = `${part}_day`
  const { rows } = await db.query<{ held: boolean }>(
    `WITH mine AS (
       UPDATE venue_metric_jobs SET ${done} = greatest(${done}, $3::date)
       WHERE venue = $1 AND holder = $2 AND expires_at > clock_timestamp()
       RETURNING venue
     ), recorded_metrics AS (
       INSERT INTO venue_metrics AS m (venue, metric, day, value, unit, source, scope, read_at, recorded_at)
       SELECT mine.venue, t.metric, $3::date, t.value, t.unit, $4::text, t.scope, t.read_at, $5::timestamptz
       FROM mine, unnest($6::text[], $7::float8[], $8::text[], $9::text[], $10::text[]) AS t(metric, value, unit, scope, read_at)
       ON CONFLICT (venue, metric, day) DO UPDATE SET value = EXCLUDED.value, unit = EXCLUDED.unit, source = EXCLUDED.source,
         scope = EXCLUDED.scope, read_at = EXCLUDED.read_at, recorded_at = EXCLUDED.recorded_at
     )
     SELECT EXISTS (SELECT FROM mine) AS held`,
    [
      venue,
      holder,
      day,
      part,
      recordedAt,
      metrics.map(({ metric }) => metric),
      metrics.map(({ value }) => value),
      metrics.map(({ unit }) => unit),
      metrics.map(({ scope }) => scope),
      metrics.map(({ read }) => read),
    ],
  )
  return rows[0]!.held
}
