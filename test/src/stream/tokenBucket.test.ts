import { expect, it } from 'vitest'
import { Bucket } from '#stream/tokenBucket'

const options = { burst: 10, perSecond: 2, patience: 5 }
const take = (bucket: Bucket, times: number, now: number) => Array.from({ length: times }, () => bucket.take(now))

it('allows a burst, then refuses each message, and finally closes', () => {
  const bucket = new Bucket(options, 0)
  expect(take(bucket, 17, 0)).toEqual([...Array(10).fill('ok'), ...Array(5).fill('refused'), 'exhausted', 'exhausted'])
})

it('refills at the stated rate while idle, never above the burst', () => {
  const bucket = new Bucket(options, 0)
  take(bucket, 10, 0)
  expect(take(bucket, 3, 1_000)).toEqual(['ok', 'ok', 'refused'])
  expect(take(bucket, 12, 1_000_000).filter((taken) => taken === 'ok')).toHaveLength(10)
})

it('ignores a clock that steps back', () => {
  const bucket = new Bucket(options, 10_000)
  take(bucket, 10, 10_000)
  expect(bucket.take(0)).toBe('refused')
})

it('a larger plan raises the burst at once; a smaller one keeps it', () => {
  const bucket = new Bucket(options, 0)
  take(bucket, 10, 0)
  bucket.widen(13)
  bucket.widen(4)
  expect(take(bucket, 4, 0)).toEqual(['ok', 'ok', 'ok', 'refused'])
})
