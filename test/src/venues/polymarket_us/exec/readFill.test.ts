import { expect, it } from 'vitest'
import { filledOrder } from '#test/support/filledOrder'
import { readFill } from '#venues/polymarket_us/exec/readFill'

const usd = (value: string) => ({ value, currency: 'USD' })
const row = {
  aggregate: true,
  id: 'oid-1',
  marketSlug: 'demo-a',
  side: 'ORDER_SIDE_BUY',
  intent: 'ORDER_INTENT_BUY_SHORT',
  price: usd('0.1700'),
  quantity: '3',
  cumQuantity: '3',
  leavesQuantity: '0',
  state: 'ORDER_STATE_FILLED',
  avgPx: usd('0.1650'),
  commissionNotionalTotalCollected: usd('0.0300'),
}
const read = { size: '3', cash: '0.495', fee: '0.03', feeIn: 'cash', cumulative: true }

it.each([
  ['long', filledOrder(), '0.495'],
  ['a sale of long', filledOrder({ isBuy: false }), '0.495'],
  ['short', filledOrder({ outcomeSide: 'NO' }), '2.505'],
  ['a sale of short', filledOrder({ outcomeSide: 'NO', isBuy: false }), '2.505'],
])('reads the sum of %s from the average price of the long side', (_, order, cash) => {
  expect(readFill(row, order)).toEqual({ ...read, cash })
})

it('reads a part, and a rebate below zero', () => {
  const part = {
    ...row,
    state: 'ORDER_STATE_CANCELED',
    cumQuantity: '1',
    commissionNotionalTotalCollected: usd('-0.0125'),
  }
  expect(readFill(part, filledOrder())).toEqual({ ...read, size: '1', cash: '0.165', fee: '-0.0125' })
})

it('a row without average price or commission has neither amount nor fee', () => {
  const { avgPx: _, commissionNotionalTotalCollected: __, ...bare } = row
  expect(readFill(bare, filledOrder())).toEqual({ ...read, cash: null, fee: null })
})

it('a filled order without a count is filled to its size; any other is null', () => {
  expect(readFill({ ...row, cumQuantity: null }, filledOrder())).toEqual(read)
  expect(readFill({ ...row, cumQuantity: null, state: 'ORDER_STATE_CANCELED' }, filledOrder())).toBeNull()
  expect(readFill({ ...row, cumQuantity: '0' }, filledOrder())).toBeNull()
})
