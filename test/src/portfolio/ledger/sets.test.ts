import { expect, it } from 'vitest'
import { foldLedger } from '#portfolio/ledger/fold'
import { balanceIn, buy, merge, positionIn, split } from './entries.ts'

it('divides the price of a split equally, and gives the rest to the first outcome', () => {
  const ledger = foldLedger([split(1, '1', ['c', 'a', 'b'])])
  expect(['c', 'a', 'b'].map((outcomeId) => positionIn(ledger, outcomeId).costBasis)).toEqual([
    '0.333333333333333334',
    '0.333333333333333333',
    '0.333333333333333333',
  ])
  expect(positionIn(ledger, 'a')).toMatchObject({ quantity: '1', bought: '1', fees: '0', openedAt: 1 })
  expect(balanceIn(ledger)).toMatchObject({ cash: '-1', deposits: '0', realizedPnl: '0', isPartial: false })
})

it('sells each outcome at its part of 1 in a merge', () => {
  const ledger = foldLedger([buy(1, '10', '3'), buy(1, '10', '6', { id: 'no', outcomeId: 'no' }), merge(2, '4')])
  // 4 sets for 4: each outcome receives 2, for a cost of 1.2 and 2.4.
  expect(positionIn(ledger, 'yes')).toMatchObject({ quantity: '6', costBasis: '1.8', realizedPnl: '0.8', sold: '4' })
  expect(positionIn(ledger, 'no')).toMatchObject({ quantity: '6', costBasis: '3.6', realizedPnl: '-0.4', sold: '4' })
  expect(balanceIn(ledger)).toMatchObject({ cash: '-5', realizedPnl: '0.4' })
})

it('earns nothing with a split that is merged', () => {
  const ledger = foldLedger([split(1, '7', ['a', 'b', 'c']), merge(2, '7', ['a', 'b', 'c'])])
  expect(ledger.positions.map(({ quantity, realizedPnl }) => [quantity, realizedPnl])).toEqual([
    ['0', '0'],
    ['0', '0'],
    ['0', '0'],
  ])
  expect(balanceIn(ledger)).toMatchObject({ cash: '0', realizedPnl: '0' })
})

it('refuses a set without outcomes', () => {
  expect(() => foldLedger([split(1, '1', [])])).toThrow(RangeError)
})
