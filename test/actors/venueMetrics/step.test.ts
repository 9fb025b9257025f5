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

const collected = (outcome: PollResult) => ({ kind: 'collected', outcome }) as const

it('runs one pass at a time', () => {
  const state = initialVenueMetricsState()
  expect(stepVenueMetrics(state, { kind: 'start' })).toEqual([{ kind: 'collect' }])
  expect(stepVenueMetrics(state, { kind: 'due' })).toEqual([])
  expect(stepVenueMetrics(state, collected({ kind: 'complete', waitMs: 7 }))).toEqual([{ kind: 'dueIn', delayMs: 7 }])
  expect(stepVenueMetrics(state, { kind: 'due' })).toEqual([{ kind: 'collect' }])
})

it('waits after a complete pass until something can be due, an hour at most', () => {
  const state = initialVenueMetricsState()
  expect(stepVenueMetrics(state, collected({ kind: 'complete', waitMs: 80_000_000 }))).toEqual([
    { kind: 'dueIn', delayMs: waitMaxMs },
  ])
})

it('retries an incomplete pass with growing, bounded delays, which start over after a complete one', () => {
  const state = initialVenueMetricsState()
  const delays = Array.from({ length: 30 }, () => {
    const [effect] = stepVenueMetrics(state, collected({ kind: 'incomplete' }))
    return effect?.kind === 'dueIn' ? effect.delayMs : 0
  })
  expect(delays.slice(0, 3)).toEqual([retryBaseMs, 2 * retryBaseMs, 4 * retryBaseMs])
  expect(delays.at(-1)).toBe(retryCapMs)
  expect(Math.max(...delays)).toBe(retryCapMs)
  stepVenueMetrics(state, collected({ kind: 'complete', waitMs: 1 }))
  expect(stepVenueMetrics(state, collected({ kind: 'incomplete' }))).toEqual([{ kind: 'dueIn', delayMs: retryBaseMs }])
})

it('runs after a catalog walk only if the last pass was incomplete', () => {
  const state = initialVenueMetricsState()
  expect(stepVenueMetrics(state, { kind: 'catalogWalked' })).toEqual([])
  stepVenueMetrics(state, { kind: 'start' })
  expect(stepVenueMetrics(state, { kind: 'catalogWalked' })).toEqual([])
  stepVenueMetrics(state, collected({ kind: 'incomplete' }))
  expect(stepVenueMetrics(state, { kind: 'catalogWalked' })).toEqual([{ kind: 'collect' }])
})

it('checks again when another process that has the job may have died', () => {
  expect(stepVenueMetrics(initialVenueMetricsState(), collected({ kind: 'elsewhere' }))).toEqual([
    { kind: 'dueIn', delayMs: otherOwnerTimeoutMs },
  ])
})
