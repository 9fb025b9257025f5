// What a process needs once, when it starts, asked for again while its provider is also starting.
import { backoffMs } from './backoff.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

const backoff = { baseMs: 100, capMs: 2_000 }

export interface Patience {
  clock: Clock
  log: Log
  forMs: number
}

/** `work` may be done twice: an answer can get lost. Throws what is no outage at once, an outage after `forMs`. */
export async function patientlyWith<T>(
  work: () => Promise<T>,
  { clock, log, forMs }: Patience,
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
