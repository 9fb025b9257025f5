// The database's time, derived on a process's own clock. Decisions about time that involve several processes use one clock: a node whose clock is
// an hour fast would otherwise end other processes' orders an hour early.
import type { Clock } from '#core/clock'
import type { Queryable } from './pool.ts'

/** Smaller differences are network latency. */
const toleratedMs = 100

export interface DatabaseClock extends Clock {
  /** Queries the database. Until the first answer the process's own time is used. */
  align(): Promise<void>
}

export function createDatabaseClock(db: Queryable, clock: Clock): DatabaseClock {
  let aheadMs = 0
  /** Of the clock that is not set: the database may be far from what it shows, and it is still never set. */
  let steadyAheadMs = 0
  return {
    now: () => clock.now() + aheadMs,
    steady: () => clock.steady() + steadyAheadMs,
    monotonic: () => clock.monotonic(),
    after: (delayMs, run) => clock.after(delayMs, run),
    soon: (run) => clock.soon(run),
    every: (intervalMs, run) => clock.every(intervalMs, run),
    async align() {
      const [sentAt, steadySentAt] = [clock.now(), clock.steady()]
      const { rows } = await db.query<{ now: number }>(
        'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now',
      )
      const { now } = rows[0]!
      aheadMs = corrected(aheadMs, now, sentAt, clock.now())
      steadyAheadMs = corrected(steadyAheadMs, now, steadySentAt, clock.steady())
    },
  }
}

/** Half of the round trip is uncertain. */
function corrected(aheadMs: number, databaseMs: number, sentMs: number, receivedMs: number): number {
  const measuredMs = databaseMs - (sentMs + receivedMs) / 2
  const isOff = Math.abs(measuredMs - aheadMs) > toleratedMs + Math.abs(receivedMs - sentMs)
  return isOff ? Math.round(measuredMs) : aheadMs
}
