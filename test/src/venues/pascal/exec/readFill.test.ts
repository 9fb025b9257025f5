import { expect, it } from 'vitest'
import { filledOrder } from '#test/support/filledOrder'
import { readFill } from '#venues/pascal/exec/readFill'

const row = {
  trade_ts_ms: 1_790_000_000_000,
  seq: '100',
  symbol: 'EVENT.OUTCOME',
  side: 'BID',
  fill_price: '0.450000',
  fill_size: '4',
  liquidity: 'TAKER',
  fee_usd: '0.012500',
  client_order_id: '123',
}
const read = { size: '4', cash: '1.8', fee: '0.0125', feeIn: 'cash' }

it.each([
  ['a purchase of YES', row, filledOrder(), '1.8'],
  ['a sale of YES', { ...row, side: 'ASK' }, filledOrder({ isBuy: false }), '1.8'],
  ['a purchase of NO', { ...row, side: 'ASK' }, filledOrder({ outcomeSide: 'NO' }), '2.2'],
  ['a sale of NO', row, filledOrder({ outcomeSide: 'NO', isBuy: false }), '2.2'],
])('reads %s from the one book of the market', (_, fill, order, cash) => {
  expect(readFill(fill, order)).toEqual({ ...read, cash })
})

it('reads numbers, a rebate, and a missing fee as unknown', () => {
  const numbers = { ...row, fill_price: 0.45, fill_size: 4, fee_usd: -0.01 }
  expect(readFill(numbers, filledOrder())).toEqual({ ...read, fee: '-0.01' })
  const { fee_usd: _, ...without } = row
  expect(readFill(without, filledOrder())).toEqual({ ...read, fee: null })
})

it('an unreadable price costs the amount, an unreadable size the fill', () => {
  expect(readFill({ ...row, fill_price: '?' }, filledOrder())).toEqual({ ...read, cash: null })
  for (const fill_size of [null, '-3', '0']) expect(readFill({ ...row, fill_size }, filledOrder())).toBeNull()
})
