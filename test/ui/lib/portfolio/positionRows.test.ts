import { describe, expect, it } from 'vitest'
import type { PortfolioPosition } from '#schemas/portfolio'
import { shownPositions } from '../../../../ui/lib/portfolio/positionRows.ts'

const nothing = { mid: null, bid: null, last: null }
const resolved = (value: string, unclaimed: string): Partial<PortfolioPosition> => ({
  settlement: { value, unclaimed, paid: '0', at: null, timeSource: null },
  value: { ...nothing, settlement: value === '0' || unclaimed === '0' ? '0' : unclaimed },
})
const position = (outcomeId: string, quantity: string, more: Partial<PortfolioPosition> = {}) =>
  ({
    ...{ venue: 'kalshi', marketId: 'M', outcomeId, quantity, costBasis: '1', realizedPnl: '0', settlement: null },
    ...{ value: { ...nothing, settlement: null }, updatedAt: '2026-11-30T10:00:00.000Z' },
    ...more,
  }) as PortfolioPosition

const open = position('OPEN', '5')
const large = position('LARGE', '5', { costBasis: '-90' })
const unpriced = position('UNPRICED', '5', { costBasis: null })
const won = position('WON', '10', resolved('1', '10'))
const sold = position('SOLD', '0', { realizedPnl: '-2' })
const lost = position('LOST', '0', { ...resolved('0', '0'), realizedPnl: '-3' })
const worthless = position('WORTHLESS', '10', { ...resolved('0', '10'), realizedPnl: '-4' })
const unknownLoss = position('UNKNOWN', '0', { ...resolved('0', '0'), realizedPnl: null })
const all = [lost, open, worthless, won, sold, unpriced, large, unknownLoss]

const shown = (choice: Partial<Parameters<typeof shownPositions>[1]>) => {
  const { rows, hidden } = shownPositions(all, { status: 'all', venue: '', showsLost: false, ...choice })
  return { rows: rows.map(({ outcomeId }) => outcomeId), hidden }
}

describe('positions', () => {
  it('of resolved markets that lost are listed only when wanted; a loss by trading, or of unknown size, always is', () => {
    expect(shown({ status: 'closed' })).toEqual({ rows: ['SOLD', 'UNKNOWN'], hidden: 1 })
    expect(shown({ status: 'closed', showsLost: true })).toEqual({ rows: ['LOST', 'SOLD', 'UNKNOWN'], hidden: 0 })
    expect(shown({ showsLost: true }).rows).toHaveLength(all.length)
  })

  it('that are open have shares, or a payout to collect; the largest cost comes first and an unknown one last', () => {
    expect(shown({ status: 'open' })).toEqual({ rows: ['LARGE', 'OPEN', 'WON', 'UNPRICED'], hidden: 1 })
    expect(shown({}).rows.slice(0, 4)).toEqual(['LARGE', 'OPEN', 'WON', 'UNPRICED'])
  })

  it('are those of the chosen venue', () => {
    expect(shown({ venue: 'polymarket' })).toEqual({ rows: [], hidden: 0 })
  })

  it('that were read twice are listed once, as they were changed last', () => {
    const newer = position('OPEN', '0', { updatedAt: '2026-11-30T10:00:01.000Z' })
    const choice = { status: 'all', venue: '', showsLost: false } as const
    for (const rows of [
      [open, newer],
      [newer, open],
    ])
      expect(shownPositions(rows, choice).rows).toEqual([newer])
  })
})
