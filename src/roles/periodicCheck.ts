// A repeated check, one at a time; a failed one is retried at the next interval.
import type { Clock } from '#core/clock'

export interface PeriodicCheckOptions {
  clock: Clock
  everyMs: number
  look(): Promise<void>
  /** The first of consecutive failures; not called after the stop. */
  failed(error: unknown): void
}

/** The first check is immediate. */
export function checkPeriodically({ clock, everyMs, look, failed }: PeriodicCheckOptions): { stop(): void } {
  let looking = false
  let failing = false
  let stopped = false
  const poll = (): void => {
    if (looking || stopped) return
    looking = true
    look()
      .then(
        () => {
          failing = false
        },
        (error: unknown) => {
          if (!failing && !stopped) failed(error)
          failing = true
        },
      )
      .finally(() => {
        looking = false
      })
  }
  const timer = clock.every(everyMs, poll)
  poll()
  return {
    stop() {
      stopped = true
      timer.cancel()
    },
  }
}
