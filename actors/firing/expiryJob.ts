// Ends conditional orders that have expired and have no attempt in progress, in either mode, and re-arms those that stayed `triggered` until their
// evidence was too old. Every compute process sweeps, and skips rows that another one has locked.
import type { Timer } from '#core/clock'
import type { Log } from '#core/log'
import type { ConditionalStore } from '#storage/postgres/conditional/store'
import type { DatabaseClock } from '#storage/postgres/databaseClock'

export const sweepEveryMs = 1_000
/** Per statement; a sweep that fills it continues at once. */
const ordersPerSweep = 200

export interface SweepOptions {
  store: Pick<ConditionalStore, 'expireDue' | 'rearmStale'>
  /** The clock shared by all processes: the effects of a sweep are irreversible. */
  clock: DatabaseClock
  log: Log
}

export function startExpirySweep({ store, clock, log }: SweepOptions): { stop(): Promise<void> } {
  let stopping = false
  let timer: Timer | null = null
  let sweeping: Promise<void> = Promise.resolve()

  const expire = async (at: Date): Promise<void> => {
    let after: Awaited<ReturnType<ConditionalStore['expireDue']>>['next'] = null
    do after = (await store.expireDue({ limit: ordersPerSweep, at, after })).next
    while (after !== null && !stopping)
  }
  const rearm = async (at: Date): Promise<void> => {
    let moved = ordersPerSweep
    while (moved >= ordersPerSweep && !stopping) moved = (await store.rearmStale({ limit: ordersPerSweep, at })).length
  }
  const sweep = async (): Promise<void> => {
    await clock.align()
    const at = new Date(clock.now())
    await expire(at)
    await rearm(at)
  }
  const begin = (): void => {
    sweeping = sweep()
      .catch((error: unknown) => log.warn({ err: error }, 'failed to expire conditional orders'))
      .then(() => {
        if (!stopping) timer = clock.after(sweepEveryMs, begin)
      })
  }
  begin()
  return {
    async stop() {
      stopping = true
      timer?.cancel()
      await sweeping
    },
  }
}
