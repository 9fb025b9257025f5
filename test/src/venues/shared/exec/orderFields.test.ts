import { expect, it } from 'vitest'
import { polymarketUsLane } from '#venues/polymarket_us/exec/index'
import { predLane } from '#venues/pred/exec/index'
import { lanes } from '#venues/registry'
import { orderFields, withOrderFields } from '#venues/shared/exec/orderFields'

it.each([
  ['5', 5],
  ['2.5', 2.5],
  ['0.1', 0.1],
  ['10000000000000000000001', '10000000000000000000001'],
])('a size of %s is given as a number where that is the same', (size, given) => {
  expect(orderFields(predLane, { size })).toEqual({ size: given })
})

const terms = { marketId: 'demo-a', outcomeId: 'demo-a:long', outcomeSide: 'YES', isBuy: false } as const

it('an order has the fields of its venue’s build body', () => {
  const fields = orderFields(polymarketUsLane, { ...terms, price: '0.5', size: '3' })
  const { marketId, outcomeId } = terms
  expect(fields).toEqual({ marketId, outcomeId, side: 'sell', type: 'limit', price: 0.5, amount: 3 })
  expect(polymarketUsLane.order.body.parse(fields)).toMatchObject({ marketId })
  expect(orderFields(predLane, { ...terms, price: '0.5', size: '3' })).toEqual({
    ...{ outcome: 'demo-a', outcomeSide: 'YES', isBuy: false, price: 0.5, size: 3 },
  })
})

it('adds terms to a body that does not name them', () => {
  expect(withOrderFields(polymarketUsLane, { marketId: 'demo-a' }, { size: '3' })).toEqual({
    marketId: 'demo-a',
    amount: 3,
  })
  expect(withOrderFields(predLane, { price: 0.4 }, { size: '3' })).toEqual({ price: 0.4, size: 3 })
  expect(() => withOrderFields(polymarketUsLane, { amount: 4 }, { size: '3' })).toThrow('amount: is set here')
})

it('the cost of a purchase is what Rain takes for its size', () => {
  const { rain } = lanes
  expect(withOrderFields(rain, { isBuy: true, price: '0.4' }, { size: '5' })).toEqual({
    ...{ isBuy: true, price: '0.4', amount: '2' },
  })
  expect(withOrderFields(rain, { isBuy: false, price: 0.4 }, { size: '5' })).toMatchObject({ amount: 5 })
  expect(orderFields(rain, { ...terms, isBuy: true, price: '0.25', size: '6' })).toMatchObject({ amount: '1.5' })
  for (const price of [undefined, 'x', null] as never[])
    expect(() => withOrderFields(rain, { isBuy: true, price }, { size: '5' })).toThrow('price: is required')
})

it.each(Object.values(lanes).map((lane) => [lane.slug, lane] as const))(
  'the build body of %s has a field for every term of an order',
  (_, lane) => {
    const fields = orderFields(lane, { ...terms, price: '0.5', size: '3' })
    const issues = lane.order.body.safeParse(fields).error?.issues ?? []
    expect(issues.filter(({ code }) => code === 'unrecognized_keys')).toEqual([])
  },
)
