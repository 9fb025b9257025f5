import { expect, it } from 'vitest'
import { foldLedger } from '#portfolio/ledger/fold'
import { balanceIn, buy, conversion, positionIn, sell, settlement } from './entries.ts'

const no = (marketId: string, at: number, size: string, cash: string) =>
  buy(at, size, cash, { id: `${marketId} ${at}`, marketId, outcomeId: 'no' })

it('moves the cost of the shares given, less the cash, to those received, and earns nothing', () => {
  const ledger = foldLedger([
    no('m1', 1, '10', '9'),
    no('m2', 1, '10', '8'),
    conversion(2, ['10', ['m1', 'm2']], ['10', ['m3', 'm4']], '10'),
  ])
  for (const marketId of ['m1', 'm2']) {
    expect(positionIn(ledger, 'no', marketId)).toMatchObject({
      quantity: '0',
      costBasis: '0',
      realizedPnl: '0',
      sold: '10',
    })
  }
  for (const marketId of ['m3', 'm4']) {
    expect(positionIn(ledger, 'yes', marketId)).toMatchObject({
      quantity: '10',
      costBasis: '3.5',
      costBasisFifo: '3.5',
      averageCost: '0.35',
      realizedPnl: '0',
      bought: '10',
      openedAt: 2,
    })
  }
  expect(balanceIn(ledger)).toMatchObject({ cash: '-7', realizedPnl: '0', fees: '0', isPartial: false })
})

it('of a part of the shares takes their average cost', () => {
  const ledger = foldLedger([
    no('m1', 1, '10', '9'),
    no('m1', 2, '10', '5'),
    conversion(3, ['5', ['m1']], ['4.9', ['m3']], '0'),
  ])
  expect(positionIn(ledger, 'no')).toMatchObject({
    quantity: '15',
    costBasis: '10.5',
    realizedPnl: '0',
    // Its five oldest shares cost 4.5, and left for the average of 3.5.
    costBasisFifo: '9.5',
    realizedPnlFifo: '-1',
  })
  expect(positionIn(ledger, 'yes', 'm3')).toMatchObject({ quantity: '4.9', costBasis: '3.5' })
})

it('realises cash beyond the cost, and all of it when every outcome is given', () => {
  const cheap = [no('m1', 1, '10', '1'), no('m2', 1, '10', '2')]
  const beyond = foldLedger([...cheap, conversion(2, ['10', ['m1', 'm2']], ['10', ['m3']], '10')])
  expect(positionIn(beyond, 'yes', 'm3')).toMatchObject({ quantity: '10', costBasis: '0' })
  expect(balanceIn(beyond)).toMatchObject({ cash: '7', realizedPnl: '7' })
  const all = foldLedger([...cheap, conversion(2, ['10', ['m1', 'm2']], ['0', []], '10')])
  expect(balanceIn(all)).toMatchObject({ cash: '7', realizedPnl: '7' })
  const dear = [no('m1', 1, '10', '9'), no('m2', 1, '10', '9')]
  expect(balanceIn(foldLedger([...dear, conversion(2, ['10', ['m1', 'm2']], ['0', []], '10')]))).toMatchObject({
    ...{ cash: '-8', realizedPnl: '-8' },
  })
})

it('has an unknown cost where that of what is given is unknown', () => {
  const ledger = foldLedger([
    buy(1, '10', null, { outcomeId: 'no' }),
    conversion(2, ['10', ['m1']], ['10', ['m3']], '0'),
  ])
  expect(positionIn(ledger, 'yes', 'm3')).toMatchObject({ quantity: '10', costBasis: null, costBasisFifo: null })
  expect(positionIn(ledger, 'no').realizedPnl).toBeNull()
})

it('gives shares that are not held for nothing, until their purchase is reported', () => {
  const entries = [no('m1', 2, '4', '3'), conversion(3, ['10', ['m1']], ['10', ['m3']], '0')]
  const before = foldLedger(entries)
  expect(positionIn(before, 'no')).toMatchObject({ quantity: '-6', costBasis: '0', realizedPnl: '0' })
  expect(positionIn(before, 'yes', 'm3')).toMatchObject({ quantity: '10', costBasis: '3' })
  const after = foldLedger([...entries, no('m1', 1, '6', '6')])
  expect(positionIn(after, 'no')).toMatchObject({ quantity: '0', realizedPnl: '0' })
  expect(positionIn(after, 'yes', 'm3')).toMatchObject({ quantity: '10', costBasis: '9' })
})

it('is paid by the settlement of what it brought', () => {
  const ledger = foldLedger([
    no('m1', 1, '10', '9'),
    conversion(2, ['10', ['m1']], ['10', ['m3']], '0'),
    sell(3, '4', '3', { marketId: 'm3' }),
    settlement(4, '1', { marketId: 'm3', paysItself: true }),
  ])
  expect(positionIn(ledger, 'yes', 'm3')).toMatchObject({ quantity: '0', realizedPnl: '0', sold: '4' })
  expect(balanceIn(ledger)).toMatchObject({ cash: '0', realizedPnl: '0' })
})

it('refuses a conversion that gives nothing', () => {
  expect(() => foldLedger([conversion(1, ['1', []], ['1', ['m3']], '0')])).toThrow(RangeError)
})
