import { describe, expect, it } from 'vitest'
import { edgeLine, lasts } from '../../../ui/lib/intervals.ts'
import { ladderOf } from '../../../ui/lib/ladder.ts'
import { mergeBooks } from '../../../ui/lib/mergedBook.ts'

describe('a merged book', () => {
  const merged = mergeBooks([
    { id: 'kalshi', bids: [{ price: 0.4, size: 10 }], asks: [{ price: 0.44, size: 5 }] },
    {
      id: 'polymarket',
      bids: [
        { price: 0.45, size: 1 },
        { price: 0.4, size: 20 },
      ],
      asks: [{ price: 1 - 0.56, size: 7 }],
    },
  ])

  it('combines the levels of one price, best first, each with its venues, the largest first', () => {
    expect(merged.bids).toEqual([
      { price: 0.45, size: 1, venues: [{ id: 'polymarket', size: 1 }] },
      {
        price: 0.4,
        size: 30,
        venues: [
          { id: 'polymarket', size: 20 },
          { id: 'kalshi', size: 10 },
        ],
      },
    ])
    expect(merged.asks).toEqual([
      {
        price: 0.44,
        size: 12,
        venues: [
          { id: 'polymarket', size: 7 },
          { id: 'kalshi', size: 5 },
        ],
      },
    ])
  })

  it('may be crossed, and reports by how much', () => {
    expect(ladderOf(merged, 2)).toMatchObject({ spread: -0.01, asks: [{ depth: 12, venues: [{}, {}] }, null] })
    expect(mergeBooks([])).toEqual({ bids: [], asks: [] })
  })
})

describe('the edge over time', () => {
  it('is the best of the intervals that touch a step, and null where it could not be bought', () => {
    const stretch = (firstSeen: number, lastSeen: number, bestEdge: number) => ({
      firstSeen,
      lastSeen,
      bestEdge,
      ended: true,
    })
    const line = edgeLine(
      [stretch(15, 25, 3), stretch(22, 24, 5), stretch(-90, -80, 9)],
      { sinceMs: 0, untilMs: 40 },
      4,
    )
    expect(line).toEqual([
      { at: 0, value: null },
      { at: 10, value: 3 },
      { at: 20, value: 5 },
      { at: 30, value: null },
    ])
  })
})

it('an interval counts while it is repeated: one left open by a dead process does not', () => {
  const stretch = { firstSeen: 0, lastSeen: 600_000, bestEdge: 1, ended: false }
  expect(lasts(stretch, 660_000)).toBe(true)
  expect(lasts(stretch, 900_000)).toBe(false)
  expect(lasts({ ...stretch, ended: true }, 600_000)).toBe(false)
})
