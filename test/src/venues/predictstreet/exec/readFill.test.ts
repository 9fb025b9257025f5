import { expect, it } from 'vitest'
import { filledOrder } from '#test/support/filledOrder'
import { readFill } from '#venues/predictstreet/exec/readFill'

const trade = {
  id: 't-1',
  orderId: '5f2c',
  price: '0.42',
  quantity: '21.5',
  size: '21.5',
  fee: '0',
  status: 'settled',
  createdAt: '2026-11-22T12:00:00.000Z',
}
const order = (outcome: '0' | '1', isBuy = true) =>
  filledOrder({ outcomeSide: outcome === '0' ? 'YES' : 'NO', isBuy }, { unsigned: { post: { outcome } } })
const read = { size: '21.5', cash: '9.03', fee: '0', feeIn: 'cash' }

it('reads purchases and sales of both outcomes at the price of the trade', () => {
  for (const outcome of ['0', '1'] as const) {
    expect(readFill(trade, order(outcome))).toEqual(read)
    expect(readFill(trade, order(outcome, false))).toEqual(read)
  }
})

it('a trade of the other outcome has no amount', () => {
  expect(readFill({ ...trade, outcomeIndex: 1 }, order('1'))).toEqual(read)
  expect(readFill({ ...trade, outcomeIndex: 0 }, order('1'))).toEqual({ ...read, cash: null })
})

it('reads a seller’s fee; a buyer’s is charged in shares, in a unit that is not known', () => {
  expect(readFill({ ...trade, fee: '0.1047' }, order('0', false))).toEqual({ ...read, fee: '0.1047' })
  expect(readFill({ ...trade, fee: '0.1047' }, order('0'))).toEqual({ ...read, fee: null })
  const { fee: _, ...without } = trade
  expect(readFill(without, order('0', false))).toEqual({ ...read, fee: null })
})

it('an unreadable price costs the amount, an unreadable size the fill', () => {
  expect(readFill({ ...trade, price: null }, order('0'))).toEqual({ ...read, cash: null })
  expect(readFill({ ...trade, quantity: '4.00000000', size: null }, order('0'))).toMatchObject({ size: '4' })
  expect(readFill({ ...trade, quantity: null, size: null }, order('0'))).toBeNull()
})
