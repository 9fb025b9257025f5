import { expect, it } from 'vitest'
import { filledOrder } from '#test/support/filledOrder'
import { readFill } from '#venues/gemini/exec/readFill'

const row = {
  aggregate: true,
  orderId: '7',
  status: 'filled',
  symbol: 'GEMI-TESTEV26-AAA',
  side: 'buy',
  outcome: 'yes',
  orderType: 'limit',
  quantity: '10',
  filledQuantity: '10',
  remainingQuantity: '0',
  price: '0.20',
  avgExecutionPrice: '0.1950',
}
const read = { size: '10', cash: '1.95', fee: null, feeIn: 'cash', cumulative: true }

it.each([
  ['a purchase', row, filledOrder(), read],
  ['a sale', { ...row, side: 'sell' }, filledOrder({ isBuy: false }), read],
  ['NO, in dollars of its leg', { ...row, outcome: 'no' }, filledOrder({ outcomeSide: 'NO' }), read],
  [
    'a part',
    { ...row, status: 'cancelled', filledQuantity: '4', remainingQuantity: '6' },
    filledOrder(),
    { ...read, size: '4', cash: '0.78' },
  ],
  ['a filled order without a count', { ...row, filledQuantity: null }, filledOrder(), read],
])('reads the sum of %s at its average price', (_, fill, order, expected) => {
  expect(readFill(fill, order)).toEqual(expected)
})

it('has no amount without an average price, or with that of the other leg: the limit is not the price', () => {
  const unpriced = { ...read, cash: null }
  expect(readFill({ ...row, avgExecutionPrice: null }, filledOrder())).toEqual(unpriced)
  expect(readFill({ ...row, avgExecutionPrice: '0.0000' }, filledOrder())).toEqual(unpriced)
  expect(readFill(row, filledOrder({ outcomeSide: 'NO' }))).toEqual(unpriced)
})

it('is null without a size', () => {
  expect(readFill({ ...row, status: 'cancelled', filledQuantity: null }, filledOrder())).toBeNull()
  expect(readFill({ ...row, filledQuantity: '0' }, filledOrder())).toBeNull()
})
