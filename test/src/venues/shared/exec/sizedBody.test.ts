import { expect, it } from 'vitest'
import { polymarketUsLane } from '#venues/polymarket_us/exec/index'
import { predLane } from '#venues/pred/exec/index'
import { laneSizedBody, sizedBody } from '#venues/shared/exec/sizedBody'

it.each([
  ['5', 5],
  ['2.5', 2.5],
  ['0.1', 0.1],
  ['10000000000000000000001', '10000000000000000000001'],
])('a size of %s is given as a number where that is the same', (size, given) => {
  expect(sizedBody({ price: 1 }, size)).toEqual({ price: 1, size: given })
})

it('a size has the name that the build body of the venue has for it', () => {
  const order = { marketId: 'demo-a', outcomeId: 'demo-a:long', side: 'buy', type: 'limit', price: 0.5 }
  const body = laneSizedBody(polymarketUsLane, sizedBody(order, '3'))
  expect(body).toEqual({ ...order, amount: 3 })
  expect(polymarketUsLane.order.body.parse(body)).toMatchObject({ marketId: 'demo-a' })
  expect(laneSizedBody(predLane, { size: 3 })).toEqual({ size: 3 })
  expect(() => laneSizedBody(polymarketUsLane, { size: 3, amount: 4 })).toThrow('leave it out')
})
