import { expect, it } from 'vitest'
import { SizedSurfaces } from '#arbitrage/sizedQuery'
import { published } from './published.ts'

it('a surface is used by one reader until it is given back', () => {
  const { books, compiled } = published(1)
  const sizes = new SizedSurfaces(books.arena)
  const first = sizes.take(compiled, 10)
  const second = sizes.take(compiled, 10)
  expect(second.surface).not.toBe(first.surface)
  sizes.giveBack(compiled, first)
  expect(sizes.take(compiled, 10)).toBe(first)
  expect(sizes.take(compiled, 20).compiled.plan.contracts).toBe(20)
})

it('surfaces are cached for four sizes of one compiled surface, and not for another one', () => {
  const { books, compiled } = published(1)
  const sizes = new SizedSurfaces(books.arena)
  const made = [1, 2, 3, 4, 5].map((contracts) => sizes.take(compiled, contracts))
  for (const sized of made) sizes.giveBack(compiled, sized)
  const again = [1, 2, 3, 4, 5].map((contracts) => sizes.take(compiled, contracts))
  expect(again.map((sized, i) => sized === made[i])).toEqual([false, true, true, true, true])
  for (const sized of again) sizes.giveBack(compiled, sized)
  const other = { ...compiled }
  expect(again).not.toContain(sizes.take(other, 3))
})
