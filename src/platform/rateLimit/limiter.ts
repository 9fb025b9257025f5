// How many requests a key may make in a minute. Counted by rate-limiter-flexible, in this process.
//
// The library's own `consume` answers by promise, and a refusal by a rejected one: 0.25 and 0.9 µs a request, and every handler after it
// would be asynchronous. Its counter underneath answers at once in 0.07 µs, so that is what is used; the version is pinned exactly, and a
// test holds the counter to the library's own `consume`.
import { createRequire } from 'node:module'

export interface RateVerdict {
  allowed: boolean
  /** Whole seconds, rounded up; 0 when allowed. */
  retryAfterSeconds: number
  limit: number
  remaining: number
  /** Whole seconds, rounded up, until the window begins anew. */
  resetSeconds: number
}

export interface RateLimiter {
  /** Counts `cost` requests. `key` must name a verified key: strangers must not be able to fill memory with names. */
  take(key: string, limitPerMinute: number, cost?: number): RateVerdict
}

interface Counter {
  incrby(key: string, value: number, durationSeconds: number): { consumedPoints: number; msBeforeNext: number }
}

const require = createRequire(import.meta.url)
const Counter = require('rate-limiter-flexible/lib/component/MemoryStorage/MemoryStorage') as new () => Counter

const windowSeconds = 60

export function createRateLimiter(): RateLimiter {
  const counter = new Counter()
  return {
    take(key, limitPerMinute, cost = 1) {
      const { consumedPoints, msBeforeNext } = counter.incrby(key, cost, windowSeconds)
      const allowed = consumedPoints <= limitPerMinute
      const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000))
      return {
        allowed,
        retryAfterSeconds: allowed ? 0 : resetSeconds,
        limit: limitPerMinute,
        remaining: Math.max(0, limitPerMinute - consumedPoints),
        resetSeconds,
      }
    },
  }
}
