import { expect, it } from 'vitest'
import { TokenBucket } from '#core/tokenBucket'

it('refills at its rate up to the burst, and pays back what was spent ahead', () => {
  const bucket = new TokenBucket({ perSecond: 10, burst: 20 }, 0)
  bucket.spend(30)
  expect([bucket.level, bucket.waitMs(0), bucket.waitMs(5)]).toEqual([-10, 1_000, 1_500])
  bucket.fill(1_500)
  expect([bucket.level, bucket.waitMs(5)]).toEqual([5, 0])
  bucket.refund(100)
  expect(bucket.level).toBe(20)
  bucket.fill(1_000_000)
  expect(bucket.level).toBe(20)
})

it('loses nothing when the clock steps back', () => {
  const bucket = new TokenBucket({ perSecond: 10, burst: 20 }, 1_000)
  bucket.spend(20)
  bucket.fill(0)
  expect(bucket.level).toBe(0)
  bucket.fill(100)
  expect(bucket.level).toBe(1)
})

it('makes the difference to a larger burst available at once', () => {
  const bucket = new TokenBucket({ perSecond: 1, burst: 2 }, 0)
  bucket.spend(2)
  bucket.widen(5)
  bucket.widen(3)
  expect([bucket.level, bucket.capacity]).toEqual([3, 5])
})
