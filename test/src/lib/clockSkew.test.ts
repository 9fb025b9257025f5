import { expect, test } from 'vitest'
import { LagEstimator } from '#lib/clockSkew'

const ahead = 1_000_000

test('heartbeats that waited while the reader slept are told from new ones', () => {
  const lateness = new LagEstimator()
  for (let second = 0; second < 100; second++) expect(lateness.of(second * 1_000, ahead + second * 1_000 + 5)).toBe(0)
  // It slept a minute and reads them all at once.
  const woken = ahead + 160_000
  for (let second = 100; second < 160; second++) {
    expect(lateness.of(second * 1_000, woken + 5)).toBe(160_000 - second * 1_000)
  }
  expect(lateness.of(160_000, woken + 5)).toBe(0)
})

test('clocks that drift apart make nobody late', () => {
  const lateness = new LagEstimator()
  let worst = 0
  for (let second = 0; second < 200_000; second++)
    worst = Math.max(worst, lateness.of(second * 1_000, second * 1_000.1))
  expect(worst).toBeLessThan(100)
})

test('a clock that was set by an hour makes nobody late for long', () => {
  for (const hours of [-1, 1]) {
    const lateness = new LagEstimator()
    for (let second = 0; second < 10; second++) lateness.of(second * 1_000, ahead + second * 1_000)
    const after = Array.from({ length: 400 }, (_, second) =>
      lateness.of((second + 10) * 1_000 + hours * 3_600_000, ahead + (second + 10) * 1_000),
    )
    expect(Math.max(...after)).toBe(0)
  }
})
