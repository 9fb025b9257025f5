import { expect, test } from 'vitest'
import { LeaseWatchdog } from '#actors/ingest/owner/leaseWatchdog'
import { ManualClock } from '#core/clock'

const leaseMs = 5_000

test('holds a recently confirmed lease, and not one that was never confirmed', () => {
  const clock = new ManualClock()
  const watchdog = new LeaseWatchdog(clock, leaseMs)
  expect(watchdog.holds()).toBe(false)
  watchdog.confirmed(clock.monotonic())
  clock.advance(leaseMs - 1)
  expect(watchdog.holds()).toBe(true)
})

test('keeps the lease while the storage does not respond and the process stays awake', () => {
  const clock = new ManualClock()
  const watchdog = new LeaseWatchdog(clock, leaseMs)
  watchdog.confirmed(clock.monotonic())
  for (let second = 0; second < 600; second++) {
    clock.advance(1_000)
    expect(watchdog.holds()).toBe(true)
  }
})

test('stops publishing after a sleep longer than the lease until a request sent after waking is granted', () => {
  const clock = new ManualClock()
  const watchdog = new LeaseWatchdog(clock, leaseMs)
  const requestedBefore = clock.monotonic()
  watchdog.confirmed(requestedBefore)
  clock.advance(60_000)
  expect(watchdog.holds()).toBe(false)
  // A response to a request from before the sleep proves nothing.
  watchdog.confirmed(requestedBefore)
  expect(watchdog.holds()).toBe(false)
  clock.advance(1_000)
  expect(watchdog.holds()).toBe(false)
  watchdog.confirmed(clock.monotonic())
  expect(watchdog.holds()).toBe(true)
})
