import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { type RetryOptions, retry } from '#core/retry'

const down = new Error('down')

/** Runs `work` with retries and lets time pass until it ends. Returns when each try began, ms after the start. */
async function run<T>(work: (attempt: number) => Promise<T>, options: Partial<RetryOptions> = {}) {
  const clock = new ManualClock()
  const tries: number[] = []
  let ended = false
  const once = () => {
    tries.push(clock.monotonic())
    return work(tries.length - 1)
  }
  const backoff = { baseMs: 100, capMs: 400 }
  const running = retry(once, { clock, backoff, random: () => 0.999, ...options }).finally(() => {
    ended = true
  })
  const [outcome] = await Promise.allSettled([
    running,
    (async () => {
      while (!ended) {
        await new Promise(setImmediate)
        if (!ended) clock.advance(100)
      }
    })(),
  ])
  return { outcome, tries, timers: clock.pendingCount }
}

describe('retry', () => {
  it('tries again with growing delays until the work succeeds', async () => {
    const failures: [unknown, number][] = []
    const { outcome, tries, timers } = await run(
      (attempt) => (attempt < 4 ? Promise.reject(down) : Promise.resolve('done')),
      { onFailure: (error, attempt) => failures.push([error, attempt]) },
    )
    expect(outcome).toEqual({ status: 'fulfilled', value: 'done' })
    expect(tries).toEqual([0, 100, 300, 700, 1_100])
    expect(failures).toEqual([0, 1, 2, 3].map((attempt) => [down, attempt]))
    expect(timers).toBe(0)
  })

  it('throws a failure that is not retryable at once', async () => {
    const { outcome, tries } = await run(() => Promise.reject(down), { isRetryable: (error) => error !== down })
    expect([outcome, tries]).toEqual([{ status: 'rejected', reason: down }, [0]])
  })

  it('throws the last failure after the most tries', async () => {
    const last = new Error('third')
    const { outcome, tries } = await run((attempt) => Promise.reject(attempt === 2 ? last : down), { triesMax: 3 })
    expect(outcome).toEqual({ status: 'rejected', reason: last })
    expect(tries).toHaveLength(3)
  })

  it('throws the first failure after the time limit', async () => {
    const { outcome, tries } = await run(() => Promise.reject(down), { forMs: 700 })
    expect(outcome).toEqual({ status: 'rejected', reason: down })
    expect(tries).toEqual([0, 100, 300, 700])
  })

  it('ends its wait when aborted, and leaves no timer', async () => {
    const abort = new AbortController()
    const clock = new ManualClock()
    let failures = 0
    const running = retry(() => Promise.reject(down), {
      clock,
      backoff: { baseMs: 1_000, capMs: 1_000 },
      signal: abort.signal,
      onFailure: () => void failures++,
    })
    await new Promise(setImmediate)
    expect(clock.pendingCount).toBe(1)
    abort.abort()
    await expect(running).rejects.toBe(down)
    expect([failures, clock.pendingCount]).toEqual([1, 0])
  })
})
