import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ASK, BID, createBook } from '#core/books/book'
import { ASK as contractAsk, BID as contractBid } from '#venues/venue'
import { anyMicros, anySide, badMicros, badSize, decimal, OracleBook } from './oracle.ts'

const anyTick = fc.constantFrom(null, 10_000, 1_000, 100, 5_000, 2_500, 1, 100_000)

const anyOperation = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      op: fc.constant('set' as const),
      side: anySide,
      micros: anyMicros,
      hundredths: fc.nat(1_000_000),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('set' as const),
      side: anySide,
      micros: anyMicros,
      hundredths: fc.constant(0),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('add' as const),
      side: anySide,
      micros: anyMicros,
      hundredths: fc.integer({ min: -50_000, max: 100_000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('clear' as const),
      side: anySide,
      micros: anyMicros,
      hundredths: fc.constant(0),
    }),
  },
)

describe('a book equals the slow reference', () => {
  it('after every operation, on every grid and across refinements of the grid', () => {
    fc.assert(
      fc.property(anyTick, fc.array(anyOperation, { maxLength: 120 }), (tickMicros, operations) => {
        const book = createBook(tickMicros)
        const oracle = new OracleBook()
        for (const { op, side, micros, hundredths } of operations) {
          const size = decimal(hundredths)
          if (op === 'clear') {
            book.clear()
            oracle.clear()
          } else if (op === 'add') {
            expect(book.add(side, micros, size.value)).toBe(Number(oracle.add(side, micros, size)) / 1e9)
          } else {
            expect(book.set(side, micros, size.value)).toBe(true)
            oracle.set(side, micros, size)
          }
          expect([book.bestBidMicros(), book.bestAskMicros()]).toEqual([oracle.best(BID), oracle.best(ASK)])
          expect([book.bestSize(BID), book.bestSize(ASK)]).toEqual([oracle.size(BID), oracle.size(ASK)])
        }
        for (const side of [BID, ASK] as const) {
          const levels = oracle.levels(side)
          expect(book.levels(side)).toEqual(levels)
          expect(book.levels(side, 3)).toEqual(levels.slice(0, 3))
          expect(book.count(side)).toBe(levels.length)
          for (const level of levels) expect(book.sizeAt(side, level.priceMicros)).toBe(level.size)
        }
      }),
      { numRuns: 1_500 },
    )
  })

  it('keeps every level when a price lies between the ticks, from whole cents down to single micros', () => {
    const book = createBook(10_000)
    const steps: [price: number, tick: number][] = [
      [410_000, 10_000],
      [411_000, 1_000],
      [411_100, 100],
      [411_101, 1],
    ]
    for (const [price, tick] of steps) {
      expect(book.set(BID, price, 5)).toBe(true)
      expect(book.set(ASK, price + 500_000, 7)).toBe(true)
      expect(book.tickMicros).toBe(tick)
    }
    expect(book.levels(BID).map((level) => level.priceMicros)).toEqual([411_101, 411_100, 411_000, 410_000])
    expect(book.levels(ASK).map((level) => level.priceMicros)).toEqual([910_000, 911_000, 911_100, 911_101])
  })

  it('returns to its original grid when it is cleared', () => {
    const book = createBook(1_000)
    book.set(BID, 411_101, 5)
    book.clear()
    expect(book.tickMicros).toBe(1_000)
    expect(book.count(BID)).toBe(0)
  })
})

describe('malformed writes', () => {
  it('are rejected with false or NaN and change nothing', () => {
    fc.assert(
      fc.property(
        anyTick,
        anySide,
        fc.oneof(fc.tuple(badMicros, fc.double()), fc.tuple(anyMicros, badSize)),
        (tick, side, [micros, size]) => {
          const book = createBook(tick)
          book.set(BID, 400_000, 1)
          book.set(ASK, 600_000, 2)
          expect(book.set(side, micros, size)).toBe(false)
          if (!Number.isFinite(size) || !(micros >= 0 && micros <= 1_000_000 && Number.isInteger(micros)))
            expect(book.add(side, micros, size)).toBeNaN()
          expect(book.sizeAt(side, NaN)).toBe(0)
          expect([book.levels(BID), book.levels(ASK)]).toEqual([
            [{ priceMicros: 400_000, size: 1 }],
            [{ priceMicros: 600_000, size: 2 }],
          ])
        },
      ),
    )
  })

  it('0 and 1 are prices, and a removal never refines the grid', () => {
    const book = createBook(10_000)
    expect([
      book.set(BID, 0, 3),
      book.set(ASK, 1_000_000, 4),
      book.set(BID, 123_456, 0),
      book.set(BID, 123_456, 1e-9),
    ]).toEqual([true, true, true, true])
    expect([book.bestBidMicros(), book.bestAskMicros(), book.tickMicros]).toEqual([0, 1_000_000, 10_000])
  })
})

describe('sums', () => {
  it('have the decimals of the venue, however many deltas they contain', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 99_999_999 }), { minLength: 1, maxLength: 300 }), (hundredths) => {
        const book = createBook(10_000)
        let total = 0n
        for (const part of hundredths) {
          total += BigInt(part)
          book.add(BID, 500_000, part / 100)
        }
        expect(book.bestSize(BID)).toBe(Number(total) / 100)
        for (const part of hundredths) book.add(BID, 500_000, -part / 100)
        expect(book.count(BID)).toBe(0)
      }),
    )
  })

  it('below zero are returned as they are and leave no level', () => {
    const book = createBook(10_000)
    book.set(BID, 500_000, 1)
    expect(book.add(BID, 500_000, -1.5)).toBe(-0.5)
    expect(book.bestBidMicros()).toBeNull()
  })
})

it('the side numbers equal those of the venue contract', () => {
  expect([BID, ASK]).toEqual([contractBid, contractAsk])
})
