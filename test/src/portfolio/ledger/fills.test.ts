import { describe, expect, it } from 'vitest'
import { foldLedger } from '#portfolio/ledger/fold'
import { buy, foldOne, imported, sell, transfer } from './entries.ts'

describe('purchases and sales', () => {
  it('are counted at average cost and first in, first out, fees included', () => {
    const { position, balance } = foldOne([
      buy(1, '10', '4', { fee: '0.1' }),
      buy(2, '10', '6'),
      sell(3, '5', '3', { fee: '0.05' }),
    ])
    // Average: 10.10 / 20 × 5 = 2.525. First in, first out: 4.10 / 10 × 5 = 2.05. Received: 2.95.
    expect(position).toEqual({
      venue: 'alpha',
      marketId: 'm1',
      outcomeId: 'yes',
      currency: 'USDC',
      quantity: '15',
      costBasis: '7.575',
      averageCost: '0.505',
      costBasisFifo: '8.05',
      realizedPnl: '0.425',
      realizedPnlFifo: '0.9',
      fees: '0.15',
      bought: '20',
      sold: '5',
      settlement: null,
      openedAt: 1,
      updatedAt: 3,
    })
    expect(balance).toEqual({
      venue: 'alpha',
      currency: 'USDC',
      cash: '-7.15',
      deposits: '0',
      fees: '0.15',
      realizedPnl: '0.425',
      isPartial: false,
    })
  })

  it('take shares from several lots, the last of them in part', () => {
    const { position } = foldOne([buy(1, '4', '1'), buy(2, '4', '2'), buy(3, '4', '3'), sell(4, '6', '6')])
    // 1 + 2 × 2/4 = 2, and 6/12 of 6 at average cost.
    expect(position).toMatchObject({ realizedPnlFifo: '4', costBasisFifo: '4', realizedPnl: '3', costBasis: '3' })
  })

  it('leave the rest of a division with the open shares', () => {
    const entries = [buy(1, '3', '1'), sell(2, '1', '0.4'), sell(3, '1', '0.4'), sell(4, '1', '0.4')]
    const positionAt = (until: number) => foldOne(entries, until).position
    for (const [cost, pnl] of [['costBasis', 'realizedPnl'] as const, ['costBasisFifo', 'realizedPnlFifo'] as const]) {
      expect([2, 3, 4].map((until) => positionAt(until)[cost])).toEqual([
        '0.666666666666666667',
        '0.333333333333333334',
        '0',
      ])
      expect(positionAt(2)[pnl]).toBe('0.066666666666666667')
      expect(positionAt(4)[pnl]).toBe('0.2')
    }
  })

  it('close a position, which keeps its PnL, and open it again', () => {
    const entries = [buy(1, '10', '4'), sell(2, '10', '5'), buy(3, '2', '1')]
    expect(foldOne(entries, 2).position).toMatchObject({
      quantity: '0',
      costBasis: '0',
      averageCost: null,
      costBasisFifo: '0',
      realizedPnl: '1',
      openedAt: null,
      updatedAt: 2,
    })
    expect(foldOne(entries).position).toMatchObject({ quantity: '2', costBasis: '1', realizedPnl: '1', openedAt: 3 })
  })

  it.each([
    ['0.000000001', '2', '0'],
    ['0.000000003', '2', '0.000000002'],
    ['0.000000005', '2', '0.000000002'],
    ['0.0000000050001', '2', '0.000000003'],
    ['2', '3', '0.666666667'],
  ])('round the average cost half even: %s for %s shares is %s', (cash, size, averageCost) => {
    expect(foldOne([buy(1, size, cash)]).position.averageCost).toBe(averageCost)
    expect(foldOne([sell(1, size, cash)]).position.averageCost).toBe(averageCost)
  })

  it('of different outcomes, markets and venues are kept apart', () => {
    const ledger = foldLedger([
      buy(1, '1', '0.5', { venue: 'beta' }),
      buy(2, '2', '0.5', { marketId: 'm2' }),
      buy(3, '3', '0.5', { outcomeId: 'no' }),
      buy(4, '4', '0.5'),
    ])
    expect(
      ledger.positions.map(({ venue, marketId, outcomeId, quantity }) => [venue, marketId, outcomeId, quantity]),
    ).toEqual([
      ['alpha', 'm1', 'no', '3'],
      ['alpha', 'm1', 'yes', '4'],
      ['alpha', 'm2', 'yes', '2'],
      ['beta', 'm1', 'yes', '1'],
    ])
    expect(ledger.cash.map(({ venue, cash }) => [venue, cash])).toEqual([
      ['alpha', '-1.5'],
      ['beta', '-0.5'],
    ])
  })

  it('with more than 18 places are refused', () => {
    expect(() => foldLedger([buy(1, '1', '0.1234567890123456789')])).toThrow(RangeError)
  })
})

describe('fees', () => {
  it('in cash may be a rebate', () => {
    const { position, balance } = foldOne([buy(1, '10', '5', { fee: '-0.1' })])
    expect(position).toMatchObject({ costBasis: '4.9', fees: '-0.1' })
    expect(balance).toMatchObject({ cash: '-4.9', fees: '-0.1' })
  })

  it('in shares reduce what is received, and not the cash', () => {
    const { position, balance } = foldOne([buy(1, '10', '5', { fee: '0.2', feeIn: 'outcome' })])
    expect(position).toMatchObject({ quantity: '9.8', bought: '9.8', costBasis: '5', fees: '0' })
    expect(position.averageCost).toBe('0.510204082')
    expect(balance).toMatchObject({ cash: '-5', fees: '0', isPartial: false })
  })

  it('in shares leave with the shares that are sold', () => {
    const { position, balance } = foldOne([
      buy(1, '10', '5', { fee: '0.2', feeIn: 'outcome' }),
      sell(2, '4', '3', { fee: '0.1', feeIn: 'outcome' }),
    ])
    // 5 / 9.8 × 4.1 = 2.0918367346938775510…
    expect(position).toMatchObject({
      quantity: '5.7',
      sold: '4.1',
      costBasis: '2.908163265306122449',
      realizedPnl: '0.908163265306122449',
    })
    expect(balance.cash).toBe('-2')
  })

  it('in shares may take all that was bought', () => {
    const { position, balance } = foldOne([buy(1, '1', '0.5', { fee: '1', feeIn: 'outcome' })])
    expect(position).toMatchObject({
      quantity: '0',
      costBasis: '0',
      realizedPnl: '-0.5',
      realizedPnlFifo: '-0.5',
      openedAt: null,
    })
    expect(balance).toMatchObject({ cash: '-0.5', realizedPnl: '-0.5' })
  })
})

describe('short positions', () => {
  const entries = [sell(1, '10', '6', { fee: '0.1' }), buy(2, '4', '2'), buy(3, '10', '5')]

  it('have their proceeds as a cost below zero', () => {
    expect(foldOne(entries, 1).position).toMatchObject({
      quantity: '-10',
      costBasis: '-5.9',
      costBasisFifo: '-5.9',
      averageCost: '0.59',
      realizedPnl: '0',
    })
    // 5.9 / 10 × 4 = 2.36 was received for what costs 2.
    expect(foldOne(entries, 2).position).toMatchObject({
      quantity: '-6',
      costBasis: '-3.54',
      realizedPnl: '0.36',
      realizedPnlFifo: '0.36',
      openedAt: 1,
    })
  })

  it('turn long with the part of a purchase that exceeds them', () => {
    // Six of ten shares for 3 close the short: 3.54 - 3. Four shares for 2 are a new position.
    expect(foldOne(entries).position).toMatchObject({
      quantity: '4',
      costBasis: '2',
      costBasisFifo: '2',
      realizedPnl: '0.9',
      realizedPnlFifo: '0.9',
      openedAt: 3,
    })
  })

  it('follow from a sale of more than is held', () => {
    const { position } = foldOne([buy(1, '3', '1'), sell(2, '4', '2')])
    expect(position).toMatchObject({ quantity: '-1', costBasis: '-0.5', realizedPnl: '0.5', openedAt: 2 })
  })

  it('are bought back first in, first out', () => {
    const { position } = foldOne([sell(1, '2', '1'), sell(2, '2', '1.6'), buy(3, '3', '0.9')])
    // Received for the three oldest: 1 + 0.8, on average 3 × 0.65.
    expect(position).toMatchObject({
      quantity: '-1',
      realizedPnlFifo: '0.9',
      costBasisFifo: '-0.8',
      realizedPnl: '1.05',
      costBasis: '-0.65',
    })
  })
})

describe('deposits', () => {
  it('are transfers in both directions', () => {
    const { cash, positions } = foldLedger([transfer(1, '100'), transfer(2, '-30')])
    expect(positions).toEqual([])
    expect(cash).toMatchObject([{ cash: '70', deposits: '70', realizedPnl: '0', isPartial: false }])
  })

  it('are imports at their cost, which do not move cash', () => {
    const { position, balance } = foldOne([imported(1, '10', '4'), sell(2, '5', '3')])
    expect(position).toMatchObject({ quantity: '5', costBasis: '2', realizedPnl: '1', bought: '0', sold: '5' })
    expect(balance).toMatchObject({ cash: '3', deposits: '4', realizedPnl: '1', isPartial: false })
  })

  it('are imports of short positions, too', () => {
    const { position, balance } = foldOne([imported(1, '-10', '-6'), buy(2, '10', '4')])
    expect(position).toMatchObject({ quantity: '0', realizedPnl: '2' })
    expect(balance).toMatchObject({ cash: '-4', deposits: '-6', realizedPnl: '2' })
  })
})
