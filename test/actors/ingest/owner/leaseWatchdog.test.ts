import { expect, test } from 'vitest'
import { LeaseWatchdog } from '#actors/ingest/owner/leaseWatchdog'
import { ManualClock } from '#lib/clock'

const leaseMs = 5_000

test('a lease that was confirmed lately holds; one never confirmed does not', () => {
  const clock = new ManualClock()
  const vigil = new LeaseWatchdog(clock, leaseMs)
  expect(vigil.holds()).toBe(false)
  vigil.confirmed(clock.monotonic())
  clock.advance(leaseMs - 1)
  expect(vigil.holds()).toBe(true)
})

test('while the storage does not answer a process that is awake goes on', () => {
  const clock = new ManualClock()
  const vigil = new LeaseWatchdog(clock, leaseMs)
  vigil.confirmed(clock.monotonic())
  for (let second = 0; second < 600; second++) {
    clock.advance(1_000)
    expect(vigil.holds()).toBe(true)
  }
})

test('a process that slept longer than its lease is silent until a question asked after it woke is granted', () => {
  const clock = new ManualClock()
  const vigil = new LeaseWatchdog(clock, leaseMs)
  const askedBefore = clock.monotonic()
  vigil.confirmed(askedBefore)
  clock.advance(60_000)
  expect(vigil.holds()).toBe(false)
  // The answer to what it asked before it slept proves nothing.
  vigil.confirmed(askedBefore)
  expect(vigil.holds()).toBe(false)
  clock.advance(1_000)
  expect(vigil.holds()).toBe(false)
  vigil.confirmed(clock.monotonic())
  expect(vigil.holds()).toBe(true)
})
