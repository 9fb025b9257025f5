// Runs the lane against the lab’s Pascal; the two share no code.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLaneLab, type LaneLab, refresh, send } from '#test/support/laneLab'
import { buildOrder } from '#test/support/laneWorld'
import { testOrderFaults } from '#test/support/orderFaults'
import type { LaneExecution } from '#venues/lane'
import { pascalLane as lane } from '#venues/pascal/exec/index'
import { owner, sign, stranger, trader } from './world.ts'

let here: LaneLab<'pascal'>
beforeEach(async () => {
  here = await createLaneLab('pascal')
  here.lab.register(owner.address, trader.address)
})
afterEach(() => here.close())

const build = (over: object = {}) =>
  buildOrder(lane, here.world.context, {
    outcome: here.facts.marketId,
    outcomeSide: 'YES',
    isBuy: true,
    price: String(here.bid / 1e6),
    size: 10,
    owner: owner.address,
    signer: trader.address,
    ...over,
  })
const place = async (over: object = {}, by = trader) => {
  const built = await build(over)
  return send(lane, here.world, built, { signature: sign(built, by) })
}
const look = (execution: LaneExecution) => refresh(lane, here.world, execution, {})
const cancel = async (execution: LaneExecution) => {
  const built = await lane.cancel!.build(here.world.context, execution, { signer: trader.address })
  return send(lane, here.world, built, { signature: sign(built) }, 'cancel', execution)
}
const resting = () => here.lab.engine.orderManager.ordersOf(owner.address)

describe('order options', () => {
  it('post-only is refused where it would take, and rests otherwise', async () => {
    const refused = await place({ price: String(here.ask / 1e6), postOnly: true })
    expect(refused.outcome).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/^POST_ONLY_WOULD_CROSS/) })
    expect((await place({ postOnly: true, reduceOnly: true })).outcome).toMatchObject({ kind: 'accepted' })
  })

  it('places an order under the caller’s client order id', async () => {
    const { execution } = await place({ clientOrderId: '123456789012345' })
    expect([execution.clientRef, resting()[0]!.clientId]).toEqual(['123456789012345', '123456789012345'])
    expect(await look(execution)).toMatchObject({ status: 'acked' })
  })
})

describe('the lane against the lab', () => {
  it('places, partially fills and cancels an order; the venue does not report the cancellation', async () => {
    const { execution, outcome } = await place()
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'acked' })
    expect(await look(execution)).toMatchObject({ status: 'acked', matchedSize: '0' })
    here.trade('sell', here.bid, 4)
    expect(await look(execution)).toMatchObject({
      status: 'acked',
      matchedSize: '4',
      fills: [{ fill: { fill_size: '4' } }],
    })
    const sent = await cancel(execution)
    expect(sent.outcome.kind).toBe('accepted')
    expect(resting()[0]!.status).toBe('canceled')
    expect(await look(execution)).toMatchObject({
      status: null,
      matchedSize: '4',
      observation: { reason: expect.stringMatching(/^it does not rest, and 4 of 10 contracts/) },
    })
    expect((await cancel(execution)).outcome).toMatchObject({
      kind: 'rejected',
      reason: 'ORDER_NOT_FOUND: no such order rests',
    })
  })

  it('buys NO as an ask on the one book, filled by a buyer of YES', async () => {
    const { execution } = await place({ outcomeSide: 'NO', price: ((1e6 - here.ask) / 1e6).toFixed(3) })
    expect(resting()[0]).toMatchObject({ side: 1, priceMicros: here.ask })
    here.trade('buy', here.ask, 6)
    here.trade('buy', here.ask, 4)
    const seen = await look(execution)
    expect(seen).toMatchObject({ status: 'filled', matchedSize: '10' })
    expect(seen.fills.map(({ fill }) => fill.fill_size).sort()).toEqual(['4', '6'])
  })

  it('fills a crossing order at once', async () => {
    const { execution } = await place({ price: String(here.ask / 1e6), size: 1 })
    expect(await look(execution)).toMatchObject({ status: 'filled', fills: [{ fill: { liquidity: 'TAKER' } }] })
  })

  it('a trading key that the owner never registered is refused before the venue processes the order', async () => {
    const { outcome } = await place({ signer: stranger.address }, stranger)
    expect(outcome).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/^unauthorized_signer/) })
    expect(resting()).toEqual([])
  })

  it('a late permit is rejected by the venue itself', async () => {
    const built = await build()
    const slow = { ...here.world, context: { ...here.world.context, clock: behind(90_000) } }
    here.world.clock.advance(90_000)
    const { outcome } = await send(lane, slow, built, { signature: sign(built) })
    expect(outcome).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/^OUTSIDE_RECV_WINDOW/) })
  })
})

/** Our clock, set back. */
const behind = (ms: number) => {
  const { clock } = here.world
  return { ...clock, now: () => clock.now() - ms, monotonic: () => clock.monotonic() } as typeof clock
}

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
      orderPath: '/api/v1/orders',
      cancelPath: '/api/v1/cancels',
      venueRef: /^\d+$/,
      refIsKnown: true,
      limit: 'unknown',
      rejection: /^INSUFFICIENT_COLLATERAL/,
      closed: /^MARKET_NOT_TRADING/,
      reports: { canceled: false },
    },
  )
})
