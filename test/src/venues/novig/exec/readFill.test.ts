import { expect, it } from 'vitest'
import { filledOrder } from '#test/support/filledOrder'
import { readFill } from '#venues/novig/exec/readFill'

const [own, other] = ['o1', 'o2']
const bought = filledOrder({ outcomeId: own }, { unsigned: { outcomeId: own } })
const sold = filledOrder({ outcomeId: own, isBuy: false }, { unsigned: { outcomeId: other } })

const row = {
  id: 'a',
  orderId: 'o-1',
  qty: 4_000,
  price: 0.44,
  createdAt: '2026-09-01T12:00:00.000Z',
  isWash: false,
  isTaker: true,
  marketId: 'm1',
  outcomeId: own,
}
const read = { size: '40', cash: '17.6', fee: null, feeIn: 'cash' }

it('reads a purchase in contracts, at the price of its outcome', () => {
  expect(readFill(row, bought)).toEqual(read)
  expect(readFill({ ...row, qty: '4000', price: '0.440' }, bought)).toEqual(read)
})

it('reads a sale, which is a purchase of the other outcome, at one minus its price', () => {
  expect(readFill({ ...row, outcomeId: other }, sold)).toEqual({ ...read, cash: '22.4' })
})

it('a row without an outcome is of the one bought; a third outcome has no amount', () => {
  const { outcomeId: _, ...unnamed } = row
  expect(readFill(unnamed, bought)).toEqual(read)
  expect(readFill(unnamed, sold)).toEqual({ ...read, cash: '22.4' })
  expect(readFill({ ...row, outcomeId: 'o3' }, bought)).toEqual({ ...read, cash: null })
  expect(readFill(unnamed, filledOrder())).toEqual({ ...read, cash: null })
})

it('a maker pays nothing; what a taker pays is in no row', () => {
  expect(readFill({ ...row, isTaker: false }, bought)).toEqual({ ...read, fee: '0' })
  const { isTaker: _, ...unknown } = row
  expect(readFill(unknown, bought)).toEqual(read)
})

it('an unreadable price costs the amount, an unreadable size the fill', () => {
  expect(readFill({ ...row, price: null }, bought)).toEqual({ ...read, cash: null })
  for (const qty of [null, 'abc', 0, 0.5]) expect(readFill({ ...row, qty }, bought)).toBeNull()
})
