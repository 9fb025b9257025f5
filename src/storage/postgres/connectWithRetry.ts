// Runs the statements a process needs once at startup: while the database is busy or starting they are retried instead of ending the
// process.
import { type RetryOptions, retryUntilReady } from '#core/retryStartup'
import { isOutage } from './pool.ts'

/** `work` may run twice: an answer can get lost. Throws other errors immediately, an outage after `forMs`. */
export const patiently = <T>(
  work: () => Promise<T>,
  { forMs = 30_000, ...rest }: Omit<RetryOptions, 'forMs'> & { forMs?: number },
): Promise<T> =>
  retryUntilReady(work, { forMs, ...rest }, { isOutage, words: 'PostgreSQL does not answer yet; retrying' })
