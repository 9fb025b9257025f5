import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { ManualClock, systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { retryAtStartup } from '#core/retryAtStartup'
import { createPool, postgresAtStartup } from '#storage/postgres/pool'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()

/** Advances the clock until the work ends, and counts the attempts. */
async function tried<T>(work: (attempt: number) => Promise<T>, forMs: number) {
  const clock = new ManualClock()
  let attempts = 0
  let ended = false
  const result = await Promise.allSettled([
    retryAtStartup({ ...postgresAtStartup, forMs }, () => work(attempts++), { clock, log: silentLog }).finally(() => {
      ended = true
    }),
    (async () => {
      while (!ended) {
        clock.advance(100)
        await new Promise(setImmediate)
      }
    })(),
  ])
  return { outcome: result[0], attempts, waiting: clock.pendingCount }
}

describe('a resource that a process needs at startup', () => {
  it('is retried while all connections are taken, and returned when one is free', async () => {
    const pool = createPool({ url: postgres.url, log: silentLog, connectionsMax: 1, connectTimeoutMs: 150 })
    // A busy machine may not connect within that time.
    const holder = await retryAtStartup(postgresAtStartup, () => pool.connect(), { clock: systemClock, log: silentLog })
    const { outcome, attempts } = await tried(async (attempt) => {
      if (attempt === 3) holder.release()
      return (await pool.query<{ n: number }>('SELECT 1 AS n')).rows[0]!.n
    }, 60_000_000)
    expect(outcome).toEqual({ status: 'fulfilled', value: 1 })
    expect(attempts).toBe(4)
    await pool.end()
  })

  it('fails at once when a retry would change nothing', async () => {
    const { outcome, attempts } = await tried(() => postgres.pool.query('SELECT * FROM nowhere'), 60_000)
    expect([outcome.status, attempts]).toEqual(['rejected', 1])
    expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(pg.DatabaseError)
  })

  it('fails with the last reason after the time limit, and leaves no timer', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const { outcome, attempts, waiting } = await tried(() => Promise.reject(refused), 10_000)
    expect(outcome).toEqual({ status: 'rejected', reason: refused })
    expect(attempts).toBeGreaterThan(5)
    expect(waiting).toBe(0)
  })
})
