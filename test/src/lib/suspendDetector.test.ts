import { expect, test } from 'vitest'
import { ManualClock } from '#lib/clock'
import { SuspendDetector } from '#lib/suspendDetector'

test('a process that was stopped finds out at its first look, and does not forget', () => {
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
