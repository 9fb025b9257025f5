import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#schemas/executions'
import { filledOrder } from '#test/support/filledOrder'
import { tradeCalldata } from '#venues/myriad/exec/contracts'
import { readFill } from '#venues/myriad/exec/readFill'

const wei = '000000000000000000'

describe('the sum of an order of its book', () => {
  const row = {
    aggregate: true,
    size: '7',
    orderHash: `0x${'ab'.repeat(32)}`,
    order: { marketId: '730', outcomeId: 0, side: 0, amount: '21040000000000000000', price: '500000000000000000' },
    status: 'cancelled',
    filledAmount: `7${wei}`,
  }
  const read = { size: '7', cash: null, fee: null, feeIn: 'cash', cumulative: true }

  it('has a size, and neither amount nor fee: the row has only the limit', () => {
    expect(readFill(row, filledOrder())).toEqual(read)
    expect(readFill(row, filledOrder({ outcomeSide: 'NO', isBuy: false }))).toEqual(read)
  })

  it('is read from the filled amount, or from the size of a filled order', () => {
    const { size: _, ...sizeless } = row
    expect(readFill(sizeless, filledOrder())).toEqual(read)
    const uncounted = { ...sizeless, filledAmount: null }
    expect(readFill({ ...uncounted, status: 'filled' }, filledOrder())).toEqual({ ...read, size: '21.04' })
    expect(readFill(uncounted, filledOrder())).toBeNull()
  })
})

describe('a trade with a pool', () => {
  const trade = (isBuy: boolean) => ({ isBuy, marketId: 549n, outcomeId: 0n, value: 50_000_000n, shares: 100_000_000n })
  const order = (isBuy: boolean, bounds: JsonObject = { decimals: 6 }) =>
    filledOrder({ isBuy }, { unsigned: { data: tradeCalldata(trade(isBuy)) }, bounds })
  const row = {
    event: 'MarketActionTx',
    transactionHash: '0x1',
    logIndex: 3,
    blockNumber: 1,
    size: '101.5',
    value: '50',
  }
  const read = { size: '101.5', cash: '50', fee: '0', feeIn: 'cash' }

  it('that buys costs the logged value, fees included', () => {
    expect(readFill(row, order(true))).toEqual(read)
  })

  it('that sells pays the logged value less the fee, which is what the calldata names', () => {
    const sold = { ...row, value: '51.546391' }
    expect(readFill(sold, order(false))).toEqual({ ...read, cash: '51.546391', fee: '1.546391' })
    expect(readFill(row, order(false))).toEqual(read)
  })

  it('has an unknown fee without calldata or decimals, or when the logged value is lower', () => {
    expect(readFill(row, filledOrder())).toEqual({ ...read, fee: null })
    expect(readFill(row, order(false, {}))).toEqual({ ...read, fee: null })
    expect(readFill({ ...row, value: '49' }, order(false))).toEqual({ ...read, cash: '49', fee: null })
  })

  it('without a readable value has no amount, without a size is null', () => {
    expect(readFill({ ...row, value: null }, order(true))).toEqual({ ...read, cash: null, fee: null })
    expect(readFill({ ...row, size: null }, order(true))).toBeNull()
  })
})
