import { expect, it } from 'vitest'
import {
  initialVenueMetricsState,
  otherOwnerTimeoutMs,
  type PollResult,
  retryBaseMs,
  retryCapMs,
  stepVenueMetrics,
  waitMaxMs,
} from '#actors/venueMetrics/step'

const looked = (outcome: PollResult) => ({ kind: 'looked', outcome }) as const

it('runs one pass at a time', () => {
  const state = initialVenueMetricsState()
  expect(stepVenueMetrics(state, { kind: 'start' })).toEqual([{ kind: 'look' }])
  expect(stepVenueMetrics(state, { kind: 'due' })).toEqual([])
  expect(stepVenueMetrics(state, looked({ kind: 'whole', waitMs: 7 }))).toEqual([{ kind: 'dueIn', delayMs: 7 }])
  expect(stepVenueMetrics(state, { kind: 'due' })).toEqual([{ kind: 'look' }])
})

it('waits after a complete pass until something can be due, an hour at most', () => {
  const state = initialVenueMetricsState()
  expect(stepVenueMetrics(state, looked({ kind: 'whole', waitMs: 80_000_000 }))).toEqual([
    { kind: 'dueIn', delayMs: waitMaxMs },
  ])
})

it('retries an incomplete pass with growing, bounded delays, which start over after a complete one', () => {
  const state = initialVenueMetricsState()
  const delays = Array.from({ length: 30 }, () => {
    const [effect] = stepVenueMetrics(state, looked({ kind: 'partly' }))
    return effect?.kind === 'dueIn' ? effect.delayMs : 0
  })
  expect(delays.slice(0, 3)).toEqual([retryBaseMs, 2 * retryBaseMs, 4 * retryBaseMs])
  expect(delays.at(-1)).toBe(retryCapMs)
  expect(Math.max(...delays)).toBe(retryCapMs)
  stepVenueMetrics(state, looked({ kind: 'whole', waitMs: 1 }))
  expect(stepVenueMetrics(state, looked({ kind: 'partly' }))).toEqual([{ kind: 'dueIn', delayMs: retryBaseMs }])
})

it('runs when a walk ends while something waits for it, and ignores it otherwise', () => {
  const state = initialVenueMetricsState()
  expect(stepVenueMetrics(state, { kind: 'walked' })).toEqual([])
  stepVenueMetrics(state, { kind: 'start' })
  expect(stepVenueMetrics(state, { kind: 'walked' })).toEqual([])
  stepVenueMetrics(state, looked({ kind: 'partly' }))
  expect(stepVenueMetrics(state, { kind: 'walked' })).toEqual([{ kind: 'look' }])
})

it('checks again when another process that has the job may have died', () => {
  expect(stepVenueMetrics(initialVenueMetricsState(), looked({ kind: 'elsewhere' }))).toEqual([
    { kind: 'dueIn', delayMs: otherOwnerTimeoutMs },
  ])
})
