import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { mapConcurrently } from '#core/mapConcurrently'

it('keeps the order of the items, and never works on more than allowed', async () => {
  let running = 0
  let most = 0
  const doubled = await mapConcurrently([5, 1, 4, 2, 3], 2, async (turns) => {
    most = Math.max(most, ++running)
    for (let i = 0; i < turns; i++) await nextTurn()
    running--
    return turns * 2
  })
  expect(doubled).toEqual([10, 2, 8, 4, 6])
  expect(most).toBe(2)
})

it('rejects with the first failure, and begins nothing after it', async () => {
  const begun: number[] = []
  const work = async (item: number): Promise<number> => {
    begun.push(item)
    await nextTurn()
    if (item === 2) throw new Error('two')
    return item
  }
  await expect(mapConcurrently([1, 2, 3, 4, 5, 6], 2, work)).rejects.toThrow('two')
  await nextTurn()
  await nextTurn()
  expect(begun.length).toBeLessThan(6)
})

it('has nothing to do for no items', async () => {
  expect(await mapConcurrently([], 4, () => Promise.reject(new Error('not called')))).toEqual([])
})
