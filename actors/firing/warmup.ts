// Keeps the process and its database connections ready for firing: fires a dummy order, on connections that no real order is waiting for.
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'

/** More often than idle connections are closed. */
export const warmupIntervalMs = 10_000
/** Concurrent connections: one for the fire, one that may be busy at that moment. */
const connections = 2
/** At the start: a connection caches a statement's plan after about five executions. */
const roundsAtStart = 6

export interface WarmupOptions {
  /** On one connection. */
  fire(): Promise<void>
  clock: Clock
  log: Log
}

export function startWarmup({ fire, clock, log }: WarmupOptions): { stop(): Promise<void> } {
  let stopping = false
  let timer: Timer | null = null
  let running: Promise<void> = Promise.resolve()
  let isFailing = false

  /** Ends when both have: they are not left behind with a pool that closes. */
  const goThrough = async (): Promise<boolean> => {
    const ends = await Promise.allSettled(Array.from({ length: connections }, () => fire()))
    const failed = ends.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
    if (failed !== undefined && !isFailing)
      log.warn({ err: failed.reason }, 'warm-up for conditional orders failed; the next submission may be slow')
    if (failed === undefined && isFailing) log.info('warm-up for conditional orders works again')
    isFailing = failed !== undefined
    return !isFailing
  }
  const begin = async (rounds: number): Promise<void> => {
    let left = rounds
    while (left > 0 && !stopping && (await goThrough())) left--
    if (!stopping) {
      timer = clock.after(warmupIntervalMs, () => {
        running = begin(Math.max(1, left))
      })
    }
  }
  running = begin(roundsAtStart)
  return {
    async stop() {
      stopping = true
      timer?.cancel()
      await running
    },
  }
}
