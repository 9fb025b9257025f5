import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ASK, BID, type Book, createBook } from '#core/books/book'
import { complementCore, emptyCore, encodeCore, limitCore } from '#core/books/encode'
import type { BookSide } from '#venues/venue'
import { decodeCore } from './decodeCore.ts'
import { anyMicros } from './oracle.ts'

/** Sizes as venues send them, and all other positive doubles. */
const anySize = fc.oneof(
  fc.integer({ min: 1, max: 2_000_000_000 }),
  fc.integer({ min: 1, max: 1_000_000_000 }).map((hundredths) => hundredths / 100),
  fc.integer({ min: 1, max: 2_000_000_000 }).map((millionths) => millionths / 1e6),
  fc.maxSafeNat().map((parts) => (parts + 1) / 1e6),
  fc.double({ min: 1e-9, minExcluded: true, max: 1e300, noNaN: true }),
  fc.constantFrom(
    0.1 + 0.2,
    1e21,
    1e20,
    5e-7,
    1e-6,
    999_999_999.999999,
    2 ** 31,
    2 ** 31 - 1,
    2 ** 53,
    1e9,
    99.99,
    100,
    10.5,
  ),
)
const anyLevels = fc.array(fc.tuple(anyMicros, anySize), { maxLength: 40 })
const anyTimestamp = fc.oneof(
  fc.integer({ min: 0, max: 9_999_999_999_999 }),
  fc.constantFrom(0, 1, 1e9, 1_790_000_000_000, 1_790_000_000_001),
)

const bookOf = (bids: [number, number][], asks: [number, number][]): Book => {
  const book = createBook(10_000)
  for (const [micros, size] of bids) book.set(BID, micros, size)
  for (const [micros, size] of asks) book.set(ASK, micros, size)
  return book
}

const objects = (book: Book, side: BookSide, max = Infinity) =>
  book.levels(side, max).map(({ priceMicros, size }) => ({ price: priceMicros / 1_000_000, size }))

/** The output of JSON.stringify without the closing brace. */
const stringified = (value: object): string => JSON.stringify(value).slice(0, -1)

describe('encodeCore', () => {
  it('equals the JSON.stringify output of the book byte for byte', () => {
    fc.assert(
      fc.property(anyLevels, anyLevels, anyTimestamp, (bids, asks, timestamp) => {
        const book = bookOf(bids, asks)
        const expected = stringified({ bids: objects(book, BID), asks: objects(book, ASK), timestamp })
        expect(encodeCore(book, timestamp).toString()).toBe(expected)
      }),
      { numRuns: 3_000 },
    )
  })

  it('prints every price of the finest grid as JSON does', () => {
    const book = createBook(100)
    for (let micros = 0; micros <= 1_000_000; micros += 100) book.set(ASK, micros, 1)
    const expected = stringified({ bids: [], asks: objects(book, ASK), timestamp: 5 })
    expect(encodeCore(book, 5).toString()).toBe(expected)
  })

  it('returns bytes that the next call does not change', () => {
    const book = bookOf([[400_000, 1]], [[600_000, 2]])
    const first = encodeCore(book, 1)
    const copy = first.toString()
    book.set(BID, 410_000, 9)
    encodeCore(book, 2)
    expect(first.toString()).toBe(copy)
  })

  it('reads back as numbers', () => {
    expect(decodeCore(encodeCore(bookOf([[415_000, 2.5]], []), 7))).toEqual({
      bids: [{ price: 0.415, size: 2.5 }],
      asks: [],
      timestamp: 7,
    })
    expect(decodeCore(emptyCore(3))).toEqual({ bids: [], asks: [], timestamp: 3 })
  })
})

describe('complementCore', () => {
  it('is the exact book of the other side, best first', () => {
    fc.assert(
      fc.property(anyLevels, anyLevels, anyTimestamp, (bids, asks, timestamp) => {
        const book = bookOf(bids, asks)
        const other = createBook(10_000)
        for (const { priceMicros, size } of book.levels(BID)) other.set(ASK, 1_000_000 - priceMicros, size)
        for (const { priceMicros, size } of book.levels(ASK)) other.set(BID, 1_000_000 - priceMicros, size)
        const core = encodeCore(book, timestamp)
        const complement = complementCore(core)
        expect(complement.toString()).toBe(encodeCore(other, timestamp).toString())
        expect(complementCore(complement).equals(core)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('rejects bytes that are not a core', () => {
    for (const text of [
      '',
      '{}',
      '{"bids":[],"asks":[]',
      '{"bids":[{"price":2,"size":1}],"asks":[],"timestamp":1',
      '{"bids":[{"price":',
    ])
      expect(() => complementCore(Buffer.from(text))).toThrow('internal error')
  })
})

describe('limitCore', () => {
  it('keeps the best levels of each side and everything after them', () => {
    fc.assert(
      fc.property(anyLevels, anyLevels, fc.nat(45), (bids, asks, levels) => {
        const book = bookOf(bids, asks)
        const expected = stringified({
          bids: objects(book, BID, levels),
          asks: objects(book, ASK, levels),
          timestamp: 9,
        })
        expect(limitCore(encodeCore(book, 9), levels).toString()).toBe(expected)
      }),
    )
  })
})
