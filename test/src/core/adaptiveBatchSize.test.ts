import { expect, it } from 'vitest'
import { AdaptiveBatcher } from '#core/adaptiveBatchSize'

/** Runs a fan-out of `writes` sockets whenever the pace allows, with a change in every millisecond; returns how many ran. */
function run(pace: AdaptiveBatcher, writes: number, ms: number): number {
  let ran = 0
  let dueAt: number | null = null
  for (let now = 0; now < ms; now++) {
    dueAt ??= now + pace.delayMs(now)
    if (now < dueAt) continue
    dueAt = null
    pace.ran(writes * 0.004, now)
    ran++
  }
  return ran
}

it('small fan-outs run at once, every time', () => {
  expect(run(new AdaptiveBatcher(2, 0), 100, 1_000)).toBe(1_000)
})

it('a fan-out that would take the whole loop runs once per tick at most', () => {
  const ran = run(new AdaptiveBatcher(5, 0), 2_000, 1_000)
  expect(ran).toBeGreaterThanOrEqual(160)
  expect(ran).toBeLessThanOrEqual(210)
})

it('after a pause the first change is sent at once again', () => {
  const pace = new AdaptiveBatcher(5, 0)
  pace.ran(40, 0)
  expect(pace.delayMs(0)).toBe(5)
  expect(pace.delayMs(60)).toBe(0)
})
