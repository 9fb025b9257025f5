import { expect, it } from 'vitest'
import { filledOrder } from '#test/support/filledOrder'
import { readFill } from '#venues/limitless/exec/readFill'

const order = (side: 0 | 1, feeRateBps = '300') =>
  filledOrder(
    { isBuy: side === 0 },
    { unsigned: { message: { side, feeRateBps, makerAmount: '1', takerAmount: '1' } } },
  )

const log = { transactionHash: `0x${'0'.repeat(64)}`, logIndex: 1, blockNumber: 29_999_900 }
const bought = {
  ...log,
  makerAmountFilled: '9999360',
  takerAmountFilled: '10752000',
  fee: '63436',
  isTaker: false,
  size: '10.752',
  cash: '9.99936',
}
const sold = {
  ...log,
  makerAmountFilled: '10000000',
  takerAmountFilled: '6500000',
  fee: '97500',
  size: '10',
  cash: '6.5',
}

it('reads a purchase, whose fee is taken from the shares', () => {
  expect(readFill(bought, order(0))).toEqual({ size: '10.752', cash: '9.99936', fee: '0.063436', feeIn: 'outcome' })
})

it('does not know what a purchase that crossed has cost: the rest of what it gave is paid back elsewhere', () => {
  const { isTaker: _, ...earlier } = bought
  for (const row of [{ ...bought, isTaker: true }, earlier])
    expect(readFill(row, order(0))).toMatchObject({ size: '10.752', cash: null })
})

it('reads a sale, whose fee is taken from the proceeds', () => {
  expect(readFill(sold, order(1))).toEqual({ size: '10', cash: '6.5', fee: '0.0975', feeIn: 'cash' })
})

it('reads the amounts of the log where a row has no others', () => {
  for (const [row, side] of [
    [bought, 0],
    [sold, 1],
  ] as const) {
    const { size: _, cash: __, ...units } = row
    expect(readFill(units, order(side))).toEqual(readFill(row, order(side)))
  }
})

it('a maker pays nothing; where the market may charge USDC elsewhere, the fee is unknown', () => {
  expect(readFill({ ...bought, fee: '0' }, order(0))).toMatchObject({ fee: '0' })
  expect(readFill({ ...bought, fee: '0' }, order(0, '0'))).toMatchObject({ fee: null })
  expect(readFill({ ...bought, fee: null }, order(0))).toMatchObject({ fee: null })
})

it('is null without a size', () => {
  expect(readFill({ ...log, fee: '0' }, order(0))).toBeNull()
  expect(readFill({ ...bought, size: '0' }, order(0))).toBeNull()
})
