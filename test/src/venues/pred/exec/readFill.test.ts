import { expect, it } from 'vitest'
import { readFill } from '#venues/pred/exec/readFill'

const matched = {
  aggregate: true,
  order_id: 'o-7',
  status: 'matched',
  side: 'long',
  quantity: '21.5',
  limit_price: '55',
}
const listed = {
  aggregate: true,
  order_id: 'o-7',
  market_id: '0x0b',
  side: 'short',
  price: '55.0',
  quantity: '21.5',
  remaining_quantity: '0',
}
const read = { size: '21.5', cash: null, fee: null, feeIn: 'cash', cumulative: true }

it('reads the size of an order that was matched, and not its limit as a price', () => {
  expect(readFill(matched)).toEqual(read)
  expect(readFill(listed)).toEqual(read)
})

it('reads what is no longer left of an open order', () => {
  expect(readFill({ ...listed, remaining_quantity: '20' })).toEqual({ ...read, size: '1.5' })
})

it('is null without a readable size', () => {
  expect(readFill({ ...matched, quantity: null })).toBeNull()
  for (const remaining_quantity of [null, '21.5', '22']) expect(readFill({ ...listed, remaining_quantity })).toBeNull()
})
