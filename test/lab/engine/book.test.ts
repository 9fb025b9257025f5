import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ASK, BID, LabBook } from '#lab/engine/book'
import { type GridName, grids } from '#lab/engine/grid'

describe('the lab book', () => {
  test('equals a plain map after any sequence of level changes, including the best levels', () => {
    const change = fc.record({
      side: fc.constantFrom(BID, ASK),
      at: fc.nat(2000),
      size: fc.integer({ min: 0, max: 5 }),
    })
    fc.assert(
      fc.property(
        fc.constantFrom<GridName>('cent', 'milli', 'tapered'),
        fc.array(change, { maxLength: 200 }),
        (name, changes) => {
          const book = new LabBook(grids[name])
          const oracle = [new Map<number, number>(), new Map<number, number>()] as const
          for (const { side, at, size } of changes) {
            const index = at % book.grid.prices.length
            book.set(side, index, size * 100)
            if (size === 0) oracle[side].delete(book.grid.prices[index]!)
            else oracle[side].set(book.grid.prices[index]!, size)
          }
          expect(book.levels(BID)).toEqual([...oracle[BID]].sort((a, b) => b[0] - a[0]))
          expect(book.levels(ASK)).toEqual([...oracle[ASK]].sort((a, b) => a[0] - b[0]))
          expect(book.bestBidMicros()).toBe(oracle[BID].size === 0 ? null : Math.max(...oracle[BID].keys()))
          expect(book.bestAskMicros()).toBe(oracle[ASK].size === 0 ? null : Math.min(...oracle[ASK].keys()))
        },
      ),
    )
  })

  test('a finer grid keeps every level, a coarser one drops those between its steps', () => {
    const book = new LabBook(grids.cent)
    book.set(BID, grids.cent.indexOf(400_000), 700)
    book.regrid(grids.milli)
    book.set(BID, grids.milli.indexOf(401_000), 300)
    expect(book.levels(BID)).toEqual([
      [401_000, 3],
      [400_000, 7],
    ])
    book.regrid(grids.cent)
    expect(book.levels(BID)).toEqual([[400_000, 7]])
  })

  test('the tapered grid has thousandths at the edges and cents between them', () => {
    const { prices } = grids.tapered
    expect(prices.filter((price) => price < 100_000)).toHaveLength(99)
    expect(prices.filter((price) => price >= 100_000 && price < 900_000)).toHaveLength(80)
    expect(prices.filter((price) => price >= 900_000)).toHaveLength(100)
    expect(grids.tapered.indexOf(105_000)).toBe(-1)
  })
})
