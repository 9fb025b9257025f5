// One row per run of a job: the source of ingest.run.completed and of the answer to "when did it last work".
import type { Queryable } from './pool.ts'

export type RunCounts = Record<string, number | string>

export interface RunLogRow {
  id: string
  job: string
  started_at: Date
  /** Null while it runs, or for ever when its process died. */
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

/** A failed run carries its message in `counts.error`. Finishing twice keeps the first end; returns null then. */
export async function finishRun(
  db: Queryable,
  id: string,
  end: { finishedAt: number; ok: boolean; counts: RunCounts },
): Promise<RunLogRow | null> {
  const { rows } = await db.query<RunLogRow>(
    `UPDATE run_log SET finished_at = to_timestamp($2::float8 / 1000), ok = $3, counts = $4
     WHERE id = $1 AND finished_at IS NULL
     RETURNING id, job, started_at, finished_at, ok, counts`,
    [id, end.finishedAt, end.ok, JSON.stringify(end.counts)],
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
