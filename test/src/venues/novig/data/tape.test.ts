import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalizeBook } from '#venues/novig/data/tape'
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
  test('matches the venue’s documentation: 45,000 bid at 0.36 for Under is 450 contracts offered at 0.64 of Over', () => {
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

  test('of two outcomes has each outcome’s own bids, and the other outcome’s bids as asks', () => {
    const rows = [[order(0.44, 5_000)], [order('0.530', '2000')]]
    expect(read(under, ...rows)).toMatchObject({ bids: [[440_000, 50]], asks: [[470_000, 20]] })
    expect(read(over, ...rows)).toMatchObject({ bids: [[530_000, 20]], asks: [[560_000, 50]] })
  })

  test('sums the orders at one price exactly', () => {
    const rows = [order(0.4, 10), order(0.4, 20), order(0.4, 459), order(0.399, 1)]
    expect(read(under, rows, [])?.bids).toEqual([
      [400_000, 4.89],
      [399_000, 0.01],
    ])
  })

  test('excludes play money and orders that are not open', () => {
    const rows = [order(0.9, 1_000, { currency: 'COIN' }), order(0.8, 1_000, { status: 'FILLED' }), order(0.4, 100)]
    expect(read(under, rows, [])?.bids).toEqual([[400_000, 1]])
  })

  test('is empty without bids; with three outcomes there are no asks', () => {
    expect(read(under, [], [])).toMatchObject({ bids: [], asks: [] })
    expect(read(under, [order(0.4, 100)], [order(0.3, 100)], [])).toMatchObject({ bids: [[400_000, 1]], asks: [] })
  })

  test.each([order(1.2, 100), order(0, 100), order(0.4, -1), order(0.4, null as never), order(null as never, 100)])(
    'with an unreadable order (%j) is null, from either side',
    (bad) => {
      expect(read(under, [order(0.4, 100), bad], [])).toBeNull()
      expect(read(over, [order(0.4, 100), bad], [])).toBeNull()
    },
  )

  test('is null for an outcome of another market', () => {
    expect(read(idOf(9, '3'), [], [])).toBeNull()
  })

  test('is the mirror image of the other outcome’s book', () => {
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
