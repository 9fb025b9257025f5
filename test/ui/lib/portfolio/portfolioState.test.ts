import { describe, expect, it } from 'vitest'
import type { PortfolioPosition, VenueTotals } from '#schemas/portfolio'
import type { PortfolioData } from '#schemas/stream'
import {
  applyPortfolio,
  emptyPortfolio,
  type PortfolioState,
  sourceOf,
} from '../../../../ui/lib/portfolio/portfolioState.ts'

type Snapshot = Extract<PortfolioData, { kind: 'snapshot' }>
type Change = Extract<PortfolioData, { kind: 'change' }>

const asOf = '2026-11-30T10:00:00.000Z'
const position = (outcomeId: string, quantity = '1') =>
  ({ venue: 'kalshi', marketId: 'M', outcomeId, quantity }) as PortfolioPosition
const totals = (venue: string, cashFlow = '0') => ({ venue, currency: 'USD', cashFlow }) as VenueTotals

const snapshot = (seq: number, positions: PortfolioPosition[], more: Partial<Snapshot> = {}): Snapshot => ({
  ...{ kind: 'snapshot', reason: 'subscribed', seq, asOf, unavailable: [], positions, summary: [totals('kalshi')] },
  ...{ truncated: false, part: { i: 1, n: 1 } },
  ...more,
})
const change = (seq: number, more: Partial<Change>): Change => ({
  ...{ kind: 'change', seq, asOf, unavailable: [], positions: [], removed: [], summary: [], removedSummary: [] },
  ...more,
})
const stateAfter = (...frames: PortfolioData[]): PortfolioState => frames.reduce(applyPortfolio, emptyPortfolio)
const held = ({ positions }: PortfolioState): string[] =>
  [...positions.values()].map(({ outcomeId, quantity }) => `${outcomeId} ${quantity}`)

describe('the portfolio from the stream', () => {
  it('is complete when all parts of its snapshot have arrived', () => {
    const first = snapshot(1, [position('A')], { part: { i: 1, n: 2 } })
    const second = snapshot(1, [position('B')], { part: { i: 2, n: 2 }, summary: [] })
    expect(stateAfter(first)).toMatchObject({ seq: null, asOf: null, missed: false })
    const state = stateAfter(first, second)
    expect(state).toMatchObject({ seq: 1, asOf, missed: false, closed: 0 })
    expect(held(state)).toEqual(['A 1', 'B 1'])
    expect([...state.summary.values()]).toEqual([totals('kalshi')])
  })

  it('takes changed, new and removed rows from a change', () => {
    const state = stateAfter(
      snapshot(1, [position('A'), position('B')], { summary: [totals('kalshi'), totals('polymarket')] }),
      change(2, {
        unavailable: ['catalog'],
        positions: [position('B', '3'), position('C')],
        removed: [position('A')],
        summary: [totals('kalshi', '-4')],
        removedSummary: [{ venue: 'polymarket', currency: 'USD' }],
      }),
    )
    expect(held(state)).toEqual(['B 3', 'C 1'])
    expect([...state.summary.values()]).toEqual([totals('kalshi', '-4')])
    expect(state).toMatchObject({ seq: 2, unavailable: ['catalog'], closed: 1 })
  })

  it('is replaced by a later snapshot, and counts what was closed in between', () => {
    const state = stateAfter(
      snapshot(1, [position('A'), position('B')]),
      snapshot(7, [position('B')], { reason: 'behind' }),
    )
    expect(held(state)).toEqual(['B 1'])
    expect(state).toMatchObject({ seq: 7, closed: 1 })
  })

  it.each([
    ['a change is missing', [snapshot(1, [position('A')]), change(3, {})]],
    ['a change comes before any snapshot', [change(1, {})]],
    ['a part is missing', [snapshot(1, [], { part: { i: 1, n: 3 } }), snapshot(1, [], { part: { i: 3, n: 3 } })]],
  ])('needs a new snapshot when %s, and keeps its rows until then', (_, frames) => {
    const state = stateAfter(...frames)
    expect(state).toMatchObject({ seq: null, missed: true })
    expect(held(state)).toEqual(held(stateAfter(...frames.slice(0, 1))))
    expect(applyPortfolio(state, snapshot(1, []))).toMatchObject({ seq: 1, missed: false })
  })

  it('is read over HTTP while the stream is lost, and when it has too many positions', () => {
    const complete = stateAfter(snapshot(1, []))
    expect(sourceOf(emptyPortfolio, null)).toBe('waiting')
    expect(sourceOf(complete, null)).toBe('stream')
    expect(sourceOf({ ...complete, seq: null }, 'lost')).toBe('read')
    expect(sourceOf({ ...complete, truncated: true }, null)).toBe('read')
  })
})
