// Arms the exits of brackets whose entry has ended, and ends brackets that have expired. Every compute process looks, and skips rows that another
// one has locked or leased.
import type { Log } from '#core/log'
import type { ArmResult } from '#orders/conditional/index'
import type { BracketRow } from '#storage/postgres/brackets/bracketRow'
import { firstWaiting, lastWaiting } from '#storage/postgres/brackets/dueBrackets'
import type { BracketStore } from '#storage/postgres/brackets/store'
import type { DatabaseClock } from '#storage/postgres/databaseClock'
import { type PollingJob, startPollingJob } from '../runtime/pollingJob.ts'

const lookEveryMs = 1_000
/** Per query; a look that fills it continues at once. */
const bracketsPerLook = 20
/** Brackets that wait, per look: those beyond it are looked at in the following ones, in turn. */
const waitingPerLook = 5_000
/** Building and arming takes seconds at most; if the process dies, another one takes over after this. */
const leaseMs = 30_000

export interface BracketJobOptions {
  store: Pick<BracketStore, 'endOfWaitingPage' | 'takeDue' | 'expire'>
  /** Builds and arms the exits of one. */
  arm(row: BracketRow): Promise<ArmResult>
  /** The clock shared by all processes. */
  clock: DatabaseClock
  log: Log
}

export function startBracketJob({ store, arm, clock, log }: BracketJobOptions): PollingJob {
  const armOne = async (row: BracketRow): Promise<void> => {
    try {
      const result = await arm(row)
      if (result === 'failed') log.warn({ bracket: row.id }, 'failed to arm the exits of a bracket')
    } catch (error) {
      // Its lease ends, and it is tried again.
      log.warn({ err: error, bracket: row.id }, 'failed to record the result of a bracket')
    }
  }
  let after = firstWaiting
  const look = async (signal: AbortSignal): Promise<void> => {
    await clock.align()
    const at = new Date(clock.now())
    const until = await store.endOfWaitingPage(after, waitingPerLook)
    let taken = bracketsPerLook
    while (taken === bracketsPerLook && !signal.aborted) {
      const rows = await store.takeDue({ limit: bracketsPerLook, leaseMs, at, page: { after, until } })
      await Promise.all(rows.map(armOne))
      taken = rows.length
    }
    after = until === lastWaiting ? firstWaiting : until
    let expired = bracketsPerLook
    while (expired === bracketsPerLook && !signal.aborted) expired = await store.expire({ limit: bracketsPerLook, at })
  }
  return startPollingJob({
    ...{ clock, log, everyMs: lookEveryMs, run: look },
    failure: 'failed to look for brackets whose entry has ended',
  })
}
