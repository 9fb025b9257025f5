// Known outcomes must survive a brief storage outage: the write is retried for about a minute.
import { backoffMs } from '#core/backoff'
import { systemClock } from '#core/clock'
import { Fault } from '#core/fault'

const backoff = { baseMs: 250, capMs: 8_000 }
const triesMax = 12

export const isStorageUnavailable = (error: unknown): boolean =>
  error instanceof Fault && error.code === 'EXEC_UNAVAILABLE'

/** Rejects with the last error; immediately when the storage answered. A failed `work` may still have taken effect. */
export async function withRetry<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (error) {
      if (!isStorageUnavailable(error) || tried === triesMax) throw error
      await new Promise<void>((resolve) => systemClock.after(backoffMs(tried - 1, backoff, Math.random), resolve))
    }
  }
}
