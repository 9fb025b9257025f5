import { expect, it } from 'vitest'
import { filledOrder } from '#test/support/filledOrder'
import { readFill } from '#venues/opinion/exec/readFill'

const trade = {
  orderNo: 'a11ee07e',
  tradeNo: 't-1',
  txHash: '0xab',
  side: 'Buy',
  outcomeSide: 1,
  price: '0.56',
  shares: '21.03',
  amount: '11.78',
  feeFormatted: '0.1',
  status: 2,
  statusEnum: 'Finished',
  createdAt: 1_790_000_000,
}
const read = { size: '21.03', cash: '11.7768', fee: '0.1', feeIn: 'cash' }

it.each([
  ['a purchase', trade, filledOrder()],
  ['a sale', { ...trade, side: 'Sell' }, filledOrder({ isBuy: false })],
  ['NO', { ...trade, outcomeSide: '2' }, filledOrder({ outcomeSide: 'NO' })],
  ['a row that names no outcome', { ...trade, outcomeSide: null }, filledOrder({ outcomeSide: 'NO' })],
])('reads %s at the price of its own outcome, with its fee', (_, fill, order) => {
  expect(readFill(fill, order)).toEqual(read)
})

it('reads a maker’s fee of zero, and a missing one as unknown', () => {
  expect(readFill({ ...trade, feeFormatted: '0' }, filledOrder())).toEqual({ ...read, fee: '0' })
  const { feeFormatted: _, ...without } = trade
  expect(readFill(without, filledOrder())).toEqual({ ...read, fee: null })
})

it('takes the reported amount where the price cannot be read, unless it is in another unit', () => {
  const unpriced = { ...trade, price: null }
  expect(readFill(unpriced, filledOrder())).toEqual({ ...read, cash: '11.78' })
  expect(readFill({ ...unpriced, amount: '11780000000000000000' }, filledOrder())).toEqual({ ...read, cash: null })
  expect(readFill({ ...unpriced, amount: null }, filledOrder())).toEqual({ ...read, cash: null })
})

it('a trade of the other outcome has no amount, one without shares is null', () => {
  expect(readFill({ ...trade, outcomeSide: 2 }, filledOrder())).toEqual({ ...read, cash: null })
  for (const shares of [null, 'abc', '0']) expect(readFill({ ...trade, shares }, filledOrder())).toBeNull()
})
