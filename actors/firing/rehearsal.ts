// Keeps the process and its database connections ready for firing: fires an order that nobody has, on connections that no order is waiting for.
import type { Clock, Timer } from '#lib/clock'
import type { Log } from '#lib/log'

/** More often than idle connections are closed. */
export const rehearseEveryMs = 10_000
/** Concurrent connections: one for the fire, one that may be busy at that moment. */
const connections = 2
/** At the start: a connection caches a statement's plan after about five executions. */
const roundsAtStart = 6

export interface RehearsalOptions {
  /** On one connection. */
  fire(): Promise<void>
  clock: Clock
  log: Log
}

export function startRehearsal({ fire, clock, log }: RehearsalOptions): { stop(): Promise<void> } {
  let stopping = false
  let timer: Timer | null = null
  let rehearsing: Promise<void> = Promise.resolve()

  const rehearse = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds && !stopping; round++) {
      await Promise.all(Array.from({ length: connections }, () => fire()))
    }
  }
  const begin = (rounds: number): void => {
    rehearsing = rehearse(rounds)
      .catch((error: unknown) => log.debug({ err: error }, 'the next fire may take longer: its rehearsal failed'))
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
