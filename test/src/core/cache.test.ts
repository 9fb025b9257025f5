import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Cache } from '#core/cache'
import { ManualClock } from '#core/clock'

it('holds what was set or read last, and nothing that was deleted, in any sequence of operations', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
  const step = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), key, value: fc.nat() }),
    fc.record({ kind: fc.constant('get' as const), key }),
    fc.record({ kind: fc.constant('delete' as const), key }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), fc.integer({ min: 1, max: 4 }), (steps, most) => {
      const cache = new Cache<number>(most)
      /** Most recent last. */
      let model: [string, number][] = []
      for (const step of steps) {
        const held = model.find(([each]) => each === step.key)
        if (step.kind === 'get') expect(cache.get(step.key)).toBe(held?.[1])
        const rest = model.filter((each) => each !== held)
        if (step.kind === 'set') model = [...rest, [step.key, step.value] as [string, number]].slice(-most)
        else if (step.kind === 'get' && held !== undefined) model = [...rest, held]
        else if (step.kind === 'delete') model = rest
        if (step.kind === 'set') cache.set(step.key, step.value)
        if (step.kind === 'delete') cache.delete(step.key)
        expect(cache.size).toBe(model.length)
      }
      cache.clear()
      expect([cache.size, cache.get('a')]).toEqual([0, undefined])
    }),
    { numRuns: 500 },
  )
})

describe('with a lifetime', () => {
  it('drops an entry once its lifetime is over', () => {
    const clock = new ManualClock()
    const cache = new Cache<string>(10, { clock, forMs: 1_000 })
    cache.set('a', 'usual')
    cache.set('b', 'short', 10)
    cache.set('c', 'for ever', Number.POSITIVE_INFINITY)
    clock.advance(10)
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual(['usual', undefined, 'for ever'])
    clock.advance(990)
    expect(['a', 'c'].map((key) => cache.get(key))).toEqual([undefined, 'for ever'])
    expect(cache.size).toBe(1)
  })

  it('keeps entries until evicted by default', () => {
    const clock = new ManualClock()
    const cache = new Cache<number | null>(2, { clock })
    for (const key of ['a', 'b', 'c']) cache.set(key, null)
    clock.advance(1e12)
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([undefined, null, null])
  })
})

describe('a loading cache', () => {
  it('loads once for concurrent callers, and again after the lifetime', async () => {
    const clock = new ManualClock()
    const cache = new Cache<number>(10, { clock, forMs: 1_000 })
    let loads = 0
    const load = async () => ++loads
    expect(await Promise.all([cache.getOrLoad('a', load), cache.getOrLoad('a', load)])).toEqual([1, 1])
    clock.advance(999)
    expect(await cache.getOrLoad('a', load)).toBe(1)
    clock.advance(1)
    expect(await cache.getOrLoad('a', load)).toBe(2)
  })

  it('passes a failure on without caching it', async () => {
    const cache = new Cache<number>(10)
    await expect(cache.getOrLoad('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down')
    expect(await cache.getOrLoad('a', async () => 5)).toBe(5)
  })
})
