// Ends conditional orders that have expired and have no attempt in progress, in either mode, and re-arms those that stayed `triggered` until their
// evidence was too old. Every compute process sweeps, and skips rows that another one has locked.
import type { Log } from '#core/log'
import type { ConditionalStore } from '#storage/postgres/conditional/store'
import type { DatabaseClock } from '#storage/postgres/databaseClock'
import { type PollingJob, startPollingJob } from '../runtime/pollingJob.ts'

export const sweepEveryMs = 1_000
/** Per statement; a sweep that fills it continues at once. */
const ordersPerSweep = 200

export interface SweepOptions {
  store: Pick<ConditionalStore, 'expireDue' | 'rearmStale'>
  /** The clock shared by all processes: the effects of a sweep are irreversible. */
  clock: DatabaseClock
  log: Log
}

export function startExpirySweep({ store, clock, log }: SweepOptions): PollingJob {
  const expire = async (at: Date, signal: AbortSignal): Promise<void> => {
    let after: Awaited<ReturnType<ConditionalStore['expireDue']>>['next'] = null
    do after = (await store.expireDue({ limit: ordersPerSweep, at, after })).next
    while (after !== null && !signal.aborted)
  }
  const rearm = async (at: Date, signal: AbortSignal): Promise<void> => {
    let moved = ordersPerSweep
    while (moved >= ordersPerSweep && !signal.aborted)
      moved = (await store.rearmStale({ limit: ordersPerSweep, at })).length
  }
  const sweep = async (signal: AbortSignal): Promise<void> => {
    await clock.align()
    const at = new Date(clock.now())
    await expire(at, signal)
    await rearm(at, signal)
  }
  return startPollingJob({
    ...{ clock, log, everyMs: sweepEveryMs, run: sweep },
    failure: 'failed to expire conditional orders',
  })
}
