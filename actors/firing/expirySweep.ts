// Ends conditional orders whose time is over and of which nothing is under way, in either mode. Every compute process sweeps; a row that one
// of them holds the others pass over.
import type { Clock, Timer } from '#lib/clock'
import type { Log } from '#lib/log'
import type { ConditionalStore } from '#storage/postgres/conditional/store'

export const sweepEveryMs = 1_000
/** Of one statement; a sweep that fills it goes on at once. */
const ordersPerSweep = 200

export interface SweepOptions {
  store: Pick<ConditionalStore, 'expireDue'>
  clock: Clock
  log: Log
}

export function startExpirySweep({ store, clock, log }: SweepOptions): { stop(): Promise<void> } {
  let stopping = false
  let timer: Timer | null = null
  let sweeping: Promise<void> = Promise.resolve()

  const sweep = async (): Promise<void> => {
    let ended = ordersPerSweep
    while (ended >= ordersPerSweep && !stopping) {
      ended = (await store.expireDue({ limit: ordersPerSweep, at: new Date(clock.now()) })).length
    }
  }
  const begin = (): void => {
    sweeping = sweep()
      .catch((error: unknown) => log.warn({ err: error }, 'conditional orders past their time could not be ended'))
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
