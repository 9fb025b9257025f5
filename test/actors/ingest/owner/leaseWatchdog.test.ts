import { expect, test } from 'vitest'
import { LeaseWatchdog } from '#actors/ingest/owner/leaseWatchdog'
import { ManualClock } from '#lib/clock'

const leaseMs = 5_000

test('holds a recently confirmed lease, and not one that was never confirmed', () => {
  const clock = new ManualClock()
  const vigil = new LeaseWatchdog(clock, leaseMs)
  expect(vigil.holds()).toBe(false)
  vigil.confirmed(clock.monotonic())
  clock.advance(leaseMs - 1)
  expect(vigil.holds()).toBe(true)
})

test('keeps the lease while the storage does not respond and the process stays awake', () => {
  const clock = new ManualClock()
  const vigil = new LeaseWatchdog(clock, leaseMs)
  vigil.confirmed(clock.monotonic())
  for (let second = 0; second < 600; second++) {
    clock.advance(1_000)
    expect(vigil.holds()).toBe(true)
  }
})

test('stops publishing after a sleep longer than the lease until a request sent after waking is granted', () => {
  const clock = new ManualClock()
  const vigil = new LeaseWatchdog(clock, leaseMs)
  const askedBefore = clock.monotonic()
  vigil.confirmed(askedBefore)
  clock.advance(60_000)
  expect(vigil.holds()).toBe(false)
  // A response to a request from before the sleep proves nothing.
  vigil.confirmed(askedBefore)
  expect(vigil.holds()).toBe(false)
  clock.advance(1_000)
  expect(vigil.holds()).toBe(false)
  vigil.confirmed(clock.monotonic())
  expect(vigil.holds()).toBe(true)
})
