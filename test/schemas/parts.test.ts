import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  assignPart,
  countParts,
  feedsBook,
  formatLease,
  listLeases,
  listParts,
  parseLease,
  partsMax,
} from '#schemas/parts'

const counts = fc.integer({ min: 2, max: partsMax })

test('every book belongs to exactly one part, and all processes compute the same one', () => {
  fc.assert(
    fc.property(fc.string(), counts, (bookId, count) => {
      const feeding = listParts(count).filter((part) => feedsBook(part)(bookId))
      expect(feeding).toEqual([assignPart(bookId, count)])
    }),
  )
})

test('a book stays in its part: processes of different versions agree', () => {
  // Changing these would cause two processes to feed one book during an update.
  expect(
    ['KXBTC-26DEC31-T100000', '71321045679252212594626385532706912750332728571942532289631379312455583992563'].map(
      (id) => [assignPart(id, 2), assignPart(id, 5)],
    ),
  ).toEqual([
    ['1/2', '2/5'],
    ['2/2', '5/5'],
  ])
})

test('parts are about equally large, for ids that differ in their last characters only', () => {
  for (const count of [2, 3, 4, 16]) {
    const sizes = new Map(listParts(count).map((part) => [part, 0]))
    const books = 16_000
    for (let i = 0; i < books; i++) {
      const part = assignPart(`KXHIGHNY-26NOV29-T${i}`, count)
      sizes.set(part, sizes.get(part)! + 1)
    }
    for (const size of sizes.values()) expect(Math.abs(size / (books / count) - 1)).toBeLessThan(0.15)
  }
})

test('leases are named after their venue and part, and read back', () => {
  expect(listLeases('kalshi', 1)).toEqual(['kalshi'])
  expect(listLeases('polymarket_us', 2)).toEqual(['polymarket_us#1/2', 'polymarket_us#2/2'])
  fc.assert(
    fc.property(counts, (count) => {
      for (const part of listParts(count)) {
        expect(parseLease(formatLease('kalshi', part))).toEqual({ venue: 'kalshi', part })
        expect(countParts(part)).toBe(count)
      }
    }),
  )
  expect(parseLease('kalshi')).toEqual({ venue: 'kalshi', part: undefined })
  expect(countParts(undefined)).toBe(1)
})

test('a venue that is not split feeds every book', () => {
  fc.assert(fc.property(fc.string(), (bookId) => feedsBook(undefined)(bookId)))
})
