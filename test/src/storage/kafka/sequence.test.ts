import { expect, test } from 'vitest'
import { listParts, partsMax } from '#schemas/parts'
import { Fence } from '#storage/kafka/fence'
import { numberHeaders, Sequence } from '#storage/kafka/sequence'

const from = (sender: string, ...numbers: number[]) => numbers.map((number) => numberHeaders(sender, number))

test('admits each number of each sender once, also after restoring from the text', () => {
  const first = new Sequence('')
  for (const headers of [...from('a', 1, 2), ...from('b', 1), ...from('a', 3)]) expect(first.admits(headers)).toBe(true)
  for (const sequence of [first, new Sequence(first.toString())]) {
    for (const headers of [...from('a', 1, 2, 3), ...from('b', 1)]) expect(sequence.admits(headers)).toBe(false)
    expect(sequence.repeated).toBe(4)
    expect(sequence.missing).toBe(0)
    for (const headers of [...from('a', 4), ...from('b', 2)]) expect(sequence.admits(headers)).toBe(true)
  }
})

test('counts missing numbers, but none for a new sender', () => {
  const sequence = new Sequence('')
  for (const headers of [...from('a', 1, 4), ...from('b', 77)]) sequence.admits(headers)
  expect(sequence.missing).toBe(2)
})

test('admits messages without a number or with an unknown text', () => {
  const sequence = new Sequence('')
  for (const headers of [undefined, {}, { n: 'a' }, { n: 'a:x' }, { n: 'a:' }, { n: Buffer.from('') }])
    for (let i = 0; i < 2; i++) expect(sequence.admits(headers as never)).toBe(true)
  expect(sequence.toString()).toBe('')
})

test('reads headers as bytes', () => {
  const sequence = new Sequence('')
  expect(sequence.admits({ n: Buffer.from('a:1') })).toBe(true)
  expect(sequence.admits({ n: Buffer.from('a:1') })).toBe(false)
})

test('shares the offset metadata with the fence: neither reads the other’s part, and both fit', () => {
  const fence = new Fence('')
  for (let i = 0; i < 16; i++) fence.admits({ venue: `a_venue_of_a_long_name_${i}`, epoch: 1_790_000_000_000 })
  // As many parts as the configuration allows.
  for (let i = 0; i < 64 / partsMax; i++)
    for (const part of listParts(partsMax))
      fence.admits({ venue: `a_venue_of_a_long_name_${i}`, part, epoch: 1_790_000_000_001 })
  const sequence = new Sequence('')
  for (let i = 0; i < 100; i++) sequence.admits(numberHeaders(`abcdef${100_000 + i}`, 1_000_000_000 + i))
  const text = `${fence},${sequence}`
  expect(text.length).toBeLessThan(3_000)
  expect(new Fence(text).toString()).toBe(fence.toString())
  expect(new Sequence(text).toString()).toBe(sequence.toString())
})
