import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Lru } from '#platform/auth/lru'

it('holds what was set or read last, and nothing that was deleted, in any sequence of operations', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
  const step = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), key, value: fc.nat() }),
    fc.record({ kind: fc.constant('get' as const), key }),
    fc.record({ kind: fc.constant('delete' as const), key }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), fc.integer({ min: 1, max: 4 }), (steps, most) => {
      const lru = new Lru<number>(most)
      /** Most recent last. */
      let model: [string, number][] = []
      for (const step of steps) {
        const held = model.find(([each]) => each === step.key)
        if (step.kind === 'get') expect(lru.get(step.key)).toBe(held?.[1])
        const rest = model.filter((each) => each !== held)
        if (step.kind === 'set') model = [...rest, [step.key, step.value] as [string, number]].slice(-most)
        else if (step.kind === 'get' && held !== undefined) model = [...rest, held]
        else if (step.kind === 'delete') model = rest
        if (step.kind === 'set') lru.set(step.key, step.value)
        if (step.kind === 'delete') lru.delete(step.key)
        expect(lru.size).toBe(model.length)
      }
    }),
    { numRuns: 500 },
  )
})
