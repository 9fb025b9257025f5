import { expect, it } from 'vitest'
import { forEachYielding } from '#core/yieldToEventLoop'

it('visits all in order, and lets other work run in between', async () => {
  const seen: (number | string)[] = []
  const items = Array.from({ length: 7 }, (_, i) => i)
  const done = forEachYielding(items, 3, (item) => seen.push(item))
  let others = 0
  const other = (): void => {
    seen.push('other')
    if (++others < 2) setImmediate(other)
  }
  setImmediate(other)
  await done
  expect(seen.filter((each) => each !== 'other')).toEqual(items)
  expect(seen.indexOf('other')).toBeLessThan(seen.indexOf(6))
  await expect(
    forEachYielding([1], 1, () => {
      throw new Error('broke off')
    }),
  ).rejects.toThrow('broke off')
})
