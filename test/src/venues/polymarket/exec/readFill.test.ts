import { expect, it } from 'vitest'
import type { JsonObject } from '#schemas/executions'
import { filledOrder } from '#test/support/filledOrder'
import { readFill } from '#venues/polymarket/exec/readFill'
import { fillOf } from '#venues/polymarket/exec/trades'
import { zeroBytes32 } from '#venues/polymarket/exec/typedData'
import { ClobTrade } from '#venues/polymarket/exec/wire'

const [id, yes, no] = ['0xa1', '111', '222']
const order = (token = yes, builder: string = zeroBytes32) =>
  filledOrder({ outcomeId: token, outcomeSide: token === yes ? 'YES' : 'NO' }, { unsigned: { message: { builder } } })

/** The fill that a refresh stores of a trade. */
const fillIn = (given: Record<string, unknown>): JsonObject => {
  const trade = {
    id: 't1',
    taker_order_id: '0xother',
    asset_id: yes,
    side: 'BUY',
    size: '21.04',
    price: '0.56',
    status: 'CONFIRMED',
    match_time: '1790000001',
    ...given,
  }
  return fillOf(ClobTrade.parse(trade), id, 0)!.fill
}
const taken = fillIn({ taker_order_id: id })
/** The taker bought YES: as its counterpart a maker sells YES, or buys NO. */
const made = (asset_id: string, price: string) =>
  fillIn({ maker_orders: [{ order_id: id, matched_amount: '1.04', price, asset_id, side: 'BUY' }] })
const read = { size: '21.04', cash: '11.7824', fee: null, feeIn: 'cash' }

it('reads a taker’s part, whose fee is in no trade', () => {
  expect(readFill(taken, order())).toEqual(read)
  expect(readFill({ ...taken, side: 'SELL' }, order())).toEqual(read)
})

it('reads a maker’s part at the price of its own token, without a fee', () => {
  expect(readFill(made(yes, '0.56'), order())).toEqual({ size: '1.04', cash: '0.5824', fee: '0', feeIn: 'cash' })
  expect(readFill(made(no, '0.44'), order(no))).toEqual({ size: '1.04', cash: '0.4576', fee: '0', feeIn: 'cash' })
})

it('a builder may charge a maker; so may an order that does not say', () => {
  const fill = made(yes, '0.56')
  expect(readFill(fill, order(yes, `0x${'1'.repeat(64)}`))).toMatchObject({ fee: null })
  expect(readFill(fill, filledOrder({ outcomeId: yes }))).toMatchObject({ fee: null })
  const wallet = { message: { contents: { builder: zeroBytes32 } } }
  expect(readFill(fill, filledOrder({ outcomeId: yes }, { unsigned: wallet }))).toMatchObject({ fee: '0' })
})

it('a row of another token has no amount, one that names none is of the order’s', () => {
  expect(readFill(taken, order(no))).toEqual({ ...read, cash: null })
  expect(readFill({ ...taken, asset_id: null }, order(no))).toEqual(read)
})

it('an unreadable price costs the amount, an unreadable size the fill', () => {
  expect(readFill({ ...taken, price: null }, order())).toEqual({ ...read, cash: null })
  expect(readFill({ ...taken, size: '.5', price: '.5' }, order())).toEqual({ ...read, size: '0.5', cash: '0.25' })
  for (const size of [null, '', '0']) expect(readFill({ ...taken, size }, order())).toBeNull()
})
