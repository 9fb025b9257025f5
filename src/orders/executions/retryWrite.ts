// Known outcomes must survive a brief storage outage: the write is retried for about a minute.
import { systemClock } from '#core/clock'
import { Fault } from '#core/fault'
import { retry } from '#core/retry'

const backoff = { baseMs: 250, capMs: 8_000 }
const triesMax = 12

export const isStorageUnavailable = (error: unknown): boolean =>
  error instanceof Fault && error.code === 'EXEC_UNAVAILABLE'

/** Rejects with the last error; immediately when the storage answered. A failed `work` may still have taken effect. */
export const withRetry = <T>(work: () => Promise<T>): Promise<T> =>
  retry(work, { clock: systemClock, backoff, triesMax, isRetryable: isStorageUnavailable })
