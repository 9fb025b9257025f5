import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ASK, BID } from '#core/books/book'
import { DecodedBook } from '#core/books/decodedBook'
import { LiveBook } from '#core/books/liveBook'
import { sharedLevels } from '#core/books/shared/index'
import type { BookUpdate } from '#schemas/topics'
import type { BookSide } from '#venues/venue'
import { anyMicros } from './oracle.ts'

/** Of every length and magnitude, typical for venues or not. */
const anySize = fc.oneof(
  fc.integer({ min: 1, max: 2_000_000_000 }),
  fc.integer({ min: 1, max: 2_000_000_000 }).map((millionths) => millionths / 1e6),
  fc.maxSafeNat().map((parts) => (parts + 1) / 1e6),
  fc.double({ min: 1e-9, minExcluded: true, max: 1e300, noNaN: true }),
  fc.constantFrom(0.1 + 0.2, 1e21, 5e-7, 999_999_999.999999, 123_456_789_012_345, 0.000123456789012, 2 ** 53),
)
const anyLevels = fc.array(fc.tuple(anyMicros, anySize), { maxLength: 80 })

interface Depth {
  copyLevels(side: BookSide, max: number, prices: Int32Array, sizes: Float64Array): number
}

function levelsOf(book: Depth, side: BookSide, max = sharedLevels): [number, number][] {
  const prices = new Int32Array(sharedLevels)
  const sizes = new Float64Array(sharedLevels)
  const count = book.copyLevels(side, max, prices, sizes)
  return Array.from({ length: count }, (_, i) => [prices[i]!, sizes[i]!])
}

const liveBook = () => new LiveBook({ venue: 'kalshi', marketId: 'm', tickMicros: null, onDirty: () => undefined })

describe('a decoded book', () => {
  it('equals the live book of the update, to the last bit of every size', () => {
    const decoded = new DecodedBook()
    fc.assert(
      fc.property(anyLevels, fc.integer({ min: 1, max: 999_999 }), (levels, middle) => {
        const live = liveBook()
        live.beginSnapshot()
        for (const [micros, size] of levels) live.set(micros < middle ? BID : ASK, micros, size)
        live.commit(1_790_000_000_000, 1_790_000_000_005)
        live.lastTradeMicros = middle
        decoded.read(live.update(7))
        expect(levelsOf(decoded, BID)).toEqual(levelsOf(live, BID))
        expect(levelsOf(decoded, ASK)).toEqual(levelsOf(live, ASK))
        expect(levelsOf(decoded, ASK, 3)).toEqual(levelsOf(live, ASK, 3))
        const { state, recvTs, eventTs, seq, lastTradeMicros } = live
        expect(decoded).toMatchObject({ state, recvTs, eventTs, seq, lastTradeMicros })
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['cut off', '{"bids":[{"price":0.4,"size":1'],
    ['without asks', '{"bids":[{"price":0.4,"size":1}],"timestamp":7'],
    ['an invalid price', '{"bids":[{"price":x.4,"size":1}],"asks":[],"timestamp":7'],
    ['a price above one', '{"bids":[{"price":1.4,"size":1}],"asks":[],"timestamp":7'],
    ['a price finer than a millionth', '{"bids":[{"price":0.4000001,"size":1}],"asks":[],"timestamp":7'],
    ['a level of size zero', '{"bids":[{"price":0.4,"size":0}],"asks":[],"timestamp":7'],
    ['a negative size', '{"bids":[{"price":0.4,"size":-1}],"asks":[],"timestamp":7'],
    ['an invalid size', '{"bids":[{"price":0.4,"size":"1"}],"asks":[],"timestamp":7'],
    ['a size without digits', '{"bids":[{"price":0.4,"size":}],"asks":[],"timestamp":7'],
    ['bids that rise', '{"bids":[{"price":0.4,"size":1},{"price":0.5,"size":1}],"asks":[],"timestamp":7'],
    ['asks that fall', '{"bids":[],"asks":[{"price":0.5,"size":1},{"price":0.4,"size":1}],"timestamp":7'],
    ['a price twice', '{"bids":[],"asks":[{"price":0.5,"size":1},{"price":0.5,"size":1}],"timestamp":7'],
    ['crossed', '{"bids":[{"price":0.5,"size":1}],"asks":[{"price":0.5,"size":1}],"timestamp":7'],
  ])('is rejected: %s', (_, core) => {
    const update = { ...liveBook().update(1), state: 'live', core: Buffer.from(core) } as BookUpdate
    expect(() => new DecodedBook().read(update)).toThrow('internal error')
  })
})
