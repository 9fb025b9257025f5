// What a process needs once, when it starts: a database that is busy or still starting itself is asked again instead of ending the process.
import { backoffMs } from '#lib/backoff'
import type { Clock } from '#lib/clock'
import type { Log } from '#lib/log'
import { isOutage } from './pool.ts'

const backoff = { baseMs: 100, capMs: 2_000 }

/** `work` may be done twice: an answer can get lost. Throws what is no outage at once, an outage after `forMs`. */
export async function patiently<T>(
  work: () => Promise<T>,
  { clock, log, forMs = 30_000 }: { clock: Clock; log: Log; forMs?: number },
): Promise<T> {
  const givenUpAt = clock.monotonic() + forMs
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isOutage(error) || clock.monotonic() >= givenUpAt) throw error
      log.warn({ err: error }, 'PostgreSQL does not answer yet; asked again')
      const delayMs = backoffMs(attempt, backoff, Math.random)
      await new Promise<void>((resume) => clock.after(delayMs, resume))
    }
  }
}
