// Runs the lane against the lab’s order book; the two share no code, and only correct bytes recover the correct signer.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLaneLab, type LaneLab, refresh, send } from '#test/support/laneLab'
import { buildOrder, executionOf } from '#test/support/laneWorld'
import { testOrderFaults } from '#test/support/orderFaults'
import type { Built, LaneExecution } from '#venues/lane'
import { myriadLane as lane } from '#venues/myriad/exec/index'
import { account } from './world.ts'

let here: LaneLab<'myriad'>
beforeEach(async () => {
  here = await createLaneLab('myriad')
})
afterEach(() => here.close())

const build = (over: object = {}) =>
  buildOrder(lane, here.world.context, {
    outcome: here.facts.marketId,
    outcomeSide: 'YES',
    isBuy: true,
    price: String(here.bid / 1e6),
    size: 10,
    owner: account.address,
    ...over,
  })
/** The wallet signs the stored artifact. */
const signed = async (built: Built) =>
  send(lane, here.world, built, { signature: await account.signTypedData(executionOf(built).unsigned as never) })
const place = async (over: object = {}) => signed(await build(over))
const look = (execution: LaneExecution) => refresh(lane, here.world, execution, {})
const cancel = async (execution: LaneExecution) =>
  send(lane, here.world, await lane.cancel!.build(here.world.context, execution, {} as never), {}, 'cancel', execution)
const orders = () => here.lab.engine.orderManager.ordersOf(account.address.toLowerCase())
const hash = /^0x[0-9a-f]{64}$/

describe('an order', () => {
  it('is placed, partially filled and cancelled, and reports its summed fill once, when it ends', async () => {
    const { execution, outcome } = await place()
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'acked', venueRef: execution.clientRef })
    expect(await look(execution)).toMatchObject({ status: 'acked', fills: [], observation: { status: 'open' } })
    here.trade('sell', here.bid, 4)
    expect(await look(execution)).toMatchObject({ status: 'acked', fills: [], matchedSize: '4' })
    const canceled = await cancel(execution)
    expect(canceled.outcome).toMatchObject({ kind: 'accepted', venueRef: execution.venueRef })
    expect(await look(execution)).toMatchObject({
      status: 'canceled',
      fills: [{ fill: { aggregate: true, size: '4' } }],
    })
    expect(await look(canceled.execution)).toMatchObject({ status: 'acked', fills: [] })
    expect((await cancel(execution)).outcome).toEqual({ kind: 'rejected', reason: 'Order already cancelled' })
  })

  it('that is filled cannot be cancelled, and the cancellation reports that', async () => {
    const { execution } = await place()
    here.trade('sell', here.bid, 10)
    const late = await cancel(execution)
    expect(late.outcome).toEqual({ kind: 'rejected', reason: 'Order already filled' })
    expect(await look(execution)).toMatchObject({ status: 'filled', fills: [{ fill: { size: '10' } }] })
    expect(await look(late.execution)).toMatchObject({ status: 'failed' })
  })

  it('of NO has a separate book and rests where YES at one minus the price would match it', async () => {
    const { execution, outcome } = await place({ outcomeSide: 'NO', price: String((1e6 - here.ask) / 1e6) })
    expect(outcome.kind).toBe('accepted')
    expect(orders()[0]).toMatchObject({ side: 1, priceMicros: here.ask })
    here.trade('buy', here.ask, 10)
    expect(await look(execution)).toMatchObject({ status: 'filled', fills: [{ fill: { size: '10' } }] })
  })

  it('with an expiry becomes expired when that time has passed', async () => {
    const expiresAt = here.world.clock.now() / 1_000 + 600
    const { execution, outcome } = await place({ expiresAt })
    expect(outcome.kind).toBe('accepted')
    expect(orders()[0]?.details.placed).toMatchObject({
      time_in_force: 'GTD',
      order: { expiration: String(expiresAt) },
    })
    here.world.clock.advance(599_000)
    expect(await look(execution)).toMatchObject({ status: 'acked' })
    here.world.clock.advance(1_000)
    expect(await look(execution)).toMatchObject({ status: 'expired', fills: [] })
  })

  it('signed once is one order, however often it is sent, and the duplicate response does not count against it', async () => {
    const built = await build()
    expect((await signed(built)).outcome.kind).toBe('accepted')
    expect((await signed(built)).outcome.kind).toBe('unknown')
    expect(orders()).toHaveLength(1)
  })
})

describe('order options', () => {
  const crossing = (over: object) => place({ price: String(here.ask / 1e6), size: here.moreThanOffered(), ...over })

  it('immediate-or-cancel takes what is offered, and the rest is cancelled', async () => {
    const { execution } = await crossing({ timeInForce: 'immediate-or-cancel' })
    expect(await look(execution)).toMatchObject({ status: 'canceled', fills: [{ fill: { aggregate: true } }] })
  })

  it('fill-or-kill takes all or nothing', async () => {
    // The venue does not document how it words that: nothing is concluded, and nothing rests.
    const killed = await crossing({ timeInForce: 'fill-or-kill' })
    expect(killed.outcome.kind).toBe('unknown')
    expect(await look(killed.execution)).toMatchObject({ status: null, undone: true })
    const { execution } = await place({ price: String(here.ask / 1e6), size: 1, timeInForce: 'fill-or-kill' })
    expect(await look(execution)).toMatchObject({ status: 'filled' })
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
      orders,
      marketId: here.facts.marketId,
    }),
    {
      orderPath: '/orders',
      cancelPath: '/orders/',
      venueRef: hash,
      refIsKnown: true,
      limit: 'refused',
      rejection: /^Insufficient collateral balance or allowance$/,
      closed: /^Market is not open$/,
    },
  )
})
