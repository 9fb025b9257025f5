import { expect, it } from 'vitest'
import { filledOrder } from '#test/support/filledOrder'
import { readFill } from '#venues/rain/exec/readFill'

const order = filledOrder({}, { bounds: { kind: 'limit', decimals: 6 } })
const log = { transactionHash: '0x1', logIndex: 1, blockNumber: 5 }
const executed = {
  event: 'ExecuteBuyOrder',
  ...log,
  orderId: '7',
  size: '30',
  baseAmount: '12',
  price: '0.4',
  maker: '0xaa',
  taker: '0xbb',
}
const entered = {
  event: 'EnterOption',
  ...log,
  size: '49.6',
  baseAmount: '20',
  price: null,
  maker: null,
  taker: '0xaa',
}

it('reads shares and what was paid for them, of a resting order and of an immediate trade', () => {
  expect(readFill(executed, order)).toEqual({ size: '30', cash: '12', fee: null, feeIn: 'cash' })
  expect(readFill(entered, order)).toEqual({ size: '49.6', cash: '20', fee: null, feeIn: 'cash' })
})

it('reads a sale alike', () => {
  const sale = { ...executed, event: 'ExecuteSellOrder' }
  const seller = filledOrder({ isBuy: false, outcomeSide: 'NO' }, { bounds: { decimals: 6 } })
  expect(readFill(sale, seller)).toEqual({ size: '30', cash: '12', fee: null, feeIn: 'cash' })
})

it('is null without a size, and when the decimals of the stored numbers are unknown', () => {
  expect(readFill({ ...executed, size: null }, order)).toBeNull()
  expect(readFill({ ...executed, size: '30000000', baseAmount: '12000000' }, filledOrder())).toBeNull()
  expect(readFill({ ...executed, baseAmount: null }, order)).toMatchObject({ size: '30', cash: null })
})
