// Keeps the database ready for firing: runs through its two transactions on connections that no order is waiting for.
import type { Clock, Timer } from '#lib/clock'
import type { Log } from '#lib/log'
import type { ConditionalStore } from '#storage/postgres/conditional/store'

/** More often than idle connections are closed. */
export const rehearseEveryMs = 10_000
/** Concurrent connections: one for the fire, one that may be busy at that moment. */
const connections = 2
/** At the start: a connection caches a statement's plan after about five executions. */
const roundsAtStart = 6

export interface RehearsalOptions {
  store: Pick<ConditionalStore, 'rehearse'>
  clock: Clock
  log: Log
}

export function startRehearsal({ store, clock, log }: RehearsalOptions): { stop(): Promise<void> } {
  let stopping = false
  let timer: Timer | null = null
  let rehearsing: Promise<void> = Promise.resolve()

  const rehearse = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds && !stopping; round++) {
      const at = new Date(clock.now())
      await Promise.all(Array.from({ length: connections }, () => store.rehearse(at)))
    }
  }
  const begin = (rounds: number): void => {
    rehearsing = rehearse(rounds)
      .catch((error: unknown) => log.debug({ err: error }, 'the next fire may find the database unprepared'))
      .then(() => {
        if (!stopping) timer = clock.after(rehearseEveryMs, () => begin(1))
      })
  }
  begin(roundsAtStart)
  return {
    async stop() {
      stopping = true
      timer?.cancel()
      await rehearsing
    },
  }
}
