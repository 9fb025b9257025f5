// One row per run of a job: the source of ingest.run.completed and matcher.run.completed, and of when a job last succeeded.
import { runCompleted } from '#schemas/webhookEvents/runCompleted'
import type { Queryable } from './pool.ts'

export type RunCounts = Record<string, number | string>

/** A run that has begun. */
export interface Run {
  id: string
  job: string
  /** Unix ms. */
  startedAt: number
}

export interface RunLogRow {
  id: string
  job: string
  started_at: Date
  /** Null while it runs, or forever if its process died. */
  finished_at: Date | null
  ok: boolean | null
  counts: RunCounts
}

export async function insertRun(db: Queryable, job: string, startedAt: number): Promise<Run> {
  const { rows } = await db.query<{ id: string }>(
    'INSERT INTO run_log (job, started_at) VALUES ($1, to_timestamp($2::float8 / 1000)) RETURNING id',
    [job, startedAt],
  )
  return { id: rows[0]!.id, job, startedAt }
}

/**
 * A failed run has its message in `counts.error`. The job's event, if any, is written together with its end. Finishing twice keeps the first end and
 * returns null.
 */
export async function finishRun(
  db: Queryable,
  run: Run,
  end: { finishedAt: number; ok: boolean; counts: RunCounts },
): Promise<RunLogRow | null> {
  const reported = runCompleted({ ...run, ...end })
  const { rows } = await db.query<RunLogRow>(
    `WITH run AS (
       UPDATE run_log SET finished_at = to_timestamp($2::float8 / 1000), ok = $3, counts = $4
       WHERE id = $1 AND finished_at IS NULL
       RETURNING id, job, started_at, finished_at, ok, counts
     ), outbox_event AS (
       INSERT INTO outbox (event, payload, created_at)
       SELECT $5::text, $6::jsonb, finished_at FROM run WHERE $5::text IS NOT NULL
     )
     SELECT id, job, started_at, finished_at, ok, counts FROM run`,
    [
      run.id,
      end.finishedAt,
      end.ok,
      JSON.stringify(end.counts),
      reported?.event ?? null,
      reported === null ? null : JSON.stringify(reported.payload),
    ],
  )
  return rows[0] ?? null
}

/** Newest first. */
export async function findRuns(db: Queryable, job: string, limit: number): Promise<RunLogRow[]> {
  const { rows } = await db.query<RunLogRow>(
    `SELECT id, job, started_at, finished_at, ok, counts FROM run_log WHERE job = $1 ORDER BY id DESC LIMIT $2`,
    [job, limit],
  )
  return rows
}
