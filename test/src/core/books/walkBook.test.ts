import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ASK, BID, createBook } from '#core/books/book'
import { sweepBook, sweepPosted } from '#core/books/walkBook'

/** Sizes and amounts in whole hundredths, so that bigint rationals are exact. */
const anyLevels = fc.uniqueArray(
  fc.tuple(
    fc.integer({ min: 0, max: 1_000 }).map((ticks) => ticks * 1_000),
    fc.integer({ min: 1, max: 10_000_000 }),
  ),
  {
    selector: ([micros]) => micros,
    maxLength: 30,
  },
)
const anyAmount = fc.integer({ min: 1, max: 100_000_000 })

function exactSweep(levels: [micros: number, hundredths: number][], wanted: number) {
  let left = BigInt(wanted)
  let notional = 0n
  for (const [micros, hundredths] of levels) {
    const take = left < BigInt(hundredths) ? left : BigInt(hundredths)
    notional += BigInt(micros) * take
    left -= take
  }
  return { notional, filled: BigInt(wanted) - left, left }
}

/** |double − notional/filled| in micros, by bigint at 1e-12 micro steps. */
function errorMicros(price: number, notional: bigint, filled: bigint): number {
  const scale = 10n ** 12n
  const exact = (notional * scale) / filled
  const got = BigInt(Math.round(price * 1e6 * 1e6)) * (scale / 10n ** 6n)
  const difference = got > exact ? got - exact : exact - got
  return Number(difference) / 1e12
}

describe('a sweep', () => {
  it('equals exact rational arithmetic on either side of a book', () => {
    fc.assert(
      fc.property(anyLevels, anyAmount, fc.constantFrom(BID, ASK), (levels, wanted, side) => {
        const book = createBook(1_000)
        for (const [micros, hundredths] of levels) book.set(side, micros, hundredths / 100)
        const sorted = [...levels].sort(([a], [b]) => (side === ASK ? a - b : b - a))
        const exact = exactSweep(sorted, wanted)
        const swept = sweepBook(book, side, wanted / 100)
        expect(swept.fullyFilled).toBe(exact.left === 0n)
        if (exact.filled === 0n) {
          expect(swept).toEqual({ price: null, filledAmount: 0, fullyFilled: false })
          return
        }
        expect(swept.filledAmount).toBeCloseTo(Number(exact.filled) / 100, 6)
        expect(errorMicros(swept.price!, exact.notional, exact.filled)).toBeLessThan(1e-5)
      }),
      { numRuns: 2_000 },
    )
  })

  it('within one level has exactly the price of that level', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), anyAmount, (micros, wanted) => {
        const book = createBook(null)
        book.set(ASK, micros, wanted / 100)
        expect(sweepBook(book, ASK, wanted / 100)).toEqual({
          price: micros / 1_000_000,
          filledAmount: wanted / 100,
          fullyFilled: true,
        })
      }),
    )
  })

  it('of a posted book accepts levels in any order and skips malformed ones', () => {
    fc.assert(
      fc.property(
        anyLevels,
        anyAmount,
        fc.constantFrom('buy', 'sell'),
        fc.infiniteStream(fc.nat()),
        (levels, wanted, side, random) => {
          const junk: unknown[] = [
            null,
            7,
            'x',
            {},
            { price: 0.5 },
            { price: NaN, size: 1 },
            { price: 2, size: 1 },
            { price: 0.5, size: -1 },
            { price: '0.1', size: 1 },
            { price: 0.1, size: Infinity },
          ]
          const posted = [
            ...levels.map(([micros, hundredths]) => ({ price: micros / 1_000_000, size: hundredths / 100 })),
            ...junk,
          ]
            .map((level) => ({ level, at: random.next().value as number }))
            .sort((a, b) => a.at - b.at)
            .map(({ level }) => level)
          const book = createBook(1_000)
          const bookSide = side === 'buy' ? ASK : BID
          for (const [micros, hundredths] of levels) book.set(bookSide, micros, hundredths / 100)
          const expected = sweepBook(book, bookSide, wanted / 100)
          const swept = sweepPosted(side === 'buy' ? { asks: posted } : { bids: posted }, side, wanted / 100)
          expect([swept.filledAmount, swept.fullyFilled]).toEqual([expected.filledAmount, expected.fullyFilled])
          if (expected.price === null) expect(swept.price).toBeNull()
          else expect(swept.price).toBeCloseTo(expected.price, 12)
        },
      ),
    )
  })

  it('of a non-positive amount or an empty book fills nothing', () => {
    const book = createBook(10_000)
    book.set(ASK, 500_000, 1)
    for (const amount of [0, -1, NaN, Infinity]) expect(sweepBook(book, ASK, amount).price).toBeNull()
    for (const posted of [{}, { asks: 'no' }, { asks: [] }]) expect(sweepPosted(posted, 'buy', 1).price).toBeNull()
  })
})
