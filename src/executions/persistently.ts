// What is known must not be lost because the storage is away for a moment: it is written down again and again, about a minute long.
import { backoffMs } from '#lib/backoff'
import { systemClock } from '#lib/clock'
import { Fault } from '#lib/fault'

const backoff = { baseMs: 250, capMs: 8_000 }
const triesMax = 12

export const isAway = (error: unknown): boolean => error instanceof Fault && error.code === 'EXEC_UNAVAILABLE'

/** Rejects as the last try did; at once where the storage answered. `work` may have been done before it failed. */
export async function persistently<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (error) {
      if (!isAway(error) || tried === triesMax) throw error
      await new Promise<void>((resolve) => systemClock.after(backoffMs(tried - 1, backoff, Math.random), resolve))
    }
  }
}
