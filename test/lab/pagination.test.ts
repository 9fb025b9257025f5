import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCursor, encodeCursor, pageOf } from '#lab/pagination'

test('pages of any size have every matching item once, and end', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5)), fc.integer({ min: 1, max: 7 }), (pool, limit) => {
      const fits = (item: number) => item > 2
      const walked: number[] = []
      for (let next: number | null = 0; next !== null; ) {
        const page: { items: number[]; next: number | null } = pageOf(
          { pool, fits },
          decodeCursor(encodeCursor(next))!,
          limit,
        )
        expect(page.items.length).toBeLessThanOrEqual(limit)
        walked.push(...page.items)
        next = page.next
      }
      expect(walked).toEqual(pool.filter(fits))
    }),
  )
})

test('a missing cursor is the start, an invalid one is rejected', () => {
  expect(decodeCursor(null)).toBe(0)
  expect(decodeCursor('')).toBe(0)
  expect(decodeCursor('garbage')).toBeNull()
})
