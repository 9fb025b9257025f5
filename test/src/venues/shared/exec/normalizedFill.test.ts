import { expect, it } from 'vitest'
import { filledOrder } from '#test/support/filledOrder'
import { cashAt, decimalIn, normalizedFill, ownPrice, unitsIn } from '#venues/shared/exec/normalizedFill'

it.each([
  ['0.5600', '0.56'],
  ['.5', '0.5'],
  [4, '4'],
  [0.44, '0.44'],
  ['-0.0125', '-0.0125'],
  ['', null],
  ['1e-7', null],
  [1e-7, null],
  [Number.NaN, null],
  [null, null],
  [undefined, null],
  [true, null],
  [{ value: '1' }, null],
])('reads %j as the decimal %j', (value, expected) => {
  expect(decimalIn(value)).toBe(expected)
})

it.each([
  ['20000000000000000000', 18, '20'],
  [5_000, 2, '50'],
  ['0', 6, '0'],
  ['1.5', 6, null],
  ['-1', 6, null],
  [1e30, 6, null],
  [null, 6, null],
])('reads %j base units of %i decimals as %j', (value, decimals, expected) => {
  expect(unitsIn(value, decimals)).toBe(expected)
})

it('multiplies size and price exactly, and refuses what is no price of a trade', () => {
  expect(cashAt('21.03', '0.56')).toBe('11.7768')
  for (const price of ['0', '1', '56', '-0.5', null]) expect(cashAt('21.03', price)).toBeNull()
  expect(cashAt(null, '0.56')).toBeNull()
})

it('converts the price of YES into that of the order’s own outcome', () => {
  expect(ownPrice('0.62', filledOrder())).toBe('0.62')
  expect(ownPrice('0.62', filledOrder({ outcomeSide: 'NO' }))).toBe('0.38')
  expect(ownPrice(null, filledOrder({ outcomeSide: 'NO' }))).toBeNull()
  expect(ownPrice('0.62', filledOrder({}, { terms: null }))).toBeNull()
})

it('needs a size above zero; amount and fee may be unknown', () => {
  const found = { size: '4.0', cash: '2.480', fee: '-0.00' }
  expect(normalizedFill(found)).toEqual({ size: '4', cash: '2.48', fee: '0', feeIn: 'cash' })
  expect(normalizedFill({ ...found, cash: null, fee: null, feeIn: 'outcome', cumulative: true })).toEqual({
    size: '4',
    cash: null,
    fee: null,
    feeIn: 'outcome',
    cumulative: true,
  })
  for (const size of ['0', '-4', 'four', '9'.repeat(41), null]) expect(normalizedFill({ ...found, size })).toBeNull()
})
