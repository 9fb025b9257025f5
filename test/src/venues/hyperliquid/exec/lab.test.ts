// Runs the lane against the lab’s Hyperliquid; the two share no code, and only correct bytes recover the correct signer.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLaneLab, type LaneLab, refresh, send } from '#test/support/laneLab'
import { buildOrder, executionOf } from '#test/support/laneWorld'
import { testOrderFaults } from '#test/support/orderFaults'
import { hyperliquidLane as lane } from '#venues/hyperliquid/exec/index'
import type { Built, LaneExecution } from '#venues/lane'
import { owner, sign, stranger } from './world.ts'

let here: LaneLab<'hyperliquid'>
beforeEach(async () => {
  here = await createLaneLab('hyperliquid')
})
afterEach(() => here.close())

const account = owner.address.toLowerCase()
const build = (over: object = {}) =>
  buildOrder(lane, here.world.context, {
    outcome: here.facts.marketId,
    outcomeSide: 'YES',
    isBuy: true,
    price: String(here.bid / 1e6),
    size: 50,
    owner: owner.address,
    ...over,
  })
/** The wallet signs the stored artifact. */
const signed = async (built: Built, signer = owner, intent: LaneExecution['intent'] = 'order') =>
  send(lane, here.world, built, { signature: await sign(executionOf(built), signer) }, intent)
const place = async (over: object = {}) => signed(await build(over))
const look = (execution: LaneExecution) => refresh(lane, here.world, execution, {})
const cancel = async (execution: LaneExecution) =>
  signed(await lane.cancel!.build(here.world.context, execution, {} as never), owner, 'cancel')
const resting = () => here.lab.engine.orderManager.ordersOf(account)

describe('the lane against the lab', () => {
  it('places, partially fills, modifies and cancels an order, and reports each fill once', async () => {
    const { execution, outcome } = await place()
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'acked', venueRef: expect.stringMatching(/^\d+$/) })
    expect(await look(execution)).toMatchObject({ status: 'acked', fills: [], observation: { status: 'open' } })
    here.world.clock.advance(10)
    here.trade('sell', here.bid, 20)
    const part = await look(execution)
    expect(part).toMatchObject({ status: 'acked', observation: { sz: '30.0', fillsReconciled: true } })
    expect(part.fills).toMatchObject([{ fill: { px: String(here.bid / 1e6), sz: '20.0', side: 'B', crossed: false } }])
    const change = await lane.modify!.build(here.world.context, execution, { size: 40 } as never)
    const modified = await signed(change, owner, 'modify')
    expect(modified.outcome).toMatchObject({ kind: 'accepted' })
    expect(modified.execution.venueRef).not.toBe(execution.venueRef)
    expect(await look(execution)).toMatchObject({ status: 'canceled', fills: part.fills })
    const sent = await cancel(modified.execution)
    expect(sent.outcome.kind).toBe('accepted')
    expect(await look(sent.execution)).toMatchObject({ status: 'acked' })
    expect(await look(modified.execution)).toMatchObject({ status: 'canceled', fills: [] })
  })

  it('the same signed action sent twice is one order: the nonce is used, and the duplicate response does not count against it', async () => {
    const built = await build()
    expect((await signed(built)).outcome.kind).toBe('accepted')
    expect((await signed(built)).outcome.kind).toBe('unknown')
    expect(resting()).toHaveLength(1)
  })

  it('buys NO, then sells the holding, with a fee on the sale only', async () => {
    const bought = await place({ outcomeSide: 'NO', price: String((1e6 - here.ask) / 1e6) })
    here.world.clock.advance(10)
    here.trade('buy', here.ask, 50)
    const seen = await look(bought.execution)
    expect(seen).toMatchObject({ status: 'filled', fills: [{ fill: { dir: 'Buy', fee: '0.0' } }] })
    const naked = await place({ outcomeSide: 'YES', isBuy: false, price: String(here.ask / 1e6) })
    expect(naked.outcome).toMatchObject({
      kind: 'rejected',
      reason: expect.stringMatching(/^Insufficient spot balance/),
    })
    const sold = await place({ outcomeSide: 'NO', isBuy: false, price: String((1e6 - here.bid) / 1e6), size: 50 })
    expect(sold.outcome.kind).toBe('accepted')
    here.trade('sell', here.bid, 50)
    const last = (await look(sold.execution)).fills.at(-1)!
    expect(last.fill).toMatchObject({ dir: 'Sell', side: 'A' })
    expect(Number(last.fill.fee)).toBeGreaterThan(0)
  })

  it('accepts the signature of an approved agent and rejects that of a stranger', async () => {
    const built = await build()
    await expect(signed(built, stranger)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
    here.lab.approveAgent(stranger.address, owner.address)
    here.world.clock.advance(15_000)
    expect((await signed(built, stranger)).outcome.kind).toBe('accepted')
    expect(resting()).toHaveLength(1)
  })

  it('warns of a low balance at build, and the venue then rejects the order', async () => {
    here.lab.fund(owner.address, 5)
    const built = await build()
    expect(built.warnings[0]).toContain('POST /v1/funding/hyperliquid/steps')
    expect((await signed(built)).outcome).toEqual({ kind: 'rejected', reason: 'Insufficient spot balance asset=USDC' })
  })

  it('cancels an order whose acceptance was lost by client order id', async () => {
    here.lab.faults.order({ fault: 'drop' })
    const { execution } = await place()
    const canceled = await cancel(execution)
    expect(canceled.execution.unsigned.action).toMatchObject({ type: 'cancelByCloid' })
    expect(canceled.outcome.kind).toBe('accepted')
    expect(await look(execution)).toMatchObject({ status: 'canceled' })
  })

  it('an order that never reached the venue may be sent again unchanged', async () => {
    here.lab.faults.order({ fault: 'vanish' })
    const built = await build()
    expect((await signed(built)).outcome.kind).toBe('unknown')
    expect((await signed(built)).outcome.kind).toBe('accepted')
    expect(resting()).toHaveLength(1)
  })

  it('does not build an order below the minimum, which the venue would reject', async () => {
    await expect(place({ size: 1 })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

describe('order options', () => {
  const crossing = (over: object) => place({ price: String(here.ask / 1e6), size: here.moreThanOffered(), ...over })

  it.each([
    ['immediate-or-cancel', { timeInForce: 'immediate-or-cancel' }],
    ['market', { type: 'market' }],
  ])('%s takes what is offered, and the rest is cancelled', async (_, options) => {
    const price = String(here.ask / 1e6)
    const priced = 'type' in options ? { price: undefined, worstPrice: price } : {}
    const { execution, outcome } = await crossing({ ...priced, ...options })
    expect(outcome).toMatchObject({ kind: 'accepted', matchedSize: expect.any(String) })
    here.world.clock.advance(10)
    expect(await look(execution)).toMatchObject({ status: 'canceled', fills: [expect.anything()] })
  })

  it('immediate-or-cancel without a matching order is refused', async () => {
    const { outcome } = await place({ timeInForce: 'immediate-or-cancel' })
    expect(outcome).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/could not immediately match/) })
  })

  it('post-only is refused where it would take, rests otherwise, and stays post-only when modified', async () => {
    const refused = await crossing({ postOnly: true })
    expect(refused.outcome).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/^Post only/) })
    const { execution } = await place({ postOnly: true })
    expect(await look(execution)).toMatchObject({ status: 'acked' })
    const change = await lane.modify!.build(here.world.context, execution, { size: 40 } as never)
    expect(lane.describe(change.unsigned)).toMatchObject({ intent: 'modify', postOnly: true })
  })

  it('places an order under the caller’s client order id', async () => {
    const clientOrderId = `0x${'5c'.repeat(16)}`
    const { execution } = await place({ clientOrderId })
    expect([execution.clientRef, resting()[0]!.clientId]).toEqual([clientOrderId, clientOrderId])
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
      marketId: here.facts.outcomeIds[0],
    }),
    {
      orderPath: '/exchange',
      cancelPath: '/exchange',
      venueRef: /^\d+$/,
      refIsKnown: false,
      limit: 'refused',
      rejection: /^Insufficient spot balance/,
      closed: /^Trading is halted\.$/,
    },
  )
})
