import { afterEach, expect, test, vi } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
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

test('wakes at a notification, and stays connected while the server responds', async () => {
  const { clock, wakes, losses } = await world()
  await notify()
  await vi.waitFor(() => expect(wakes()).toBe(2), 10_000)
  // Each check completes before the notification behind it.
  for (let i = 0; i < 5; i++) clock.advance(aliveEveryMs)
  await notify()
  await vi.waitFor(() => expect(wakes()).toBe(3), 10_000)
  expect(losses()).toBe(0)
})

test('detects and replaces a half-open connection, and wakes for what was missed', {
  timeout: 30_000,
}, async () => {
  const { clock, proxy, wakes, losses } = await world()
  // From here on no response arrives, and the connection stays open.
  proxy.stallAnswers = true
  await notify()
  clock.advance(aliveEveryMs)
  // The driver times out by the real clock.
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
