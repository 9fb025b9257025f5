// Runs the lane against the lab’s Limitless and its chain; the two share no code, and only correct bytes recover the correct signer.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLaneLab, type LaneLab, refresh, send } from '#test/support/laneLab'
import { buildOrder, executionOf } from '#test/support/laneWorld'
import { testOrderFaults } from '#test/support/orderFaults'
import type { Built, LaneExecution } from '#venues/lane'
import { limitlessLane as lane } from '#venues/limitless/exec/index'
import { account, owner } from './world.ts'

let here: LaneLab<'limitless'>
let credentials: Record<string, string>
beforeEach(async () => {
  here = await createLaneLab('limitless')
  credentials = { ...here.lab.auth.issueToken(owner) }
})
afterEach(() => here.close())

const dollars = (micros: number) => String(micros / 1e6)
const build = (over: object = {}) => {
  const { id: ownerId, feeRateBps } = here.lab.auth.profile(owner)
  const body = { outcome: here.facts.marketId, outcomeSide: 'YES', isBuy: true, price: dollars(here.bid), size: 10 }
  return buildOrder(lane, here.world.context, { ...body, owner, ownerId, feeRateBps, ...over })
}
const signed = async (built: Built, given: object = credentials) =>
  send(lane, here.world, built, {
    ...given,
    signature: await account.signTypedData(executionOf(built).unsigned as never),
  })
const place = async (over: object = {}) => signed(await build(over))
const look = (execution: LaneExecution, canceledAt: number | null = null) =>
  refresh(lane, here.world, execution, {}, canceledAt)
const cancel = async (execution: LaneExecution) => {
  const built = await lane.cancel!.build(here.world.context, execution, {} as never)
  return send(lane, here.world, built, credentials, 'cancel', execution)
}
const orders = () => here.lab.engine.orderManager.ordersOf(owner.toLowerCase())
/** Waits until the block of a fill is settled. */
const settle = () => here.world.clock.advance(20_000)

describe('order options', () => {
  const crossing = (over: object) => place({ price: dollars(here.ask), size: here.moreThanOffered(), ...over })

  it.each([
    ['immediate-or-cancel', { timeInForce: 'immediate-or-cancel' }],
    ['market', { type: 'market' }],
  ])('%s takes what is offered; it has ended once the chain shows all that was matched', async (_, options) => {
    const priced = 'type' in options ? { price: undefined, worstPrice: dollars(here.ask) } : {}
    const { execution, outcome } = await crossing({ ...priced, ...options })
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'acked', matchedSize: expect.any(String) })
    expect(orders()).toMatchObject([{ status: 'canceled' }])
    settle()
    expect(await look(execution)).toMatchObject({ status: 'acked' })
    settle()
    const { matchedSize } = outcome as { matchedSize: string }
    expect(await look(execution)).toMatchObject({
      status: 'canceled',
      matchedSize,
      observation: { fillsReconciled: true },
    })
  })

  it('immediate-or-cancel does not end before the chain shows what was matched', async () => {
    const { execution } = await crossing({ timeInForce: 'immediate-or-cancel' })
    here.lab.faults.hide({ what: 'fills' })
    here.world.clock.advance(120_000)
    expect(await look(execution)).toMatchObject({ status: null, observation: { reason: /more of it/ } })
  })

  it('immediate-or-cancel that meets nothing has ended with the answer', async () => {
    const { outcome } = await place({ timeInForce: 'immediate-or-cancel' })
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'canceled' })
  })

  it('post-only is refused where it would take, and rests otherwise', async () => {
    const refused = await crossing({ postOnly: true })
    expect(refused.outcome).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/Post-only/) })
    expect((await place({ postOnly: true })).outcome).toMatchObject({ kind: 'accepted', status: 'acked' })
  })

  it.each([
    ['cancel-taker', ['open', 'canceled']],
    ['cancel-maker', ['canceled', 'open']],
    ['cancel-both', ['canceled', 'canceled']],
  ])('%s ends one order of the account instead of a trade with itself', async (selfTradePrevention, states) => {
    // Alone at its price: nothing else is met.
    const price = dollars(here.bid + 1_000)
    await place({ price })
    const own = await place({ price, isBuy: false, selfTradePrevention })
    expect(own.outcome.kind).toBe('accepted')
    expect(orders().map(({ status }) => status)).toEqual(states)
    expect(orders().flatMap(({ fills }) => fills)).toEqual([])
  })
})

describe('the lane against the lab', () => {
  it('places an order, sees exactly the fills on the chain, and reports each fill once', async () => {
    const { execution, outcome } = await place()
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'acked', venueRef: expect.any(String) })
    expect(await look(execution)).toMatchObject({ status: null, observation: { reason: expect.any(String) } })
    here.trade('sell', here.bid, 4)
    expect((await look(execution)).status).toBeNull()
    settle()
    expect(await look(execution)).toMatchObject({ status: 'acked', matchedSize: '4', fills: [] })
    here.trade('sell', here.bid, 6)
    settle()
    const filled = await look(execution)
    expect(filled).toMatchObject({ status: 'filled', matchedSize: '10', observation: { fillsReconciled: true } })
    expect(filled.fills.map(({ fill }) => fill.size)).toEqual(['4', '6'])
    expect(new Set(filled.fills.map(({ key }) => key)).size).toBe(2)
  })

  it('finds an order whose acceptance was lost by its hash, once part of it is filled', async () => {
    here.lab.faults.order({ fault: 'drop' })
    const { execution, outcome } = await place({ isBuy: false, price: dollars(here.ask) })
    expect([outcome.kind, execution.venueRef]).toEqual(['unknown', null])
    here.trade('buy', here.ask, 3)
    settle()
    expect(await look(execution)).toMatchObject({ status: 'acked', venueRef: execution.clientRef, matchedSize: '3' })
    here.trade('buy', here.ask, 7)
    settle()
    expect(await look(execution)).toMatchObject({ status: 'filled', venueRef: execution.clientRef })
  })

  it('a marketable order of NO fills at once and pays at most its price', async () => {
    const { execution, outcome } = await place({ outcomeSide: 'NO', price: dollars(1_000_000 - here.bid) })
    expect(outcome).toMatchObject({ kind: 'accepted', matchedSize: '10' })
    settle()
    expect(await look(execution)).toMatchObject({ status: 'filled', matchedSize: '10' })
  })

  it('cancels by the venue’s order id, which leaves no trace on the chain', async () => {
    const { execution } = await place()
    const sent = await cancel(execution)
    expect(sent.outcome).toMatchObject({ kind: 'accepted' })
    expect(orders().map(({ status }) => status)).toEqual(['canceled'])
    settle()
    for (const each of [execution, sent.execution]) {
      expect(await look(each)).toMatchObject({ status: null, observation: { reason: expect.any(String) } })
    }
    expect((await cancel(execution)).outcome).toMatchObject({ kind: 'rejected', reason: /already canceled/ })
  })

  it('an order acknowledged as cancelled has ended, with the fills of the chain, also those that arrive later', async () => {
    const { execution } = await place()
    here.trade('sell', here.bid, 4)
    settle()
    expect(await look(execution)).toMatchObject({ status: 'acked', matchedSize: '4' })
    await cancel(execution)
    const canceledAt = here.world.clock.now()
    // A fill may still be on its way until the chain was read past the cancellation.
    settle()
    expect(await look(execution, canceledAt)).toMatchObject({ status: 'acked', observation: { reason: /cancelled/ } })
    here.lab.faults.hide({ what: 'fills' })
    settle()
    settle()
    expect(await look(execution, canceledAt)).toMatchObject({ status: null, observation: { reason: /more of it/ } })
    here.lab.faults.recover()
    const ended = await look(execution, canceledAt)
    expect(ended).toMatchObject({ status: 'canceled', matchedSize: '4', observation: { fillsReconciled: true } })
    expect(ended.fills.map(({ fill }) => fill.size)).toEqual(['4'])

    const untouched = await place()
    await cancel(untouched.execution)
    const at = here.world.clock.now()
    expect(await look(untouched.execution, at)).toMatchObject({ status: null })
    here.world.clock.advance(60_000)
    expect(await look(untouched.execution, at)).toMatchObject({ status: 'canceled', fills: [] })
  })

  it('accepts a session instead of a token', async () => {
    const { outcome } = await signed(await build(), { session: here.lab.auth.issueSession(owner) })
    expect(outcome.kind).toBe('accepted')
  })

  it('accepts an order without a fee rate in a market whose takers pay in USDC', async () => {
    await here.close()
    here = await createLaneLab('limitless', ({ sourceMetadata }) => sourceMetadata?.feeModuleType === 'COLLATERAL')
    credentials = { ...here.lab.auth.issueToken(owner) }
    const built = await build()
    expect(built).toMatchObject({
      unsigned: { message: { feeRateBps: '0' } },
      warnings: [expect.stringContaining('fee module 0x')],
    })
    expect((await signed(built)).outcome).toMatchObject({ kind: 'accepted' })
  })

  it('an order signed for another profile or another fee is not sent', async () => {
    const { id } = here.lab.auth.profile(owner)
    for (const over of [{ ownerId: id + 1 }, { feeRateBps: 0 }]) {
      await expect(place(over)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    }
    await expect(signed(await build(), { ...credentials, secret: 'AAAA' })).rejects.toMatchObject({
      code: 'VENUE_CREDENTIAL_REJECTED',
    })
    expect(orders()).toEqual([])
  })
})

describe('all order outcomes', () => {
  testOrderFaults(
    () => ({
      clock: here.world.clock,
      faults: here.lab.faults,
      place: () => place(),
      look,
      cancel,
      orders,
      marketId: here.facts.marketId,
    }),
    {
      orderPath: '/orders',
      cancelPath: '/orders/cancel',
      venueRef: /^[0-9a-f-]{36}$/,
      refIsKnown: false,
      limit: 'refused',
      rejection: /allowance/,
      closed: /not open/,
      reports: { lost: false, resting: false, canceled: false },
    },
  )
})
