// Repeats a write until it is acknowledged or no longer wanted.
import type { Clock } from '#core/clock'
import { retry } from '#core/retry'

const backoff = { baseMs: 200, capMs: 5_000 }

export interface WriteOptions {
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
export async function waitForWrite(
  write: () => Promise<void>,
  { allowed, ...options }: WriteOptions,
): Promise<boolean> {
  const writeIfAllowed = async (): Promise<boolean> => {
    if (allowed?.() === false) return false
    await write()
    return true
  }
  try {
    return await retry(writeIfAllowed, { ...options, backoff })
  } catch (error) {
    if (options.signal.aborted) return false
    throw error
  }
}
