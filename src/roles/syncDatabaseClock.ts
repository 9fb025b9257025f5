// The database's time for conditional orders: whichever process arms, fires or ends one, all its timestamps come from one clock.
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import { createDatabaseClock, type DatabaseClock } from '#storage/postgres/databaseClock'
import type { Pool } from '#storage/postgres/pool'

const alignEveryMs = 30_000

export interface DatabaseTime {
  clock: DatabaseClock
  stop(): Promise<void>
}

/** Aligned when it resolves, unless the database does not answer, and again every half minute. */
export async function startDatabaseTime({
  pool,
  clock,
  log,
}: {
  pool: Pool
  clock: Clock
  log: Log
}): Promise<DatabaseTime> {
  const time = createDatabaseClock(pool, clock)
  let stopping = false
  let timer: Timer | null = null
  const align = (): Promise<void> =>
    time
      .align()
      .catch((error: unknown) => log.warn({ err: error }, 'failed to read the database’s time'))
      .then(() => {
        if (stopping) return
        timer = clock.after(alignEveryMs, () => {
          aligning = align()
        })
      })
  let aligning = align()
  await aligning
  return {
    clock: time,
    async stop() {
      stopping = true
      timer?.cancel()
      await aligning
    },
  }
}
