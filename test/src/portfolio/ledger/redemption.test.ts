import { describe, expect, it } from 'vitest'
import { foldLedger } from '#portfolio/ledger/fold'
import { balanceIn, buy, foldOne, positionIn, redemption, sell, settlement } from './entries.ts'

const settled = [buy(1, '10', '4'), settlement(2, '1')]

describe('of one outcome', () => {
  it('is paid for a part of the shares', () => {
    const { position, balance } = foldOne([...settled, redemption(3, { size: '4' })])
    expect(position).toMatchObject({
      quantity: '6',
      costBasis: '6',
      realizedPnl: '6',
      realizedPnlFifo: '6',
      sold: '0',
      settlement: { value: '1', unclaimed: '6', paid: '4' },
      updatedAt: 3,
    })
    expect(balance).toMatchObject({ cash: '0', realizedPnl: '6' })
  })

  it('is paid for all shares', () => {
    const { position, balance } = foldOne([...settled, redemption(3, { size: '4' }), redemption(4)])
    expect(position).toMatchObject({
      quantity: '0',
      costBasis: '0',
      realizedPnl: '6',
      settlement: { unclaimed: '0', paid: '10' },
      openedAt: null,
    })
    expect(balance).toMatchObject({ cash: '6', realizedPnl: '6' })
  })

  it('has its fee and a payout other than the value in the PnL', () => {
    const { position, balance } = foldOne([...settled, redemption(3, { cash: '9.8', fee: '0.3' })])
    expect(position).toMatchObject({ quantity: '0', realizedPnl: '5.5', fees: '0.3', settlement: { paid: '9.8' } })
    expect(balance).toMatchObject({ cash: '5.5', fees: '0.3', realizedPnl: '5.5', isPartial: false })
  })

  it('realises its cash before the settlement is known, which counts for the rest', () => {
    const entries = [buy(1, '10', '4'), redemption(2, { size: '4', cash: '4' }), settlement(3, '1')]
    expect(foldOne(entries, 2).position).toMatchObject({
      quantity: '6',
      costBasis: '2.4',
      realizedPnl: '2.4',
      settlement: null,
    })
    expect(foldOne(entries).position).toMatchObject({
      quantity: '6',
      costBasis: '6',
      realizedPnl: '6',
      settlement: { value: '1', unclaimed: '6', paid: '4' },
    })
  })

  it('without cash has an unknown payout until a settlement follows', () => {
    const entries = [buy(1, '10', '4'), redemption(2), settlement(3, '0.5')]
    const before = foldOne(entries, 2)
    expect(before.position).toMatchObject({ quantity: '0', realizedPnl: null, realizedPnlFifo: null, settlement: null })
    expect(before.balance).toMatchObject({ cash: null, realizedPnl: null, isPartial: true })
    const after = foldOne(entries)
    expect(after.position).toMatchObject({ quantity: '0', realizedPnl: '1', settlement: { value: '0.5', paid: '5' } })
    expect(after.balance).toMatchObject({ cash: '1', realizedPnl: '1', isPartial: false })
  })

  it('before two settlements is paid by the first', () => {
    const entries = [buy(1, '10', '4'), redemption(2, { size: '4' }), settlement(3, '1'), settlement(4, '0.5')]
    expect(foldOne(entries).position).toMatchObject({
      realizedPnl: '3',
      settlement: { value: '0.5', unclaimed: '6', paid: '4' },
    })
  })

  it('of more than is held waits for a purchase that is reported later', () => {
    const entries = [...settled, redemption(3, { size: '12' }), buy(4, '2', '0.5')]
    expect(foldOne(entries, 3).position).toMatchObject({
      quantity: '-2',
      costBasis: '-2',
      realizedPnl: '6',
      settlement: { unclaimed: '-2', paid: '12' },
    })
    const { position, balance } = foldOne(entries)
    expect(position).toMatchObject({ quantity: '0', realizedPnl: '7.5', settlement: { unclaimed: '0', paid: '12' } })
    expect(balance).toMatchObject({ cash: '7.5', realizedPnl: '7.5' })
  })

  it('of shares that the venue has paid changes nothing', () => {
    const paid = [buy(1, '10', '4'), settlement(2, '1', { paysItself: true })]
    const { position, balance } = foldOne([...paid, redemption(3, { size: '10', cash: '10' }), redemption(4)])
    expect(position).toMatchObject({ quantity: '0', realizedPnl: '6', settlement: { unclaimed: '0', paid: '10' } })
    expect(balance).toMatchObject({ cash: '6', realizedPnl: '6', isPartial: false })
  })

  it('without shares leaves its cash without a position', () => {
    const { position, balance } = foldOne([...settled, redemption(3), redemption(4, { cash: '2' })])
    expect(position).toMatchObject({ quantity: '0', realizedPnl: '6', settlement: { paid: '10' } })
    expect(balance).toMatchObject({ cash: '8', realizedPnl: null, isPartial: true })
  })
})

describe('of all outcomes of a market', () => {
  const all = { outcomeId: null }
  const held = [buy(1, '10', '4'), buy(1, '5', '3', { id: 'no', outcomeId: 'no' })]
  const values = (yes: string, no: string) => [settlement(2, yes), settlement(2, no, { outcomeId: 'no' })]

  it('is paid at the value of each', () => {
    const ledger = foldLedger([...held, ...values('1', '0'), redemption(3, { ...all, fee: '0.2' })])
    expect(positionIn(ledger, 'yes')).toMatchObject({
      quantity: '0',
      realizedPnl: '5.8',
      fees: '0.2',
      settlement: { unclaimed: '0', paid: '10' },
    })
    expect(positionIn(ledger, 'no')).toMatchObject({
      quantity: '0',
      realizedPnl: '-3',
      fees: '0',
      settlement: { unclaimed: '0', paid: '0' },
    })
    expect(balanceIn(ledger)).toMatchObject({ cash: '2.8', fees: '0.2', realizedPnl: '2.8' })
  })

  it('has its cash and fee divided in proportion to the payouts', () => {
    const given = redemption(3, { ...all, cash: '8', fee: '0.3' })
    const ledger = foldLedger([...held, ...values('0.75', '0.5'), given])
    // Payouts of 7.5 and 2.5, of which 8 is paid: 6 and 2.
    expect(positionIn(ledger, 'yes')).toMatchObject({ realizedPnl: '1.775', fees: '0.225', settlement: { paid: '6' } })
    expect(positionIn(ledger, 'no')).toMatchObject({ realizedPnl: '-1.075', fees: '0.075', settlement: { paid: '2' } })
    expect(balanceIn(ledger)).toMatchObject({ cash: '0.7', realizedPnl: '0.7', isPartial: false })
  })

  it('gives what rounding leaves to the first outcome with a payout', () => {
    const ledger = foldLedger([
      buy(1, '1', '0', { id: 'b1', outcomeId: 'a' }),
      buy(1, '1', '0', { id: 'b2', outcomeId: 'b' }),
      buy(1, '2', '0', { id: 'b3', outcomeId: 'c' }),
      settlement(2, '0', { outcomeId: 'a' }),
      settlement(2, '0.5', { outcomeId: 'b' }),
      settlement(2, '0.5', { outcomeId: 'c' }),
      redemption(3, { ...all, cash: '1' }),
    ])
    expect(['a', 'b', 'c'].map((outcomeId) => positionIn(ledger, outcomeId).settlement?.paid)).toEqual([
      '0',
      '0.333333333333333334',
      '0.666666666666666666',
    ])
  })

  it('with a size redeems so many of each, at most what is held', () => {
    const ledger = foldLedger([...held, ...values('1', '0'), redemption(3, { ...all, size: '8' })])
    expect(positionIn(ledger, 'yes')).toMatchObject({ quantity: '2', settlement: { unclaimed: '2', paid: '8' } })
    expect(positionIn(ledger, 'no')).toMatchObject({ quantity: '0', settlement: { unclaimed: '0', paid: '0' } })
  })

  it('does not attribute its cash to an outcome while a value is unknown', () => {
    const ledger = foldLedger([...held, redemption(3, { ...all, cash: '10' })])
    expect(positionIn(ledger, 'yes')).toMatchObject({ quantity: '0', realizedPnl: null, settlement: null })
    expect(positionIn(ledger, 'no')).toMatchObject({ quantity: '0', realizedPnl: null, settlement: null })
    expect(balanceIn(ledger)).toMatchObject({ cash: '3', realizedPnl: null })
  })

  it('attributes its cash to the only outcome that is held, and leaves a short position open', () => {
    const ledger = foldLedger([
      buy(1, '10', '4'),
      sell(1, '5', '3', { outcomeId: 'no' }),
      redemption(2, { ...all, cash: '10' }),
    ])
    expect(positionIn(ledger, 'yes')).toMatchObject({ quantity: '0', realizedPnl: '6' })
    expect(positionIn(ledger, 'no')).toMatchObject({ quantity: '-5', realizedPnl: '0' })
    expect(balanceIn(ledger)).toMatchObject({ cash: '9', realizedPnl: '6', isPartial: false })
  })

  it('leaves a fee and an unknown number of shares without a position when none is held', () => {
    const { positions, cash } = foldLedger([redemption(1, { ...all, size: '3', fee: '0.1' })])
    expect(positions).toEqual([])
    expect(cash).toMatchObject([{ cash: null, fees: '0.1', realizedPnl: null, isPartial: true }])
  })

  it('is nothing when none is held and nothing was paid', () => {
    const { cash } = foldLedger([redemption(1, all)])
    expect(cash).toMatchObject([{ cash: '0', realizedPnl: '0', isPartial: false }])
  })
})
