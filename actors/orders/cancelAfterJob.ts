// Builds the cancels of accounts whose dead man's switch has lapsed. Every gateway looks, and skips rows that another one has locked or leased.
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { LapseEnd } from '#orders/executions/index'
import type { CancelAfterRow } from '#storage/postgres/executions/cancelAfter'
import { type PollingJob, startPollingJob } from '../runtime/pollingJob.ts'

const lookEveryMs = 1_000
/** Per query; a look that fills it continues at once. */
const lapsesPerLook = 10
/** Building takes seconds at most; if the process dies, another one takes over after this. */
const leaseMs = 60_000

export interface CancelAfterJobOptions {
  store: { takeLapsed(options: { limit: number; leaseMs: number }): Promise<CancelAfterRow[]> }
  /** Builds the cancels of one. */
  build(row: CancelAfterRow, options: { signal: AbortSignal }): Promise<LapseEnd>
  clock: Clock
  log: Log
}

export function startCancelAfterJob({ store, build, clock, log }: CancelAfterJobOptions): PollingJob {
  const buildOne = async (row: CancelAfterRow, signal: AbortSignal): Promise<void> => {
    const { id, account_id: accountId } = row
    try {
      const end = await build(row, { signal })
      if (end === 'done') log.warn({ accountId, cancelAfter: id }, 'a dead man’s switch has lapsed')
    } catch (error) {
      // Its lease ends, and it is tried again.
      log.warn({ err: error, accountId, cancelAfter: id }, 'failed to build the cancels of a dead man’s switch')
    }
  }
  const look = async (signal: AbortSignal): Promise<void> => {
    let taken = lapsesPerLook
    while (taken === lapsesPerLook && !signal.aborted) {
      const rows = await store.takeLapsed({ limit: lapsesPerLook, leaseMs })
      await Promise.all(rows.map((row) => buildOne(row, signal)))
      taken = rows.length
    }
  }
  return startPollingJob({
    ...{ clock, log, everyMs: lookEveryMs, run: look },
    failure: 'failed to look for dead man’s switches that have lapsed',
  })
}
