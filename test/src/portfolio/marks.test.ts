import { expect, it } from 'vitest'
import type { LedgerPosition } from '#portfolio/ledger/ledger'
import { markPosition } from '#portfolio/marks'
import type { BookAnswer } from '#portfolio/ports'
import { marketOf } from '#test/src/server/http/world'

const market = marketOf('kalshi', 'M', ['M', 'M-NO'])

const positionOf = (more: Partial<LedgerPosition> = {}): LedgerPosition => ({
  venue: 'kalshi',
  marketId: 'M',
  outcomeId: 'M',
  currency: 'USD',
  quantity: '10',
  costBasis: '4',
  averageCost: '0.4',
  costBasisFifo: '4',
  realizedPnl: '0',
  realizedPnlFifo: '0',
  fees: '0',
  bought: '10',
  sold: '0',
  settlement: null,
  openedAt: 1,
  updatedAt: 1,
  ...more,
})

const bookOf = (bids: [number, number][], asks: [number, number][], lastPrice: string | null = null): BookAnswer => {
  const level = ([price, size]: [number, number]) => ({ price, size })
  return { bids: bids.map(level), asks: asks.map(level), lastPrice }
}

it('sells the whole quantity into the best bids, whatever the order of the levels', () => {
  const book = bookOf(
    [
      [0.4, 6],
      [0.45, 4],
    ],
    [[0.5, 1]],
    '0.44',
  )
  expect(markPosition(positionOf(), market, book)).toMatchObject({
    marks: { mid: '0.475', bid: '0.42', last: '0.44' },
    value: { mid: '4.75', bid: '4.2', last: '4.4', settlement: null },
    unrealizedPnl: { mid: '0.75', bid: '0.2', last: '0.4' },
  })
})

it('has no executable price in a book that is too thin, and no middle in one with an empty side', () => {
  expect(markPosition(positionOf(), market, bookOf([[0.45, 9.99]], []))).toMatchObject({
    marks: { mid: null, bid: null, last: '0.42' },
    value: { mid: null, bid: null, last: '4.2' },
  })
})

it('buys a short position back from the asks', () => {
  const short = positionOf({ quantity: '-10', costBasis: '-6', sold: '10', bought: '0' })
  expect(
    markPosition(
      short,
      market,
      bookOf(
        [[0.4, 1]],
        [
          [0.6, 5],
          [0.5, 5],
        ],
      ),
    ),
  ).toMatchObject({
    marks: { mid: '0.45', bid: '0.55' },
    value: { mid: '-4.5', bid: '-5.5' },
    unrealizedPnl: { mid: '1.5', bid: '0.5' },
  })
})

it('never uses a book that is not live', () => {
  for (const book of ['none', 'silent'] as const) {
    expect(markPosition(positionOf(), market, book).marks).toEqual({ mid: null, bid: null, last: '0.42' })
  }
})

it('has no price for what is closed, resolved, or of the past, and none that is unknown', () => {
  const none = { mid: null, bid: null, last: null }
  const book = bookOf([[0.4, 100]], [[0.5, 100]], '0.45')
  expect(markPosition(positionOf({ quantity: '0' }), market, book).marks).toEqual(none)
  expect(markPosition(positionOf(), market, null).marks).toEqual(none)
  expect(markPosition(positionOf(), null, 'none').marks).toEqual(none)
  const settlement = { value: '0.5', unclaimed: '10', paid: '0' }
  expect(markPosition(positionOf({ settlement }), market, book)).toMatchObject({
    marks: none,
    value: { ...none, settlement: '5' },
  })
})

it('has no unrealized PnL without a known cost', () => {
  const marked = markPosition(positionOf({ costBasis: null }), market, bookOf([[0.4, 10]], [[0.5, 1]]))
  expect(marked.value.bid).toBe('4')
  expect(marked.unrealizedPnl.bid).toBeNull()
})
