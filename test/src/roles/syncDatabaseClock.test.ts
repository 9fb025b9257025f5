import { expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { startDatabaseTime } from '#roles/syncDatabaseClock'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
const nearly = 2_000

it('uses the database’s time, however wrong the system clock is, also when that steps later', async () => {
  const clock = new ManualClock(Date.now() + 3_600_000)
  const time = await startDatabaseTime({ pool: pg.pool, clock, log: silentLog })
  const offMs = () => Math.max(Math.abs(time.clock.now() - Date.now()), Math.abs(time.clock.steady() - Date.now()))
  expect(offMs()).toBeLessThan(nearly)
  clock.step(7_200_000)
  clock.advance(30_000)
  await expect.poll(offMs).toBeLessThan(nearly)
  await time.stop()
  clock.advance(30_000)
  expect(time.clock.now() - Date.now()).toBeGreaterThan(30_000 - nearly)
})
