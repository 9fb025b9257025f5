// One row per run of a job: the source of ingest.run.completed and matcher.run.completed, and of when a job last succeeded.
import { jobEvents } from '#schemas/webhooks'
import type { Queryable } from './pool.ts'

export type RunCounts = Record<string, number | string>

export interface RunLogRow {
  id: string
  job: string
  started_at: Date
  /** Null while it runs, or forever if its process died. */
  finished_at: Date | null
  ok: boolean | null
  counts: RunCounts
}

export async function insertRun(db: Queryable, job: string, startedAt: number): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    'INSERT INTO run_log (job, started_at) VALUES ($1, to_timestamp($2::float8 / 1000)) RETURNING id',
    [job, startedAt],
  )
  return rows[0]!.id
}

/**
 * A failed run has its message in `counts.error`. The job's event, if any, is written together with its end. Finishing twice keeps the first end and
 * returns null.
 */
export async function finishRun(
  db: Queryable,
  id: string,
  end: { finishedAt: number; ok: boolean; counts: RunCounts },
): Promise<RunLogRow | null> {
  const { rows } = await db.query<RunLogRow>(
    `WITH run AS (
       UPDATE run_log SET finished_at = to_timestamp($2::float8 / 1000), ok = $3, counts = $4
       WHERE id = $1 AND finished_at IS NULL
       RETURNING id, job, started_at, finished_at, ok, counts
     ), outbox_event AS (
       INSERT INTO outbox (event, payload, created_at)
       SELECT $5::jsonb ->> job, jsonb_build_object('id', id::text, 'job', job, 'started_at', ${iso('started_at')},
         'finished_at', ${iso('finished_at')}, 'ok', ok, 'counts', counts), finished_at
       FROM run WHERE $5::jsonb ? job
     )
     SELECT id, job, started_at, finished_at, ok, counts FROM run`,
    [id, end.finishedAt, end.ok, JSON.stringify(end.counts), JSON.stringify(jobEvents)],
  )
  return rows[0] ?? null
}

const iso = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Newest first. */
export async function findRuns(db: Queryable, job: string, limit: number): Promise<RunLogRow[]> {
  const { rows } = await db.query<RunLogRow>(
    `SELECT id, job, started_at, finished_at, ok, counts FROM run_log WHERE job = $1 ORDER BY id DESC LIMIT $2`,
    [job, limit],
  )
  return rows
}
