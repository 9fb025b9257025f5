// Retries what a process needs once at start, while its provider is also starting, instead of ending the process.
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import { retry } from './retry.ts'

const backoff = { baseMs: 100, capMs: 2_000 }

export interface StartupProvider {
  /** For the log. */
  name: string
  /** Whether it is unavailable or not ready, as opposed to a permanent refusal. */
  isOutage(error: unknown): boolean
  /** An outage is thrown after this long, ms. */
  forMs: number
}

/** `work` may run twice: an answer can get lost. Throws anything but an outage at once. */
export const retryAtStartup = <T>(
  { name, isOutage, forMs }: StartupProvider,
  work: () => Promise<T>,
  { clock, log }: { clock: Clock; log: Log },
): Promise<T> =>
  retry(work, {
    clock,
    backoff,
    forMs,
    isRetryable: isOutage,
    onFailure: (error) => log.warn({ err: error }, `${name} does not answer yet; retrying`),
  })
