import { expect, it } from 'vitest'
import { filledOrder } from '#test/support/filledOrder'
import { readFill } from '#venues/hyperliquid/exec/readFill'

const row = {
  coin: '#5160',
  px: '0.35',
  sz: '30.0',
  side: 'B',
  time: 1_790_000_000_001,
  dir: 'Buy',
  hash: '0x1',
  oid: 42,
  crossed: false,
  fee: '0.0',
  tid: 1,
  feeToken: 'USDC',
  twapId: null,
}
const sale = { ...row, side: 'A', dir: 'Sell', fee: '0.0147' }
const sold = filledOrder({ isBuy: false }, { bounds: { quoteToken: 'USDC' } })
const read = { size: '30', cash: '10.5', fee: '0', feeIn: 'cash' }

it('reads a purchase, which costs no fee, at its own price', () => {
  expect(readFill(row, filledOrder())).toEqual(read)
  expect(readFill({ ...row, feeToken: '+5160' }, filledOrder())).toEqual(read)
})

it('reads a fill of NO, whose coin has its own price', () => {
  const no = { ...row, coin: '#5161', px: '0.65' }
  expect(readFill(no, filledOrder({ outcomeSide: 'NO' }))).toEqual({ ...read, cash: '19.5' })
})

it.each([
  ['the token the order is paid in', 'USDC', { fee: '0.0147', feeIn: 'cash' }],
  ['the outcome’s own token', '+5160', { fee: '0.0147', feeIn: 'outcome' }],
  ['the outcome’s own token by number', '100005160', { fee: '0.0147', feeIn: 'outcome' }],
  ['another token', 'HYPE', { fee: null, feeIn: 'cash' }],
  ['an unknown token', null, { fee: null, feeIn: 'cash' }],
])('reads the fee of a sale in %s', (_, feeToken, fee) => {
  expect(readFill({ ...sale, feeToken }, sold)).toEqual({ ...read, ...fee })
})

it('takes the token of the fee for that of the payment when the order was stored without it', () => {
  expect(readFill(sale, filledOrder({ isBuy: false }))).toEqual({ ...read, fee: '0.0147' })
})

it('reads a rebate as a fee below zero, and a missing one as unknown', () => {
  expect(readFill({ ...sale, fee: '-0.002' }, sold)).toEqual({ ...read, fee: '-0.002' })
  const { fee: _, ...without } = sale
  expect(readFill(without, sold)).toEqual({ ...read, fee: null })
})

it('an unreadable price costs the amount, an unreadable size the fill', () => {
  expect(readFill({ ...row, px: null }, filledOrder())).toEqual({ ...read, cash: null })
  for (const sz of ['x', '0.0', null]) expect(readFill({ ...row, sz }, filledOrder())).toBeNull()
})
