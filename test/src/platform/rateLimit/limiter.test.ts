import { RateLimiterMemory } from 'rate-limiter-flexible'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '#core/clock'
import { createRateLimiter } from '#platform/rateLimit/limiter'

// The library reads the system clock; here it is mocked.
beforeEach(() => {
  vi.useFakeTimers({ now: 1_790_000_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a key gets exactly its limit in a minute; the next minute starts again', () => {
  const limiter = createRateLimiter(systemClock)
  for (let i = 1; i <= 60; i++) {
    expect(limiter.take('a', 60)).toEqual({
      allowed: true,
      retryAfterSeconds: 0,
      limit: 60,
      remaining: 60 - i,
      resetSeconds: 60,
    })
  }
  vi.advanceTimersByTime(12_300)
  // 47.7 s are left: whole seconds, rounded up.
  expect(limiter.take('a', 60)).toEqual({
    allowed: false,
    retryAfterSeconds: 48,
    limit: 60,
    remaining: 0,
    resetSeconds: 48,
  })
  vi.advanceTimersByTime(47_699)
  expect(limiter.take('a', 60)).toMatchObject({ allowed: false, retryAfterSeconds: 1 })
  vi.advanceTimersByTime(1)
  expect(limiter.take('a', 60)).toMatchObject({ allowed: true, remaining: 59 })
})

test('keys do not share, a change of plan applies at once, and an expensive request counts as several', () => {
  const limiter = createRateLimiter(systemClock)
  expect(limiter.take('a', 1).allowed).toBe(true)
  expect(limiter.take('a', 1).allowed).toBe(false)
  expect(limiter.take('b', 1).allowed).toBe(true)
  expect(limiter.take('a', 10).allowed).toBe(true)
  expect(limiter.take('c', 10, 8)).toMatchObject({ allowed: true, remaining: 2 })
  expect(limiter.take('c', 10, 3)).toMatchObject({ allowed: false, remaining: 0 })
})

test('results equal those of the library itself', async () => {
  const ours = createRateLimiter(systemClock)
  const theirs = new RateLimiterMemory({ points: 5, duration: 60 })
  for (let step = 0; step < 40; step++) {
    vi.advanceTimersByTime((step * 977) % 9_000)
    const verdict = ours.take('a', 5)
    const result = await theirs.consume('a').then(
      (res) => ({ allowed: true, res }),
      (res) => ({ allowed: false, res }),
    )
    expect([verdict.allowed, verdict.remaining]).toEqual([result.allowed, result.res.remainingPoints])
    expect(verdict.resetSeconds).toBe(Math.max(1, Math.ceil(result.res.msBeforeNext / 1_000)))
  }
})
