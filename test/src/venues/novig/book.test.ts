import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalizeBook } from '#venues/novig/book'
import { NovigBooks } from '#venues/novig/wire'
import { idOf, order } from './rows.ts'

const [under, over] = [idOf(1, '3'), idOf(2, '3')]
const booksOf = (...sides: unknown[][]) =>
  NovigBooks.parse({
    id: idOf(1, '2'),
    outcomes: sides.map((orders, n) => ({ id: idOf(n + 1, '3'), last: 0.4, orders })),
  })
const read = (bookId: string, ...sides: unknown[][]) => normalizeBook(bookId, booksOf(...sides), 7)

describe('a book', () => {
  test('as the venue’s documents tell it: 45,000 bid at 0.36 for Under is 450 contracts offered at 0.64 of Over', () => {
    const bids = [order(0.36, 45_000)]
    expect(read(over, bids, [])).toMatchObject({
      bookId: over,
      bids: [],
      asks: [[640_000, 450]],
      eventTs: null,
      recvTs: 7,
    })
    expect(read(under, bids, [])).toMatchObject({ bids: [[360_000, 450]], asks: [], lastTradeMicros: 400_000 })
  })

  test('of a market of two has four sides: each outcome’s own bids, and the other’s from the other end', () => {
    const rows = [[order(0.44, 5_000)], [order('0.530', '2000')]]
    expect(read(under, ...rows)).toMatchObject({ bids: [[440_000, 50]], asks: [[470_000, 20]] })
    expect(read(over, ...rows)).toMatchObject({ bids: [[530_000, 20]], asks: [[560_000, 50]] })
  })

  test('sums the orders of one price, exactly', () => {
    const rows = [order(0.4, 10), order(0.4, 20), order(0.4, 459), order(0.399, 1)]
    expect(read(under, rows, [])?.bids).toEqual([
      [400_000, 4.89],
      [399_000, 0.01],
    ])
  })

  test('has no play money in it, and nothing that does not rest', () => {
    const rows = [order(0.9, 1_000, { currency: 'COIN' }), order(0.8, 1_000, { status: 'FILLED' }), order(0.4, 100)]
    expect(read(under, rows, [])?.bids).toEqual([[400_000, 1]])
  })

  test('nobody bids: an empty book; of three outcomes none has offers', () => {
    expect(read(under, [], [])).toMatchObject({ bids: [], asks: [] })
    expect(read(under, [order(0.4, 100)], [order(0.3, 100)], [])).toMatchObject({ bids: [[400_000, 1]], asks: [] })
  })

  test.each([order(1.2, 100), order(0, 100), order(0.4, -1), order(0.4, null as never), order(null as never, 100)])(
    'with an order that cannot be read (%j) is none, from either side',
    (bad) => {
      expect(read(under, [order(0.4, 100), bad], [])).toBeNull()
      expect(read(over, [order(0.4, 100), bad], [])).toBeNull()
    },
  )

  test('of another market’s outcome is not here', () => {
    expect(read(idOf(9, '3'), [], [])).toBeNull()
  })

  test('is the other outcome’s, mirrored, whatever rests', () => {
    const orders = fc.array(fc.tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 3_000_000 })))
    fc.assert(
      fc.property(orders, orders, (a, b) => {
        const rows = [a, b].map((side) => side.map(([milli, qty]) => order(milli / 1_000, qty)))
        const [one, two] = [read(under, ...rows)!, read(over, ...rows)!]
        const mirror = (levels: typeof one.bids) => levels.map(([micros, size]) => [1_000_000 - micros, size])
        expect(two.asks).toEqual(mirror(one.bids))
        expect(two.bids).toEqual(mirror(one.asks))
      }),
    )
  })
})
