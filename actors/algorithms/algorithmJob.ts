// Takes the steps of execution algorithms that are due. Every compute process looks, and skips those that another one has leased.
import type { Log } from '#core/log'
import type { StepOutcome } from '#orders/algorithms/index'
import type { AlgorithmRow } from '#storage/postgres/algorithms/algorithmRow'
import type { AlgorithmStore } from '#storage/postgres/algorithms/store'
import type { DatabaseClock } from '#storage/postgres/databaseClock'
import { type PollingJob, startPollingJob } from '../runtime/pollingJob.ts'

const lookEveryMs = 500
/** Steps that are taken concurrently. */
const stepsPerLook = 20
/** Looks without a pause, so that a step that is due again at once is taken. */
const looksMax = 20
/** Longer than a step takes, which sends one order at most; if the process dies, another one takes over after this. */
export const stepLeaseMs = 60_000

export interface AlgorithmJobOptions {
  store: Pick<AlgorithmStore, 'takeDue'>
  /** One step of one algorithm. */
  step(row: AlgorithmRow): Promise<StepOutcome>
  /** The clock shared by all processes. */
  clock: DatabaseClock
  log: Log
}

export interface AlgorithmJob extends PollingJob {
  /** Since the start. */
  stats(): Readonly<Record<StepOutcome | 'failed', number>>
}

export function startAlgorithmJob({ store, step, clock, log }: AlgorithmJobOptions): AlgorithmJob {
  const counts = { stepped: 0, ended: 0, lost: 0, failed: 0 }

  const takeStep = async (row: AlgorithmRow): Promise<void> => {
    try {
      counts[await step(row)]++
    } catch (error) {
      counts.failed++
      // Its lease ends, and the step is repeated.
      log.warn({ err: error, algorithm: row.id }, 'failed to record a step of an execution algorithm')
    }
  }
  const look = async (signal: AbortSignal): Promise<void> => {
    await clock.align()
    for (let looks = 0; looks < looksMax && !signal.aborted; looks++) {
      const at = new Date(clock.now())
      const rows = await store.takeDue({ limit: stepsPerLook, leaseMs: stepLeaseMs, at })
      if (rows.length === 0) return
      await Promise.all(rows.map(takeStep))
    }
  }
  const job = startPollingJob({
    ...{ clock, log, everyMs: lookEveryMs, run: look },
    failure: 'failed to look for steps of execution algorithms',
  })
  return {
    stats: () => ({ ...counts }),
    stop: job.stop,
  }
}
