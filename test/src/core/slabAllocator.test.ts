import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Slab } from '#core/slabAllocator'

it('never hands out a byte that is still in use, whatever is allocated and released', () => {
  const step = fc.oneof(
    fc.record({ take: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.constant(1_100_000)) }),
    fc.record({ giveBack: fc.nat() }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const slab = new Slab()
      const held: { piece: Buffer; mark: number }[] = []
      steps.forEach((step, index) => {
        if ('take' in step) {
          const piece = slab.take(step.take)
          expect(piece.length).toBeGreaterThanOrEqual(step.take)
          const mark = index % 251
          piece.fill(mark)
          held.push({ piece, mark })
        } else if (held.length > 0) {
          for (const { piece } of held.splice(step.giveBack % held.length, 1)) slab.giveBack(piece)
        }
      })
      for (const { piece, mark } of held) expect(piece.every((byte) => byte === mark)).toBe(true)
    }),
    { numRuns: 60 },
  )
})

it('reuses a released slot for the next allocation of its size, so that changing rows need no more memory', () => {
  const slab = new Slab()
  const piece = slab.take(1_000)
  slab.giveBack(piece)
  expect(slab.take(1_020)).toBe(piece)
})
