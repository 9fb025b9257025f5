import { describe, expect, it } from 'vitest'
import { foldLedger } from '#portfolio/ledger/fold'
import { balanceIn, buy, foldOne, merge, positionIn, sell, settlement, split } from './entries.ts'

describe('a settlement that the venue pays', () => {
  it.each([
    ['1', '6', '10'],
    ['0', '-4', '0'],
    ['0.25', '-1.5', '2.5'],
  ])('at %s closes ten shares with a PnL of %s', (value, realizedPnl, paid) => {
    const { position, balance } = foldOne([buy(1, '10', '4'), settlement(2, value, { paysItself: true })])
    expect(position).toMatchObject({
      quantity: '0',
      costBasis: '0',
      costBasisFifo: '0',
      averageCost: null,
      realizedPnl,
      realizedPnlFifo: realizedPnl,
      sold: '0',
      settlement: { value, unclaimed: '0', paid },
      openedAt: null,
      updatedAt: 2,
    })
    expect(balance).toMatchObject({ cash: realizedPnl, realizedPnl })
  })

  it('charges a short position', () => {
    const { position, balance } = foldOne([sell(1, '10', '6'), settlement(2, '1', { paysItself: true })])
    expect(position).toMatchObject({ quantity: '0', realizedPnl: '-4', settlement: { unclaimed: '0', paid: '-10' } })
    expect(balance).toMatchObject({ cash: '-4', realizedPnl: '-4' })
  })

  it('counts for fills that are reported later', () => {
    const { position, balance } = foldOne([
      buy(1, '10', '4'),
      settlement(2, '1', { paysItself: true }),
      buy(3, '5', '2'),
      sell(4, '1', '0.9'),
    ])
    expect(position).toMatchObject({
      quantity: '0',
      bought: '15',
      sold: '1',
      realizedPnl: '8.9',
      settlement: { unclaimed: '0', paid: '14' },
      updatedAt: 4,
    })
    expect(balance).toMatchObject({ cash: '8.9', realizedPnl: '8.9' })
  })
})

describe('a settlement to be claimed', () => {
  it('realises the PnL and keeps the shares at their payout', () => {
    const { position, balance } = foldOne([buy(1, '10', '4'), buy(2, '10', '6'), settlement(3, '1')])
    expect(position).toMatchObject({
      quantity: '20',
      costBasis: '20',
      costBasisFifo: '20',
      averageCost: '1',
      realizedPnl: '10',
      realizedPnlFifo: '10',
      settlement: { value: '1', unclaimed: '20', paid: '0' },
      openedAt: 1,
      updatedAt: 3,
    })
    expect(balance).toMatchObject({ cash: '-10', realizedPnl: '10' })
  })

  it('realises the loss of shares without a payout', () => {
    const { position } = foldOne([buy(1, '10', '4'), settlement(2, '0')])
    expect(position).toMatchObject({
      quantity: '10',
      costBasis: '0',
      realizedPnl: '-4',
      settlement: { value: '0', unclaimed: '10', paid: '0' },
    })
  })

  it('counts for fills that are reported later', () => {
    const entries = [buy(1, '10', '4'), settlement(2, '1'), buy(3, '5', '2'), sell(4, '3', '2.7')]
    expect(foldOne(entries, 3).position).toMatchObject({
      quantity: '15',
      costBasis: '15',
      realizedPnl: '9',
      settlement: { unclaimed: '15' },
    })
    expect(foldOne(entries).position).toMatchObject({
      quantity: '12',
      costBasis: '12',
      realizedPnl: '8.7',
      realizedPnlFifo: '8.7',
    })
  })

  it('is replaced for open shares by a later one', () => {
    const { position } = foldOne([buy(1, '10', '4'), settlement(2, '1'), settlement(3, '0.5')])
    expect(position).toMatchObject({
      costBasis: '5',
      realizedPnl: '1',
      settlement: { value: '0.5', unclaimed: '10', paid: '0' },
    })
  })

  it('keeps a short position at the payout that it costs', () => {
    const { position } = foldOne([sell(1, '10', '6'), settlement(2, '1')])
    expect(position).toMatchObject({ quantity: '-10', costBasis: '-10', realizedPnl: '-4' })
    expect(position.settlement).toEqual({ value: '1', unclaimed: '-10', paid: '0' })
  })
})

it('has no position for a settlement without trades', () => {
  expect(foldLedger([settlement(1, '1')])).toEqual({ positions: [], cash: [] })
})

it('is not settled before the settlement', () => {
  expect(foldOne([buy(1, '10', '4'), settlement(2, '1')], 1).position.settlement).toBeNull()
})

it('settles the outcomes of sets one by one', () => {
  const ledger = foldLedger([
    split(1, '10'),
    sell(2, '10', '7', { outcomeId: 'no' }),
    settlement(3, '1', { paysItself: true }),
    settlement(3, '0', { outcomeId: 'no', paysItself: true }),
    merge(4, '1'),
  ])
  // A merge that is reported later sells one share of each, which settle at their values: 1 - 1 - 0.
  expect(positionIn(ledger, 'yes')).toMatchObject({ quantity: '0', realizedPnl: '4.5', settlement: { paid: '9' } })
  expect(positionIn(ledger, 'no')).toMatchObject({ quantity: '0', realizedPnl: '2.5', settlement: { paid: '0' } })
  expect(balanceIn(ledger)).toMatchObject({ cash: '7', realizedPnl: '7' })
})
