// `ingest.run.completed` and `matcher.run.completed`: a run of a job ended.
import { jobEvents, type RunCompleted } from '../webhooks.ts'
import type { StoredEvent } from './storedEvent.ts'

type ReportedJob = keyof typeof jobEvents

const isReported = (job: string): job is ReportedJob => Object.hasOwn(jobEvents, job)

export interface CompletedRun {
  id: string
  job: string
  /** Unix ms. */
  startedAt: number
  /** Unix ms. */
  finishedAt: number
  ok: boolean
  counts: RunCompleted['counts']
}

/** Null: webhooks do not report runs of this job. */
export const runCompleted = ({
  id,
  job,
  startedAt,
  finishedAt,
  ok,
  counts,
}: CompletedRun): StoredEvent<(typeof jobEvents)[ReportedJob], RunCompleted> | null =>
  isReported(job)
    ? {
        event: jobEvents[job],
        payload: {
          id,
          job,
          started_at: new Date(startedAt).toISOString(),
          finished_at: new Date(finishedAt).toISOString(),
          ok,
          counts,
        },
      }
    : null
