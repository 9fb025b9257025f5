import { expect, it } from 'vitest'
import { filledOrder } from '#test/support/filledOrder'
import { readFill } from '#venues/kalshi/exec/readFill'

const row = {
  fill_id: 'f-1',
  order_id: 'o-1',
  ticker: 'KXHIGHNY-26AUG07-B84.5',
  outcome_side: 'yes',
  book_side: 'bid',
  count_fp: '4.00',
  yes_price_dollars: '0.6200',
  no_price_dollars: '0.3800',
  is_taker: true,
  fee_cost: '0.065968',
  created_time: '2026-09-21T12:00:00.123456Z',
}
const read = { size: '4', feeIn: 'cash', fee: '0.065968' }

it.each([
  ['a purchase of YES', filledOrder(), '2.48'],
  ['a sale of YES', filledOrder({ isBuy: false }), '2.48'],
  ['a purchase of NO', filledOrder({ outcomeSide: 'NO' }), '1.52'],
  [
    'a sale of NO, which the venue books as a purchase of YES',
    filledOrder({ outcomeSide: 'NO', isBuy: false }),
    '1.52',
  ],
])('%s is read at the price of its own outcome', (_, order, cash) => {
  expect(readFill(row, order)).toEqual({ ...read, cash })
})

it('one of the two prices is enough, and a row of the history has no fee', () => {
  const old = { fill_id: 'f-1', order_id: 'o-1', count_fp: '4.00', yes_price_dollars: '0.6200', no_price_dollars: null }
  expect(readFill(old, filledOrder({ outcomeSide: 'NO' }))).toEqual({ ...read, cash: '1.52', fee: null })
  const { yes_price_dollars: _, ...other } = row
  expect(readFill(other, filledOrder())).toEqual({ ...read, cash: '2.48' })
})

it('reads a recorded fill of one contract with its fee', () => {
  const recorded = { ...row, count_fp: '1.00', yes_price_dollars: '0.5200', fee_cost: '0.017500' }
  expect(readFill(recorded, filledOrder())).toEqual({ size: '1', cash: '0.52', fee: '0.0175', feeIn: 'cash' })
})

it('an unreadable price or an order without terms costs the amount, an unreadable size the fill', () => {
  const unpriced = { ...row, yes_price_dollars: '?', no_price_dollars: null }
  expect(readFill(unpriced, filledOrder())).toEqual({ ...read, cash: null })
  expect(readFill(row, filledOrder({}, { terms: null }))).toEqual({ ...read, cash: null })
  for (const count_fp of [null, 'four', '0.00']) expect(readFill({ ...row, count_fp }, filledOrder())).toBeNull()
})
