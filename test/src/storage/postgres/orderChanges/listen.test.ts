import { afterEach, expect, test, vi } from 'vitest'
import { ManualClock } from '#lib/clock'
import { silentLog } from '#lib/log'
import { aliveEveryMs, listen } from '#storage/postgres/orderChanges/listen'
import { createPool } from '#storage/postgres/pool'
import { withPostgres } from '#test/support/postgres'
import { startStallingProxy } from '#test/support/stallingProxy'

const postgres = withPostgres()
const channel = 'test_changes'
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function world() {
  const clock = new ManualClock()
  const proxy = await startStallingProxy(postgres.pool.options.connectionString!)
  closers.push(() => proxy.close())
  const through = createPool({ url: proxy.url, log: silentLog })
  closers.push(() => through.end())
  let wakes = 0
  let losses = 0
  const log = { ...silentLog, warn: () => void losses++ } as typeof silentLog
  const listener = listen({ pool: through, channel, clock, log, onWake: () => void wakes++ })
  closers.push(() => listener.stop())
  await vi.waitFor(() => expect(wakes).toBe(1), 10_000)
  return { clock, proxy, wakes: () => wakes, losses: () => losses }
}
const notify = () => postgres.pool.query(`NOTIFY ${channel}`)

test('wakes at a notification, and stays connected while the server answers', async () => {
  const { clock, wakes, losses } = await world()
  await notify()
  await vi.waitFor(() => expect(wakes()).toBe(2), 10_000)
  // Answers are awaited by the notification behind them.
  for (let i = 0; i < 5; i++) clock.advance(aliveEveryMs)
  await notify()
  await vi.waitFor(() => expect(wakes()).toBe(3), 10_000)
  expect(losses()).toBe(0)
})

test('a half-open connection is noticed and replaced; what was missed meanwhile wakes it', {
  timeout: 30_000,
}, async () => {
  const { clock, proxy, wakes, losses } = await world()
  // Nothing comes back from here on, and nothing is closed.
  proxy.stallAnswers = true
  await notify()
  clock.advance(aliveEveryMs)
  // The driver gives up the question by the real clock.
  await vi.waitFor(() => expect(losses()).toBe(1), 10_000)
  proxy.stallAnswers = false
  await vi.waitFor(() => {
    clock.advance(1_000)
    expect(wakes()).toBeGreaterThan(1)
  }, 10_000)
  const before = wakes()
  await notify()
  await vi.waitFor(() => expect(wakes()).toBe(before + 1), 10_000)
})
