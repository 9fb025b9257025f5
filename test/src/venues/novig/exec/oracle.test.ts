// The venue has no client on npm: requests are compared with the examples of its documentation and with its fields, types and order, which
// are written down here independently.
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { compareDecimals, multiplyDecimals, subtractDecimals } from '#core/decimal'
import { buildOrder, executionOf, type LaneWorld, stored, submit } from '#test/support/laneWorld'
import { callOf } from '#venues/novig/exec/artifact'
import { novigLane as lane } from '#venues/novig/exec/index'
import { afterToken, buy, createWorld, credentials, outcomes, token } from './world.ts'

const numRuns = process.env.CROSSBOOK_TEST_LONG === '1' ? 1_000 : 100

let world: LaneWorld
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => {
  world.seen.length = 0
})
afterAll(() => world.close())

it('requests a token as documented and sends the order with it', async () => {
  world.answer(afterToken(() => ({ status: 201, body: { id: 'o-1' } })))
  const execution = executionOf(await buildOrder(lane, world.context, buy))
  const { outcome } = await submit(lane, world.context, execution, credentials)
  expect(outcome).toMatchObject({ kind: 'accepted', venueRef: 'o-1' })
  const [tokenRequest, prices, placed] = world.seen
  expect([prices?.method, prices?.path]).toEqual(['GET', '/nbx/v2/emm/ticks'])
  expect([tokenRequest?.method, tokenRequest?.path, tokenRequest?.text]).toEqual([
    'POST',
    '/nbx/v1/auth/emm-token',
    `{"grant_type":"client_credentials","client_id":"${credentials.clientId}","client_secret":"${credentials.clientSecret}"}`,
  ])
  expect(tokenRequest?.headers).not.toHaveProperty('authorization')
  expect([placed?.method, placed?.path]).toEqual(['POST', '/nbx/v2/emm/orders/place'])
  expect(placed?.headers).toMatchObject({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })
  expect(world.seen).toHaveLength(3)
})

/** From the page "Place order" and the facts: the price is a number, the quantity is in minimal units, in this field order. */
it.each([
  [
    { outcomeId: '123e4567-e89b-12d3-a456-426614174000', price: 0.125, qty: 4_200, currency: 'CASH', tif: 'GTC' },
    '{"outcomeId":"123e4567-e89b-12d3-a456-426614174000","price":0.125,"qty":4200,"currency":"CASH","tif":"GTC","flags":"abc12345"}',
  ],
  [
    { outcomeId: '123e4567-e89b-12d3-a456-426614174000', price: 0.44, qty: 5_000, currency: 'CASH', tif: 'GTC' },
    '{"outcomeId":"123e4567-e89b-12d3-a456-426614174000","price":0.44,"qty":5000,"currency":"CASH","tif":"GTC","flags":"abc12345"}',
  ],
] as const)('writes the documents’ example %#', async ({ outcomeId, price, qty, ...more }, text) => {
  expect(callOf({ outcomeId, price, qty, ...more, flags: 'abc12345' }).text).toBe(text)
  const { unsigned } = await buildOrder(lane, world.context, { ...buy, price, size: qty / 100 })
  expect(unsigned).toMatchObject({ outcomeId, price, qty, ...more })
})

interface Wanted {
  isYes: boolean
  isBuy: boolean
  /** In thousandths. */
  price: number
  /** In cents. */
  qty: number
}
const wanted: fc.Arbitrary<Wanted> = fc.record({
  isYes: fc.boolean(),
  isBuy: fc.boolean(),
  price: fc.integer({ min: 1, max: 999 }),
  qty: fc.oneof(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 1, max: 100_000_000_000 })),
})
const bodyOf = ({ isYes, isBuy, price, qty }: Wanted) => ({
  outcome: buy.outcome,
  outcomeSide: isYes ? 'YES' : 'NO',
  isBuy,
  price: multiplyDecimals('0.001', String(price)),
  size: multiplyDecimals('0.01', String(qty)),
})

it('random orders equal the documented body byte for byte, also after storage', async () => {
  world.answer(afterToken(() => ({ status: 201, body: { id: 'o-1' } })))
  await fc.assert(
    fc.asyncProperty(wanted, async (requested) => {
      world.seen.length = 0
      const built = await buildOrder(lane, world.context, bodyOf(requested))
      await submit(lane, world.context, executionOf(built), credentials)
      const bought = outcomes[requested.isYes === requested.isBuy ? 0 : 1]
      const thousandths = requested.isBuy ? requested.price : 1_000 - requested.price
      const price = `0.${String(thousandths).padStart(3, '0')}`.replace(/0+$/, '')
      expect(world.seen.at(-1)?.text).toBe(
        `{"outcomeId":"${bought}","price":${price},"qty":${requested.qty},"currency":"CASH","tif":"GTC","flags":"${built.clientRef}"}`,
      )
    }),
    { numRuns },
  )
})

it('random orders cost at most what the caller requested', async () => {
  await fc.assert(
    fc.asyncProperty(wanted, async (requested) => {
      const body = bodyOf(requested)
      const built = await buildOrder(lane, world.context, body)
      const { price, qty } = stored(built.unsigned) as { price: number; qty: number }
      // The cost is the price of each contract in CASH: price × qty × 0.01.
      const worst = multiplyDecimals(multiplyDecimals(String(price), String(qty)), '0.01')
      const limit = multiplyDecimals(requested.isBuy ? body.price : subtractDecimals('1', body.price), body.size)
      expect(compareDecimals(worst, limit)).toBe(0)
      expect(compareDecimals(worst, built.notionalUsd!)).toBe(0)
      expect(built.terms).toMatchObject({ price: body.price, size: body.size })
    }),
    { numRuns },
  )
})
