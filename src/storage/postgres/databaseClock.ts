// The database's time, derived on a process's own clock. Decisions about time that involve several processes use one clock: a node whose clock is
// an hour fast would otherwise end other processes' orders an hour early.
import type { Clock } from '#lib/clock'
import type { Queryable } from './pool.ts'

/** Smaller differences are network latency. */
const toleratedMs = 100

export interface DatabaseClock extends Clock {
  /** Queries the database. Until the first answer the process's own time is used. */
  align(): Promise<void>
}

export function createDatabaseClock(db: Queryable, clock: Clock): DatabaseClock {
  let aheadMs = 0
  return {
    now: () => clock.now() + aheadMs,
    steady: () => clock.steady() + aheadMs,
    monotonic: () => clock.monotonic(),
    after: (delayMs, run) => clock.after(delayMs, run),
    soon: (run) => clock.soon(run),
    every: (intervalMs, run) => clock.every(intervalMs, run),
    async align() {
      const asked = clock.now()
      const { rows } = await db.query<{ now: number }>(
        'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now',
      )
      const heard = clock.now()
      const measuredMs = rows[0]!.now - (asked + heard) / 2
      // Half of the round trip is uncertain.
      if (Math.abs(measuredMs - aheadMs) > toleratedMs + Math.abs(heard - asked)) aheadMs = Math.round(measuredMs)
    },
  }
}
