// Retries what a process needs once at start, while its provider is also starting.
import { backoffMs } from './backoff.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

const backoff = { baseMs: 100, capMs: 2_000 }

export interface RetryOptions {
  clock: Clock
  log: Log
  forMs: number
}

/** `work` may be repeated: an answer can get lost. Throws anything but an outage at once, an outage after `forMs`. */
export async function retryUntilReady<T>(
  work: () => Promise<T>,
  { clock, log, forMs }: RetryOptions,
  { isOutage, words }: { isOutage(error: unknown): boolean; words: string },
): Promise<T> {
  const givenUpAt = clock.monotonic() + forMs
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isOutage(error) || clock.monotonic() >= givenUpAt) throw error
      log.warn({ err: error }, words)
      const delayMs = backoffMs(attempt, backoff, Math.random)
      await new Promise<void>((resume) => clock.after(delayMs, resume))
    }
  }
}
