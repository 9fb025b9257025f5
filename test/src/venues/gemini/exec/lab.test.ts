// Runs the lane against the lab’s Gemini; the two share no code.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLaneLab, type LaneLab, refresh, send } from '#test/support/laneLab'
import { buildOrder } from '#test/support/laneWorld'
import { testOrderFaults } from '#test/support/orderFaults'
import { geminiLane as lane } from '#venues/gemini/exec/index'

let here: LaneLab<'gemini'>
beforeEach(async () => {
  here = await createLaneLab('gemini')
})
afterEach(() => here.close())

const dollars = (micros: number) => (micros / 1e6).toFixed(2)
const build = (over: object = {}) =>
  buildOrder(lane, here.world.context, {
    outcome: here.facts.outcomeIds[0],
    outcomeSide: 'YES',
    isBuy: true,
    price: dollars(here.bid),
    size: 10,
    ...over,
  })
const place = async (over: object = {}) => send(lane, here.world, await build(over), here.lab.credentials)
const look = (execution: Parameters<typeof refresh>[2]) => refresh(lane, here.world, execution, here.lab.credentials)
const cancel = async (execution: Parameters<typeof refresh>[2]) => {
  const built = await lane.cancel!.build(here.world.context, execution, {} as never)
  return send(lane, here.world, built, here.lab.credentials, 'cancel', execution)
}
const resting = () => here.lab.engine.orderManager.ordersOf(here.lab.credentials.apiKey)

describe('the lane against the lab', () => {
  it('places, partially fills and cancels an order, and reports the summed fill when it ends', async () => {
    const { execution, outcome } = await place()
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'acked' })
    expect(execution.venueRef).toMatch(/^\d{18}$/)
    expect(await look(execution)).toMatchObject({ status: 'acked', fills: [] })
    here.trade('sell', here.bid, 4)
    expect(await look(execution)).toMatchObject({
      status: 'acked',
      fills: [],
      observation: { filledQuantity: '4', remainingQuantity: '6' },
    })
    const sent = await cancel(execution)
    expect(sent.outcome.kind).toBe('accepted')
    expect(await look(sent.execution)).toMatchObject({ status: 'acked' })
    expect(await look(execution)).toMatchObject({
      status: 'canceled',
      fills: [{ key: `${execution.venueRef}:sum`, fill: { filledQuantity: '4', price: dollars(here.bid) } }],
    })
    expect((await cancel(execution)).outcome.kind).toBe('rejected')
  })

  it('buys NO at a NO price, as an ask on the one book at one minus that price', async () => {
    const { execution, outcome } = await place({
      outcomeSide: 'NO',
      outcome: here.facts.marketId,
      price: dollars(1e6 - here.ask),
    })
    expect(outcome.kind).toBe('accepted')
    expect(resting()[0]).toMatchObject({ side: 1, priceMicros: here.ask })
    here.trade('buy', here.ask, 10)
    expect(await look(execution)).toMatchObject({
      status: 'filled',
      fills: [{ fill: { outcome: 'no', filledQuantity: '10' } }],
    })
  })

  it('the same artifact sent twice is one order, and the duplicate response does not count against it', async () => {
    const built = await build()
    expect((await send(lane, here.world, built, here.lab.credentials)).outcome.kind).toBe('accepted')
    expect((await send(lane, here.world, built, here.lab.credentials)).outcome.kind).toBe('unknown')
    expect(resting()).toHaveLength(1)
  })

  it('a key with increasing nonces, a wrong secret and a slow clock are refused before the venue processes the order', async () => {
    const rising = here.lab.issueKey({ nonce: 'rising' })
    const counted = await send(lane, here.world, await build(), { apiKey: rising.apiKey, apiSecret: rising.apiSecret })
    expect(counted.outcome).toMatchObject({ kind: 'refused', code: 'GEMINI_TIME_NONCE_REQUIRED' })
    const wrong = await send(lane, here.world, await build(), { ...here.lab.credentials, apiSecret: 'wrong' })
    expect(wrong.outcome).toEqual({ kind: 'refused', reason: 'InvalidSignature: InvalidSignature' })
    const clock = { ...here.world.clock, now: () => here.world.clock.now() - 31_000 } as typeof here.world.clock
    const slow = { ...here.world, context: { ...here.world.context, clock } }
    expect((await send(lane, slow, await build(), here.lab.credentials)).outcome).toMatchObject({
      kind: 'refused',
      code: 'NETWORK_ERROR',
    })
    expect(resting()).toEqual([])
  })
})

describe('order options', () => {
  const crossing = (over: object) => place({ price: dollars(here.ask), size: here.moreThanOffered(), ...over })

  it('immediate-or-cancel takes what is offered, and the rest is cancelled', async () => {
    const { execution, outcome } = await crossing({ timeInForce: 'immediate-or-cancel' })
    expect(outcome).toMatchObject({ kind: 'accepted', matchedSize: expect.any(String) })
    expect(await look(execution)).toMatchObject({ status: 'canceled', fills: [expect.anything()] })
    expect((await place({ timeInForce: 'immediate-or-cancel' })).outcome.kind).toBe('accepted')
    expect(resting().map(({ status }) => status)).toEqual(['canceled', 'canceled'])
  })

  it('fill-or-kill takes all or nothing', async () => {
    const killed = await crossing({ timeInForce: 'fill-or-kill' })
    expect(killed.outcome).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/^FillOrKillWouldNotFill/) })
    const { execution } = await place({ price: dollars(here.ask), size: 1, timeInForce: 'fill-or-kill' })
    expect(await look(execution)).toMatchObject({ status: 'filled' })
  })

  it('post-only is refused where it would take, and rests otherwise', async () => {
    const refused = await crossing({ postOnly: true })
    expect(refused.outcome).toMatchObject({
      kind: 'rejected',
      reason: expect.stringMatching(/^MakerOrCancelWouldTake/),
    })
    const { execution } = await place({ postOnly: true })
    expect(await look(execution)).toMatchObject({ status: 'acked' })
  })

  it('places an order under the caller’s client order id, once', async () => {
    const clientOrderId = '2f1e9c0a-5c0f-4b36-9a5b-0d2f0f6f3f10'
    const { execution } = await place({ clientOrderId })
    expect([execution.clientRef, resting()[0]!.clientId]).toEqual([clientOrderId, clientOrderId])
    expect((await place({ clientOrderId })).outcome.kind).toBe('unknown')
  })
})

it('an order of a heartbeat key is cancelled without notice, and refresh reports it', async () => {
  const { apiKey, apiSecret } = here.lab.issueKey({ heartbeat: true })
  const key = { apiKey, apiSecret }
  const { execution, outcome } = await send(lane, here.world, await build(), key)
  expect(outcome.kind).toBe('accepted')
  here.world.clock.advance(31_000)
  expect(await refresh(lane, here.world, execution, key)).toMatchObject({ status: 'canceled' })
})

describe('order outcomes', () => {
  testOrderFaults(
    () => ({
      clock: here.world.clock,
      faults: here.lab.faults,
      place,
      look,
      cancel,
      orders: resting,
      marketId: here.facts.marketId,
    }),
    {
      orderPath: '/v1/prediction-markets/order',
      cancelPath: '/order/cancel',
      venueRef: /^\d{18}$/,
      refIsKnown: false,
      limit: 'refused',
      rejection: /^InsufficientFunds/,
      closed: /^MarketNotOpen/,
    },
  )
})
