// Repeats work that failed for a reason that may pass, with exponential backoff and jitter.
import { type BackoffOptions, backoffMs } from './backoff.ts'
import type { Clock } from './clock.ts'
import { pause } from './pause.ts'

export interface RetryOptions {
  clock: Pick<Clock, 'monotonic' | 'after'>
  backoff: BackoffOptions
  /** In [0,1); injected for reproducibility. */
  random?: () => number
  /** Any other failure is thrown at once. Default: every failure is retried. */
  isRetryable?(error: unknown): boolean
  /** Including the first one. Default: no limit. */
  triesMax?: number
  /** A failure later than this after the start is thrown, ms. Default: no limit. */
  forMs?: number
  /** Aborting it ends the wait for the next try; the last failure is thrown. */
  signal?: AbortSignal
  /** Of a failure that is not thrown, or only because of `signal`. `attempt`: from 0. */
  onFailure?(error: unknown, attempt: number): void
}

/** Throws the last failure. A failed `work` may still have taken effect: it must be idempotent. */
export async function retry<T>(
  work: () => Promise<T>,
  {
    clock,
    backoff,
    random = Math.random,
    isRetryable = () => true,
    triesMax = Number.POSITIVE_INFINITY,
    forMs = Number.POSITIVE_INFINITY,
    signal,
    onFailure,
  }: RetryOptions,
): Promise<T> {
  const givenUpAt = clock.monotonic() + forMs
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isRetryable(error) || attempt + 1 >= triesMax || clock.monotonic() >= givenUpAt) throw error
      onFailure?.(error, attempt)
      await pause(clock, backoffMs(attempt, backoff, random), signal)
      if (signal?.aborted === true) throw error
    }
  }
}
