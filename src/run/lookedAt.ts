// Something that is looked at again and again, one look at a time; what fails is tried again with the next.
import type { Clock } from '#lib/clock'

export interface LookedAtOptions {
  clock: Clock
  everyMs: number
  look(): Promise<void>
  /** The first failure in a row; not told after the stop. */
  failed(error: unknown): void
}

/** The first look is at once. */
export function lookedAt({ clock, everyMs, look, failed }: LookedAtOptions): { stop(): void } {
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
