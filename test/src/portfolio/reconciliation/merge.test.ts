import { expect, it } from 'vitest'
import { mergeHoldings } from '#portfolio/reconciliation/merge'
import type { Holdings } from '#venues/holdings'

const held = (quantity: string, averageCost: string | null, more: Partial<Holdings> = {}): Holdings => ({
  positions: [{ marketId: 'M', outcomeId: 'yes', quantity, averageCost }],
  isComplete: true,
  balances: [{ currency: 'USDC', total: '5', available: null }],
  asOf: 2,
  ...more,
})

it('adds positions at their average cost, and balances where all are known', () => {
  expect(mergeHoldings([held('10', '0.3'), held('30', '0.5', { asOf: 1 })])).toEqual({
    positions: [{ marketId: 'M', outcomeId: 'yes', quantity: '40', averageCost: '0.45' }],
    isComplete: true,
    balances: [{ currency: 'USDC', total: '10', available: null }],
    asOf: 1,
  })
})

it('has no cost if one of them is unknown, and is complete only if all are', () => {
  const merged = mergeHoldings([held('1', '0.3'), held('1', null, { isComplete: false })])
  expect([merged.positions[0]!.averageCost, merged.isComplete]).toEqual([null, false])
  expect(mergeHoldings([held('1', '0.3'), held('-1', '0.3')]).positions[0]).toMatchObject({
    quantity: '0',
    averageCost: null,
  })
})

it('has recent fills only if all accounts report theirs', () => {
  const fills = [{ outcomeId: 'yes', isBuy: true, size: '1', at: 1 }]
  expect(
    mergeHoldings([held('1', null, { recentFills: fills }), held('1', null, { recentFills: fills })]).recentFills,
  ).toHaveLength(2)
  expect(mergeHoldings([held('1', null, { recentFills: fills }), held('1', null)])).not.toHaveProperty('recentFills')
})
