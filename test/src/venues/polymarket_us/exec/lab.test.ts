// Runs the lane against the lab’s Polymarket US; the two share no code.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLaneLab, type LaneLab, refresh, send } from '#test/support/laneLab'
import { buildOrder } from '#test/support/laneWorld'
import { testOrderFaults } from '#test/support/orderFaults'
import { polymarketUsLane as lane } from '#venues/polymarket_us/exec/index'

let here: LaneLab<'polymarket_us'>
beforeEach(async () => {
  here = await createLaneLab('polymarket_us')
})
afterEach(() => here.close())

const build = (over: object = {}) =>
  buildOrder(lane, here.world.context, {
    marketId: here.facts.marketId,
    outcomeId: here.facts.outcomeIds[0],
    side: 'buy',
    type: 'limit',
    amount: 10,
    price: String(here.bid / 1e6),
    ...over,
  })
const place = async (over: object = {}) => send(lane, here.world, await build(over), here.lab.key)
const look = (execution: Parameters<typeof refresh>[2]) => refresh(lane, here.world, execution, here.lab.key)
const cancel = async (execution: Parameters<typeof refresh>[2]) => {
  const built = await lane.cancel!.build(here.world.context, execution, {} as never)
  return send(lane, here.world, built, here.lab.key, 'cancel', execution)
}
const resting = () => here.lab.engine.orderManager.ordersOf(here.lab.key.keyId)

describe('order options', () => {
  const ask = () => String(here.ask / 1e6)
  const crossing = (over: object) => place({ price: ask(), amount: here.moreThanOffered(), ...over })

  it.each([
    ['immediate-or-cancel', { timeInForce: 'immediate-or-cancel' }],
    ['market', { type: 'market' }],
  ])('%s takes what is offered, and the rest is cancelled', async (_, options) => {
    const priced = 'type' in options ? { price: undefined, worstPrice: ask() } : {}
    const { execution, outcome } = await crossing({ ...priced, ...options })
    expect(outcome.kind).toBe('accepted')
    expect(await look(execution)).toMatchObject({ status: 'canceled', fills: [expect.anything()] })
  })

  it('fill-or-kill takes all or nothing', async () => {
    expect((await crossing({ timeInForce: 'fill-or-kill' })).outcome).toMatchObject({
      kind: 'rejected',
      reason: 'order could not be filled whole',
    })
    const { execution } = await place({ type: 'market', price: ask(), amount: 1, timeInForce: 'fill-or-kill' })
    expect(await look(execution)).toMatchObject({ status: 'filled' })
  })

  it('post-only is refused where it would take, and rests otherwise', async () => {
    expect((await crossing({ postOnly: true })).outcome).toMatchObject({
      kind: 'rejected',
      reason: 'order would initiate a trade',
    })
    expect((await place({ postOnly: true })).outcome).toMatchObject({ kind: 'accepted', status: 'acked' })
  })

  it('good-til-date becomes expired when its time has passed', async () => {
    const expiresAt = Math.floor(here.world.clock.now() / 1_000) + 600
    const { execution } = await place({ expiresAt })
    here.world.clock.advance(599_000)
    expect(await look(execution)).toMatchObject({ status: 'acked' })
    here.world.clock.advance(2_000)
    expect(await look(execution)).toMatchObject({ status: 'expired' })
  })
})

describe('the lane against the lab', () => {
  it('places, partially fills and cancels an order, and reports the summed fill when it ends', async () => {
    const { execution, outcome } = await place()
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'acked' })
    expect(await look(execution)).toMatchObject({ status: 'acked', observation: { state: 'ORDER_STATE_PENDING_NEW' } })
    here.world.clock.advance(1_000)
    expect(await look(execution)).toMatchObject({ status: 'acked', observation: { state: 'ORDER_STATE_NEW' } })
    here.trade('sell', here.bid, 4)
    expect(await look(execution)).toMatchObject({
      status: 'acked',
      fills: [],
      observation: { state: 'ORDER_STATE_PARTIALLY_FILLED', cumQuantity: '4', leavesQuantity: '6' },
    })
    const sent = await cancel(execution)
    expect(sent.outcome.kind).toBe('accepted')
    expect(await look(sent.execution)).toMatchObject({ status: 'acked' })
    expect(await look(execution)).toMatchObject({
      status: 'canceled',
      fills: [{ key: `${execution.venueRef}:sum`, fill: { cumQuantity: '4' } }],
    })
    expect((await cancel(execution)).outcome.kind).toBe('rejected')
  })

  it('buys the short side: the request has the long price, and the order is an ask there', async () => {
    const short = { outcomeId: here.facts.outcomeIds[1], price: ((1e6 - here.ask) / 1e6).toFixed(3) }
    const { execution, outcome } = await place(short)
    expect(outcome.kind).toBe('accepted')
    expect(resting()[0]).toMatchObject({ side: 1, priceMicros: here.ask })
    here.trade('buy', here.ask, 10)
    expect(await look(execution)).toMatchObject({ status: 'filled', fills: [{ fill: { cumQuantity: '10' } }] })
  })

  it('a market order takes what is available and leaves nothing in the book', async () => {
    const { execution, outcome } = await place({ type: 'market', price: String(here.ask / 1e6), amount: 1 })
    expect(outcome.kind).toBe('accepted')
    expect(await look(execution)).toMatchObject({ status: 'filled' })
  })

  it('an order with a lost response that filled at once stays undecided, and its possible trade is shown', async () => {
    await place({ type: 'market', price: String(here.ask / 1e6), amount: 1 })
    here.world.clock.advance(60_000)
    here.lab.faults.order({ fault: 'drop' })
    const { execution, outcome } = await place({ type: 'market', price: String(here.ask / 1e6), amount: 2 })
    expect(outcome.kind).toBe('unknown')
    const { status, venueRef, fills, observation } = await look(execution)
    expect([status, venueRef, fills]).toEqual([null, null, []])
    expect(observation).toMatchObject({ trades: [{ qty: '2.0000', isAggressor: true }] })
  })

  it('another key’s signature and a clock half a minute off are refused before the venue processes the order', async () => {
    const strange = { ...here.lab.key, secretKey: 'nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=' }
    const built = await build()
    const wrong = await send(lane, here.world, built, strange)
    expect(wrong.outcome).toEqual({ kind: 'refused', reason: 'invalid signature' })
    const clock = { ...here.world.clock, now: () => here.world.clock.now() - 31_000 } as typeof here.world.clock
    const slow = { ...here.world, context: { ...here.world.context, clock } }
    expect((await send(lane, slow, built, here.lab.key)).outcome.kind).toBe('refused')
    expect(resting()).toEqual([])
  })
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
      orderPath: '/v1/orders',
      cancelPath: '/cancel',
      venueRef: /./,
      refIsKnown: false,
      limit: 'refused',
      rejection: /^insufficient buying power$/,
      closed: /^market is not open for trading$/,
    },
  )
})
