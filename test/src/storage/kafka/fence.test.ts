import { expect, test } from 'vitest'
import { Fence } from '#storage/kafka/fence'

test('rejects messages of a former owner after its successor’s, also after restoring from the text', () => {
  const fence = new Fence('')
  expect(fence.admits({ venue: 'kalshi', epoch: 7 })).toBe(true)
  expect(fence.admits({ venue: 'gemini', epoch: 3 })).toBe(true)
  expect(fence.admits({ venue: 'kalshi', epoch: 9 })).toBe(true)
  expect(fence.admits({ venue: 'kalshi', epoch: 9 })).toBe(true)
  const successor = new Fence(fence.toString())
  for (const each of [fence, successor]) {
    expect(each.admits({ venue: 'kalshi', epoch: 7 })).toBe(false)
    expect(each.admits({ venue: 'gemini', epoch: 3 })).toBe(true)
    // Messages without an epoch have only one possible sender.
    expect(each.admits({ venue: 'kalshi' })).toBe(true)
    expect(each.admits({ rowId: 'of another topic' })).toBe(true)
  }
})

test('the text of all venues fits into the offset metadata', () => {
  const fence = new Fence('')
  for (let i = 0; i < 16; i++) fence.admits({ venue: `a_venue_of_a_long_name_${i}`, epoch: 1_790_000_000_000 })
  expect(fence.toString().length).toBeLessThan(2_000)
})

test('fences parts of a venue separately, and replaces a division by the next one; the text keeps all of it', () => {
  const fence = new Fence('')
  const admits = (epoch: number, part?: string, of = fence) =>
    of.admits({ venue: 'kalshi', epoch, ...(part && { part }) })
  expect(admits(5)).toBe(true)
  expect(admits(4, '2/3'), 'of another division, and older').toBe(false)
  expect(admits(9, '3/3')).toBe(true)
  expect(admits(7, '1/3')).toBe(true)
  for (const each of [fence, new Fence(fence.toString())]) {
    expect(admits(5, undefined, each)).toBe(false)
    expect(admits(6, '1/3', each)).toBe(false)
    expect(admits(7, '1/3', each)).toBe(true)
    expect(admits(8, '3/3', each)).toBe(false)
    expect(admits(3, '2/3', new Fence(each.toString())), 'the first of its part').toBe(true)
  }
  expect(admits(10)).toBe(true)
  expect(admits(9, '3/3', new Fence(fence.toString()))).toBe(false)
  expect(fence.toString()).toBe('kalshi=10')
})
