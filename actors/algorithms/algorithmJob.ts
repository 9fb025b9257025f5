// Takes the steps of execution algorithms that are due. Every compute process looks, and skips those that another one has leased.
import type { Log } from '#core/log'
import type { StepOutcome } from '#orders/algorithms/index'
import type { AlgorithmRow } from '#storage/postgres/algorithms/algorithmRow'
import type { AlgorithmStore } from '#storage/postgres/algorithms/store'
import type { DatabaseClock } from '#storage/postgres/databaseClock'
import { type PollingJob, startPollingJob } from '../runtime/pollingJob.ts'

const lookEveryMs = 500
/** Steps that run at once. */
const stepsMax = 60
/** Of these, at one venue: one that does not answer leaves room for the others. */
const stepsPerVenueMax = 10
/** Looks in `lookEveryMs` because a step has ended, so that one that is due again at once is taken. */
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
  /** Steps in progress with their venues. */
  const running = new Map<Promise<void>, string>()
  let alignedUntil = Number.NEGATIVE_INFINITY
  let looksLeft = 0

  const begin = (row: AlgorithmRow): void => {
    const done: Promise<void> = takeStep(row).then(() => {
      running.delete(done)
      if (looksLeft-- > 0) job.wake()
    })
    running.set(done, row.venue)
  }
  const look = async (): Promise<void> => {
    const at = clock.monotonic()
    if (at >= alignedUntil) {
      await clock.align()
      alignedUntil = at + lookEveryMs
      looksLeft = looksMax
    }
    const limit = stepsMax - running.size
    if (limit <= 0) return
    const rows = await store.takeDue({
      ...{ limit, leaseMs: stepLeaseMs, at: new Date(clock.now()) },
      venueLimit: { max: stepsPerVenueMax, running: countsOf(running.values()) },
    })
    for (const row of rows) begin(row)
  }
  const job = startPollingJob({
    ...{ clock, log, everyMs: lookEveryMs, run: look },
    failure: 'failed to look for steps of execution algorithms',
  })
  return {
    stats: () => ({ ...counts }),
    async stop() {
      await job.stop()
      await Promise.all(running.keys())
    },
  }
}

function countsOf(venues: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const venue of venues) counts[venue] = (counts[venue] ?? 0) + 1
  return counts
}
