import { expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { SuspendDetector } from '#core/suspendDetector'

test('a suspended process notices at its first check, and keeps the result', () => {
  const clock = new ManualClock()
  const watch = new SuspendDetector(clock, 5_000)
  for (let second = 0; second < 60; second++) {
    clock.advance(1_000)
    expect(watch.slept()).toBe(false)
  }
  clock.stall(5_000)
  expect(watch.slept()).toBe(true)
  clock.advance(1_000)
  expect(watch.slept()).toBe(true)
})
