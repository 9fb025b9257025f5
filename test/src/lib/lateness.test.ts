import { expect, test } from 'vitest'
import { Lateness } from '#lib/lateness'

const ahead = 1_000_000

test('heartbeats that waited while the reader slept are told from new ones', () => {
  const lateness = new Lateness()
  for (let second = 0; second < 100; second++) expect(lateness.of(second * 1_000, ahead + second * 1_000 + 5)).toBe(0)
  // It slept a minute and reads them all at once.
  const woken = ahead + 160_000
  for (let second = 100; second < 160; second++) {
    expect(lateness.of(second * 1_000, woken + 5)).toBe(160_000 - second * 1_000)
  }
  expect(lateness.of(160_000, woken + 5)).toBe(0)
})

test('clocks that drift apart make nobody late', () => {
  const lateness = new Lateness()
  let worst = 0
  for (let second = 0; second < 200_000; second++)
    worst = Math.max(worst, lateness.of(second * 1_000, second * 1_000.1))
  expect(worst).toBeLessThan(100)
})
