import { describe, expect, it } from 'vitest'
import { foldLedger } from '#portfolio/ledger/fold'
import { balanceIn, buy, foldOne, imported, positionIn, redemption, sell, settlement, transfer } from './entries.ts'

describe('a purchase without a known price', () => {
  it('makes the cost unknown until the position is flat', () => {
    const entries = [buy(1, '10', null), buy(2, '10', '5'), sell(3, '20', '12'), buy(4, '2', '1')]
    const bought = foldOne(entries, 2)
    expect(bought.position).toMatchObject({
      quantity: '20',
      costBasis: null,
      averageCost: null,
      costBasisFifo: null,
      realizedPnl: '0',
      realizedPnlFifo: '0',
    })
    expect(bought.balance).toMatchObject({ cash: null, realizedPnl: '0', isPartial: true })
    expect(foldOne(entries, 3).position).toMatchObject({ quantity: '0', costBasis: '0', realizedPnl: null })
    const again = foldOne(entries)
    expect(again.position).toMatchObject({
      costBasis: '1',
      averageCost: '0.5',
      costBasisFifo: '1',
      realizedPnl: null,
      realizedPnlFifo: null,
    })
    expect(again.balance).toMatchObject({ cash: null, realizedPnl: null })
  })

  it('leaves the PnL of earlier sales, and first in, first out that of older shares', () => {
    const entries = [buy(1, '10', '4'), sell(2, '5', '3'), buy(3, '10', null), sell(4, '5', '4'), sell(5, '1', '1')]
    expect(foldOne(entries, 3).position).toMatchObject({ realizedPnl: '1', realizedPnlFifo: '1' })
    expect(foldOne(entries, 4).position).toMatchObject({ realizedPnl: null, realizedPnlFifo: '3' })
    expect(foldOne(entries, 5).position).toMatchObject({ realizedPnl: null, realizedPnlFifo: null })
  })

  it('leaves the cost of younger shares, first in, first out', () => {
    const { position } = foldOne([buy(1, '10', null), buy(2, '10', '5'), sell(3, '10', '6')])
    expect(position).toMatchObject({
      costBasis: null,
      costBasisFifo: '5',
      realizedPnl: null,
      realizedPnlFifo: null,
    })
  })

  it('makes the PnL unknown at the settlement, and not the payout', () => {
    const { position } = foldOne([buy(1, '10', null), settlement(2, '1'), redemption(3, { size: '4' })])
    expect(position).toMatchObject({
      quantity: '6',
      costBasis: '6',
      costBasisFifo: '6',
      realizedPnl: null,
      settlement: { unclaimed: '6', paid: '4' },
    })
  })

  it('that was imported leaves the cash known', () => {
    const { position, balance } = foldOne([imported(1, '10', null), transfer(2, '3')])
    expect(position).toMatchObject({ quantity: '10', costBasis: null, fees: '0' })
    expect(balance).toEqual({
      venue: 'alpha',
      currency: 'USDC',
      cash: '3',
      deposits: '3',
      fees: '0',
      realizedPnl: '0',
      isPartial: true,
    })
  })

  it('affects no other outcome', () => {
    const ledger = foldLedger([
      buy(1, '10', null),
      buy(2, '10', '4', { outcomeId: 'no' }),
      sell(3, '5', '3', { outcomeId: 'no' }),
    ])
    expect(positionIn(ledger, 'no')).toMatchObject({ costBasis: '2', realizedPnl: '1' })
    expect(balanceIn(ledger)).toMatchObject({ cash: null, realizedPnl: '1' })
  })
})

it('does not know the PnL of a sale without known proceeds, but the cost of the rest', () => {
  const { position, balance } = foldOne([buy(1, '10', '4'), sell(2, '5', null), sell(3, '1', '1')])
  expect(position).toMatchObject({
    quantity: '4',
    costBasis: '1.6',
    costBasisFifo: '1.6',
    realizedPnl: null,
    realizedPnlFifo: null,
  })
  expect(balance).toMatchObject({ cash: null, realizedPnl: null, isPartial: true })
})

it('does not know the cost of a short position without known proceeds', () => {
  const { position } = foldOne([buy(1, '10', '4'), sell(2, '15', null)])
  expect(position).toMatchObject({ quantity: '-5', costBasis: null, costBasisFifo: null, realizedPnl: null })
})

describe('an unknown fee', () => {
  it('in cash makes the fees unknown; the cost is before it', () => {
    const { position, balance } = foldOne([buy(1, '10', '4', { fee: '0.1' }), buy(2, '10', '6', { fee: null })])
    expect(position).toMatchObject({ costBasis: '10.1', fees: null })
    expect(balance).toMatchObject({ cash: '-10.1', fees: '0.1', isPartial: true })
  })

  it('in shares leaves the size of the fill', () => {
    const { position, balance } = foldOne([buy(1, '10', '4', { fee: null, feeIn: 'outcome' })])
    expect(position).toMatchObject({ quantity: '10', costBasis: '4', fees: null })
    expect(balance).toMatchObject({ fees: '0', isPartial: true })
  })

  it('of a redemption makes the fees of its outcomes unknown', () => {
    const { position, balance } = foldOne([buy(1, '10', '4'), settlement(2, '1'), redemption(3, { fee: null })])
    expect(position).toMatchObject({ quantity: '0', realizedPnl: '6', fees: null })
    expect(balance).toMatchObject({ cash: '6', isPartial: true })
  })
})

describe('an amount in another currency than the position', () => {
  const ledger = foldLedger([buy(1, '10', '4'), buy(2, '10', '6', { currency: 'USDT' })])

  it('is not converted: the quantity is known, the cost is not', () => {
    expect(positionIn(ledger)).toMatchObject({ currency: 'USDC', quantity: '20', costBasis: null, fees: null })
  })

  it('moves the cash of its own currency, of which the PnL is unknown', () => {
    expect(balanceIn(ledger, 'USDC')).toMatchObject({ cash: '-4', realizedPnl: '0', isPartial: false })
    expect(balanceIn(ledger, 'USDT')).toMatchObject({ cash: '-6', realizedPnl: null, isPartial: true })
  })

  it('does not change the currency in which the venue pays', () => {
    const paid = foldLedger([
      buy(1, '10', '4', { currency: null }),
      settlement(2, '1', { currency: 'USDT', paysItself: true }),
    ])
    expect(paid.positions).toMatchObject([{ currency: null, realizedPnl: '6' }])
    expect(paid.cash).toMatchObject([{ currency: null, cash: '6' }])
  })
})
