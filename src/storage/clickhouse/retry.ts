// Repeats a write until it is acknowledged or no longer wanted.
import { backoffMs } from '#core/backoff'
import type { Clock } from '#core/clock'

const writeBackoff = { baseMs: 200, capMs: 5_000 }

export interface RetryOptions {
  clock: Clock
  /** In [0,1); injected for reproducibility. */
  random: () => number
  /** Checked before every try; false ends it. */
  allowed?(): boolean
  /** Checked after every failure; aborting it ends the wait for the next try. */
  signal: AbortSignal
  onFailure(error: unknown, attempt: number): void
}

/**
 * Resolves true once `write` succeeds; false when `signal` aborted first, or it was no longer allowed. A failed write may have succeeded: it must be
 * idempotent.
 */
export async function waitForWrite(write: () => Promise<void>, options: RetryOptions): Promise<boolean> {
  for (let attempt = 0; ; attempt++) {
    if (options.allowed?.() === false) return false
    try {
      await write()
      return true
    } catch (error) {
      options.onFailure(error, attempt)
    }
    if (options.signal.aborted) return false
    await pause(backoffMs(attempt, writeBackoff, options.random), options)
    if (options.signal.aborted) return false
  }
}

function pause(ms: number, { clock, signal }: RetryOptions): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      timer.cancel()
      signal.removeEventListener('abort', settle)
      resolve()
    }
    const timer = clock.after(ms, settle)
    signal.addEventListener('abort', settle)
  })
}
