import { expect, it } from 'vitest'
import { readPace, waiter } from '#backtest/engine/pace'
import { seededRandom, seededUuids } from '#backtest/engine/random'

it('draws the same numbers from the same seed, and others for another seed or purpose', () => {
  const draw = (seed: string, purpose: string) => Array.from({ length: 5 }, seededRandom(seed, purpose))
  expect(draw('a', 'x')).toEqual(draw('a', 'x'))
  expect(draw('a', 'x')).not.toEqual(draw('b', 'x'))
  expect(draw('a', 'x')).not.toEqual(draw('a', 'y'))
  expect(draw('a', 'x').every((value) => value >= 0 && value < 1)).toBe(true)
})

it('makes different UUIDs of version 4', () => {
  const next = seededUuids('seed')
  const ids = Array.from({ length: 100 }, next)
  expect(new Set(ids).size).toBe(100)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

it('reads a pace, and waits for it', () => {
  expect(readPace('asap')).toBe('asap')
  expect(readPace('10x')).toBe(10)
  expect(() => readPace('fast')).toThrow('--pace')
  expect(() => readPace('0x')).toThrow('--pace')
  let now = 0
  const waitFor = waiter(10, 5_000, () => now)
  expect(waitFor(6_000)).toBe(100)
  now = 100
  expect(waitFor(6_000)).toBe(0)
})
