import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#schemas/executions'
import { boundsChecker } from '#venues/shared/exec/bounds'

const anotherOrder = 'it cancels another order'
const check = boundsChecker('gemini', (unsigned) => unsigned, {
  order: {
    otherwise: 'no order',
    same: { market: 'another market', side: 'another side' },
    limits: { price: 'price', size: 'quantity', tick: 'tick', wantsLow: ({ side }) => side === 'buy' },
  },
  cancel: { otherwise: anotherOrder, same: { orderId: anotherOrder } },
})

const buy = { kind: 'order', market: 'm', side: 'buy', price: '0.5', quantity: '10', tick: '0.001' }
const { market: _, ...withoutMarket } = buy
const { tick: __, ...withoutTick } = buy
const sell = { ...buy, side: 'sell' }
const cancel = { kind: 'cancel', orderId: '7' }
const violation = (message: string) => expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION', message })

describe('an artifact within its bounds', () => {
  it.each([
    ['unchanged', buy, buy],
    ['in another notation', { ...buy, price: '0.50' }, buy],
    ['cheaper and smaller', { ...buy, price: '0.4', quantity: '9' }, buy],
    ['sold at a better price', { ...sell, price: '0.6' }, sell],
    ['on the tick', buy, { ...buy, tick: '0.01' }],
    ['a cancellation', cancel, cancel],
  ])('%s', (_, artifact, bounds) => expect(() => check(artifact, bounds)).not.toThrow())
})

describe('an artifact beyond its bounds', () => {
  it.each([
    ['another market', { ...buy, market: 'n' }, buy],
    ['another side', sell, buy],
    ['another side', { ...buy, side: null }, buy],
    ['the price is worse than requested', { ...buy, price: '0.51' }, buy],
    ['the price is worse than requested', { ...sell, price: '0.49' }, sell],
    ['the price is not a multiple of 0.01', { ...buy, price: '0.455' }, { ...buy, tick: '0.01' }],
    ['the quantity is more than requested', { ...buy, quantity: '10.5' }, buy],
    ['no order', cancel, buy],
    [anotherOrder, buy, cancel],
    [anotherOrder, { ...cancel, orderId: '8' }, cancel],
    // The type counts: stored text is not a number.
    [anotherOrder, { ...cancel, orderId: 7 }, cancel],
  ])('%s', (message, artifact, bounds) => expect(() => check(artifact, bounds)).toThrowError(violation(message)))
})

it.each<JsonObject>([
  {},
  { kind: 'toString' },
  { kind: 1 },
  withoutMarket,
  withoutTick,
  { ...buy, price: 0.5 },
  { ...buy, price: 'x' },
  { ...buy, tick: null },
])('unreadable bounds reject every artifact: %j', (bounds) => {
  expect(() => check(buy, bounds)).toThrowError(violation('the bounds of this artifact cannot be read'))
})
