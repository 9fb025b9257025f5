import { describe, expect, it } from 'vitest'
import type { PortfolioPosition } from '#schemas/portfolio'
import { headerNotes } from '../../../../ui/lib/portfolio/tableText.ts'
import {
  markWhy,
  missingLines,
  profitWhy,
  totalWhy,
  unknownLines,
} from '../../../../ui/lib/portfolio/unknownAmounts.ts'

const nothing = { mid: null, bid: null, last: null }
const position = (more: Partial<PortfolioPosition> = {}) =>
  ({
    ...{ venue: 'kalshi', quantity: '5', settlement: null, marketStatus: 'active', marks: nothing },
    ...{ value: { ...nothing, settlement: null }, unrealizedPnl: nothing },
    ...more,
  }) as PortfolioPosition
const settlement = { value: '1', unclaimed: '5', paid: '0', at: null, timeSource: null }

describe('a mark that is unknown', () => {
  it.each([
    ['mid', position(), [], 'no live book, or a side of it is empty'],
    ['bid', position(), ['books:kalshi'], 'the book at kalshi is not live'],
    ['bid', position({ marks: { ...nothing, mid: '0.5' } }), [], 'the book is too thin for the whole quantity'],
    ['last', position(), ['books:kalshi'], 'no last price is known'],
    ['last', position({ marketStatus: null }), ['catalog'], 'the catalog does not answer'],
    ['mid', position({ marketStatus: 'resolved' }), [], 'the market is resolved and its payout is not known'],
    ['mid', position({ settlement }), [], 'the market is resolved: see its payout'],
    ['mid', position({ quantity: '0' }), [], 'the position is closed'],
  ] as const)('has its reason: %s of %o without %o', (mark, of, unavailable, why) => {
    expect(markWhy(of, mark, unavailable)).toBe(why)
  })

  it('is not the reason for an unknown profit if the value is known', () => {
    const priced = position({ value: { ...nothing, mid: '2', settlement: null } })
    expect(profitWhy(priced, 'mid', [])).toBe('the cost is not known')
    expect(profitWhy(priced, 'last', [])).toBe('no last price is known')
  })
})

describe('totals', () => {
  const unknown = [
    { field: 'value.mid', reason: 'no_live_book', count: 2 },
    { field: 'unrealizedPnl.mid', reason: 'no_live_book', count: 2 },
    { field: 'unrealizedPnl.mid', reason: 'cost_unknown', count: 1 },
    { field: 'deposits', reason: 'cost_not_entered', count: 1 },
  ] as const

  it('have one line for each reason, with what it concerns', () => {
    expect(unknownLines([...unknown])).toEqual([
      'no live book, or a side of it is empty (2): value at mid, unrealised PnL at mid',
      'the cost is not known (1): unrealised PnL at mid',
      'imported without a cost (1): deposits',
    ])
  })

  it('have the reasons of one amount', () => {
    expect(totalWhy([...unknown], 'unrealizedPnl.mid')).toBe(
      'no live book, or a side of it is empty (2); the cost is not known (1)',
    )
    expect(totalWhy([...unknown], 'fees')).toBeNull()
  })
})

describe('what figures lack', () => {
  const lines = [
    'Some books at kalshi are not live.',
    '1 order is reported as filled beyond the fills that are stored; that part is not included.',
    '2 stored fills are unreadable, and not included.',
    '1 completed split, merge or conversion is unreadable, and not included.',
  ]
  const gapsOf = (unexplained: number, unreadable: number, exchanges: number) => ({
    unexplained: { total: unexplained, orders: [] },
    unreadable: { total: unreadable, fills: [] },
    exchanges: { total: exchanges, executions: [] },
  })
  const headersOf = (unexplained: number, unreadable: number, exchanges: number) => ({
    'x-unexplained-orders': String(unexplained),
    'x-unreadable-fills': String(unreadable),
    'x-unreadable-exchanges': String(exchanges),
  })

  it('is the same in words for an answer and for the headers of a file', () => {
    expect(missingLines(['books:kalshi'], gapsOf(1, 2, 1))).toEqual(lines)
    const headers = new Headers({ 'x-unavailable': 'books:kalshi', ...headersOf(1, 2, 1) })
    expect(headerNotes(headers)).toEqual(lines)
  })

  it('is nothing if everything is there', () => {
    expect(missingLines([], gapsOf(0, 0, 0))).toEqual([])
    expect(headerNotes(new Headers(headersOf(0, 0, 0)))).toEqual([])
  })
})
