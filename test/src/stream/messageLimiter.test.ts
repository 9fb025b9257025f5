import { expect, it } from 'vitest'
import { MessageLimiter } from '#stream/messageLimiter'

const rate = { burst: 10, perSecond: 2, patience: 5 }
const take = (limiter: MessageLimiter, times: number, now: number) =>
  Array.from({ length: times }, () => limiter.take(now))

it('allows a burst, then refuses each message, and finally closes', () => {
  const limiter = new MessageLimiter(rate, 0)
  expect(take(limiter, 17, 0)).toEqual([...Array(10).fill('ok'), ...Array(5).fill('refused'), 'exhausted', 'exhausted'])
})

it('refills at the stated rate while idle, never above the burst', () => {
  const limiter = new MessageLimiter(rate, 0)
  take(limiter, 10, 0)
  expect(take(limiter, 3, 1_000)).toEqual(['ok', 'ok', 'refused'])
  expect(take(limiter, 12, 1_000_000).filter((taken) => taken === 'ok')).toHaveLength(10)
})

it('ignores a clock that steps back', () => {
  const limiter = new MessageLimiter(rate, 10_000)
  take(limiter, 10, 10_000)
  expect(limiter.take(0)).toBe('refused')
})

it('charges the operations of a message that has several, or none of them', () => {
  const limiter = new MessageLimiter(rate, 0)
  limiter.take(0)
  expect([limiter.takeMore(10), limiter.takeMore(9), limiter.takeMore(1)]).toEqual([false, true, false])
})

it('a larger plan raises the burst at once; a smaller one keeps it', () => {
  const limiter = new MessageLimiter(rate, 0)
  take(limiter, 10, 0)
  limiter.widen(13)
  limiter.widen(4)
  expect(take(limiter, 4, 0)).toEqual(['ok', 'ok', 'ok', 'refused'])
})
