import { expect, it } from 'vitest'
import { readFill } from '#venues/predictfun/exec/readFill'

const wei = (shares: number): string => `${shares}${'0'.repeat(18)}`
const row = {
  aggregate: true,
  id: '1',
  marketId: 7,
  status: 'CANCELLED',
  strategy: 'LIMIT',
  amount: wei(20),
  amountFilled: wei(5),
}
const read = { size: '5', cash: null, fee: null, feeIn: 'cash', cumulative: true }

it('reads the filled shares; the row has neither price nor fee', () => {
  expect(readFill(row)).toEqual(read)
  expect(readFill({ ...row, status: 'FILLED', amountFilled: wei(20) })).toEqual({ ...read, size: '20' })
  expect(readFill({ ...row, amountFilled: '1' })).toEqual({ ...read, size: '0.000000000000000001' })
})

it('a filled order without a count is filled to its size; any other is null', () => {
  expect(readFill({ ...row, status: 'FILLED', amountFilled: null })).toEqual({ ...read, size: '20' })
  expect(readFill({ ...row, amountFilled: null })).toBeNull()
  expect(readFill({ ...row, amountFilled: 'five' })).toBeNull()
  expect(readFill({ ...row, amountFilled: '0' })).toBeNull()
})
