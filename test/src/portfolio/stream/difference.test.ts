import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AccountPortfolio } from '#portfolio/ports'
import { changesBetween, isShownOtherwise } from '#portfolio/stream/difference'
import { changeFrames, snapshotFrames } from '#portfolio/stream/frames'
import { rowsOf } from '#portfolio/stream/rows'
import { positionsMax, stateOf } from '#portfolio/stream/state'
import type { PortfolioPosition, VenueTotals } from '#schemas/portfolio'
import { PortfolioFrame } from '#schemas/streamFrames'
import { portfolioOf, position } from './support.ts'

const stateOfPortfolio = (portfolio: AccountPortfolio) => stateOf(rowsOf(portfolio))
const between = (before: AccountPortfolio, after: AccountPortfolio) =>
  changesBetween(stateOfPortfolio(before), stateOfPortfolio(after))

describe('the change between two states', () => {
  it('is none when only the time has passed', () => {
    const before = portfolioOf([position('a', '1')])
    expect(between(before, { ...before, asOf: before.asOf + 30_000 })).toBeNull()
  })

  it('has new and changed positions completely, those that closed by key, and changed totals', () => {
    const before = portfolioOf([position('a', '1'), position('b', '2'), position('c', '3')])
    const after = portfolioOf([position('a', '1'), position('b', '5'), position('c', '0'), position('d', '4')])
    const change = between(before, after)!
    expect(change.positions.map(({ outcomeId, quantity }) => `${outcomeId} ${quantity}`)).toEqual(['b 5', 'd 4'])
    expect(change.removed).toEqual([{ venue: 'kalshi', marketId: 'm', outcomeId: 'c' }])
    expect(change.summary).toMatchObject([{ venue: 'kalshi', currency: 'USD', positions: { open: 3, closed: 1 } }])
    expect(change.removedSummary).toEqual([])
  })

  it('has a position with another mark', () => {
    const marked = (mid: string) =>
      portfolioOf([position('a', '2', { marks: { mid, bid: null, last: null } }), position('b', '1')])
    expect(between(marked('0.4'), marked('0.5'))!.positions).toMatchObject([{ outcomeId: 'a', marks: { mid: '0.5' } }])
  })

  it('names totals that no entry belongs to any more', () => {
    expect(between(portfolioOf([position('a', '1')]), portfolioOf([]))).toMatchObject({
      removed: [{ outcomeId: 'a' }],
      removedSummary: [{ venue: 'kalshi', currency: 'USD' }],
    })
  })

  it('says when a source stops answering, even if no row differs', () => {
    const before = portfolioOf([])
    expect(between(before, { ...before, unavailable: ['catalog'] })).toMatchObject({ unavailable: ['catalog'] })
  })

  it('keeps a settled position until its payout is collected', () => {
    const settled = (unclaimed: string) =>
      portfolioOf([position('a', unclaimed, { settlement: { value: '1', unclaimed, paid: '0' } })])
    expect(between(portfolioOf([position('a', '2')]), settled('2'))!.removed).toEqual([])
    expect(between(settled('2'), settled('0'))!.removed).toMatchObject([{ outcomeId: 'a' }])
  })

  it('leads from the one state to the other', () => {
    const outcome = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const held = fc.uniqueArray(fc.tuple(outcome, fc.constantFrom('0', '1', '2')), { selector: ([id]) => id })
    const portfolio = held.map((rows) => portfolioOf(rows.map(([id, quantity]) => position(id, quantity))))
    fc.assert(
      fc.property(portfolio, portfolio, (before, after) => {
        const change = between(before, after)
        const keyOf = ({ outcomeId }: Pick<PortfolioPosition, 'outcomeId'>) => outcomeId
        const totalsKey = ({ venue, currency }: Pick<VenueTotals, 'venue' | 'currency'>) => `${venue} ${currency}`
        const shown = rowsOf(before)
        const positions = new Map(shown.positions.map((row) => [keyOf(row), row]))
        const summary = new Map(shown.summary.map((row) => [totalsKey(row), row]))
        for (const row of change?.removed ?? []) positions.delete(keyOf(row))
        for (const row of change?.positions ?? []) positions.set(keyOf(row), row)
        for (const row of change?.removedSummary ?? []) summary.delete(totalsKey(row))
        for (const row of change?.summary ?? []) summary.set(totalsKey(row), row)
        const wanted = rowsOf(after)
        expect(positions).toEqual(new Map(wanted.positions.map((row) => [keyOf(row), row])))
        expect(summary).toEqual(new Map(wanted.summary.map((row) => [totalsKey(row), row])))
      }),
    )
  })
})

it('is no change but other positions only where a held one is left out, or none is any more', () => {
  const of = (from: number, count: number) =>
    portfolioOf(Array.from({ length: count }, (_, i) => position(`o${from + i}`, '1', { updatedAt: from + i })))
  const isOther = (before: AccountPortfolio, after: AccountPortfolio) =>
    isShownOtherwise(stateOfPortfolio(before), stateOfPortfolio(after))
  const full = of(0, positionsMax + 5)
  expect(isOther(full, { ...full, asOf: full.asOf + 1 })).toBe(false)
  // The five that were left out are closed but one.
  expect(isOther(full, of(4, positionsMax + 1))).toBe(false)
  expect(isOther(full, of(5, positionsMax))).toBe(true)
  expect(isOther(full, of(0, positionsMax + 6))).toBe(true)
  expect(isOther(of(0, 3), of(1, 5))).toBe(false)
})

describe('frames', () => {
  const parsed = (frame: Buffer) => PortfolioFrame.parse(JSON.parse(String(frame))).data
  const many = (count: number) =>
    portfolioOf(Array.from({ length: count }, (_, i) => position(`o${i}`, '1', { updatedAt: i })))

  it('of a snapshot share a number, and have the totals once', () => {
    const frames = snapshotFrames(stateOfPortfolio(many(201)), { reason: 'subscribed', ts: 5 })
    const parts = frames.map((frame) => parsed(frame(7)))
    expect(parts.map((data) => data.kind === 'snapshot' && [data.seq, data.part, data.summary.length])).toEqual([
      [7, { i: 1, n: 3 }, 1],
      [7, { i: 2, n: 3 }, 0],
      [7, { i: 3, n: 3 }, 0],
    ])
    expect(new Set(parts.flatMap(({ positions }) => positions.map(({ outcomeId }) => outcomeId))).size).toBe(201)
    expect(parts[0]!.positions[0]!.outcomeId).toBe('o200')
  })

  it('of an empty portfolio are one', () => {
    const frames = snapshotFrames(stateOfPortfolio(portfolioOf([])), { reason: 'behind', ts: 5 })
    expect(frames.map((frame) => parsed(frame(1)))).toMatchObject([
      { kind: 'snapshot', reason: 'behind', positions: [], summary: [], truncated: false, part: { i: 1, n: 1 } },
    ])
  })

  it('leave out the positions changed longest ago, and say so', () => {
    const state = stateOfPortfolio(many(positionsMax + 1))
    const parts = snapshotFrames(state, { reason: 'subscribed', ts: 5 }).map((frame) => parsed(frame(1)))
    expect(parts.every((data) => data.kind === 'snapshot' && data.truncated)).toBe(true)
    const shown = parts.flatMap(({ positions }) => positions.map(({ outcomeId }) => outcomeId))
    expect([shown.length, shown.includes('o0'), shown.includes('o1')]).toEqual([positionsMax, false, true])
  })

  it('of a large change are several, and only the first removes anything', () => {
    const change = between(portfolioOf([position('gone', '1')]), many(150))!
    const frames = changeFrames(change, 5).map((frame, i) => parsed(frame(i + 1)))
    expect(frames.map((data) => data.kind === 'change' && [data.positions.length, data.removed.length])).toEqual([
      [100, 1],
      [50, 0],
    ])
  })
})
