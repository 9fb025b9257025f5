import { expect, test } from 'vitest'
import { LagEstimator } from '#core/clockSkew'

const ahead = 1_000_000

test('distinguishes heartbeats that waited while the reader slept from new ones', () => {
  const lateness = new LagEstimator()
  for (let second = 0; second < 100; second++) expect(lateness.of(second * 1_000, ahead + second * 1_000 + 5)).toBe(0)
  // The reader slept for a minute and reads them all at once.
  const woken = ahead + 160_000
  for (let second = 100; second < 160; second++) {
    expect(lateness.of(second * 1_000, woken + 5)).toBe(160_000 - second * 1_000)
  }
  expect(lateness.of(160_000, woken + 5)).toBe(0)
})

test('drifting clocks cause no lateness', () => {
  const lateness = new LagEstimator()
  let worst = 0
  for (let second = 0; second < 200_000; second++)
    worst = Math.max(worst, lateness.of(second * 1_000, second * 1_000.1))
  expect(worst).toBeLessThan(100)
})

test('a clock adjusted by an hour causes lateness only briefly', () => {
  for (const hours of [-1, 1]) {
    const lateness = new LagEstimator()
    for (let second = 0; second < 10; second++) lateness.of(second * 1_000, ahead + second * 1_000)
    const after = Array.from({ length: 400 }, (_, second) =>
      lateness.of((second + 10) * 1_000 + hours * 3_600_000, ahead + (second + 10) * 1_000),
    )
    expect(Math.max(...after)).toBe(0)
  }
})
