import { expect, test } from 'vitest'
import { feeModel } from '#venues/myriad/fees'

const feeOf = (fees: unknown, more: object = {}) => feeModel({ sourceMetadata: { fees, ...more } }).fee

test('a pool’s fees are included in its price', () => {
  expect(feeOf({ buy: { fee: '0.01' } }, { synthetic: true })).toEqual({ kind: 'none' })
})

// Row formats of order books, as a third party parses them.
test.each([
  [{ taker_fee_bps: 150 }, '1.5 %'],
  [{ taker_fee_bps: '125' }, '1.25 %'],
  [{ taker_fee_bps_array: [0, 30, 75, 150, 75, 30, 0] }, '1.5 %'],
])('an order book with %j reports its highest rate, not a fee at a price', (fees, rate) => {
  const fee = feeOf(fees)
  expect(fee.kind).toBe('unknown')
  expect(fee).toMatchObject({ reason: expect.stringContaining(`up to ${rate} of the notional`) })
})

test('an order book without a taker fee charges none', () => {
  expect(feeOf({ taker_fee_bps: 0 })).toEqual({ kind: 'none' })
})

test.each([
  undefined,
  null,
  {},
  { taker_fee_bps: -1 },
  { taker_fee_bps: 'x' },
  { taker_fee_bps: 10_000 },
  { taker_fee_bps_array: [] },
  { taker_fee_bps_array: [30, null] },
])('%j leaves the fee unknown', (fees) => {
  expect(feeOf(fees)).toEqual({ kind: 'unknown', reason: 'the row of this market names no taker fee' })
})
