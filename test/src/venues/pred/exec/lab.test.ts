// Runs the lane against the lab’s PRED; the two share no code, and only correct bytes recover the correct signer.
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLaneLab, type LaneLab, refresh, send } from '#test/support/laneLab'
import { buildOrder, executionOf } from '#test/support/laneWorld'
import { testOrderFaults } from '#test/support/orderFaults'
import type { Built, LaneExecution } from '#venues/lane'
import { predLane as lane } from '#venues/pred/exec/index'
import { account, logIn } from './world.ts'

let here: LaneLab<'pred'>
let credentials: { owner: string; accessToken: string }
beforeEach(async () => {
  here = await createLaneLab('pred')
  const { accessToken, proxy: owner } = await logIn(here.lab)
  credentials = { owner, accessToken }
})
afterEach(() => here.close())

const dollars = (micros: number) => String(micros / 1e6)
const build = (over: object = {}) =>
  buildOrder(lane, here.world.context, {
    outcome: here.facts.marketId,
    outcomeSide: 'YES',
    isBuy: true,
    price: dollars(here.bid),
    size: 10,
    owner: credentials.owner,
    signer: account.address,
    ...over,
  })
const signed = async (built: Built, given = credentials) =>
  send(lane, here.world, built, {
    ...given,
    signature: await account.signTypedData(executionOf(built).unsigned as never),
  })
const place = async (over: object = {}) => signed(await build(over))
const look = (execution: LaneExecution) => refresh(lane, here.world, execution, credentials)
const cancel = async (execution: LaneExecution) => {
  const built = await lane.cancel!.build(here.world.context, execution, {} as never)
  return send(lane, here.world, built, credentials, 'cancel', execution)
}
const orders = () => here.lab.engine.orderManager.ordersOf(credentials.owner)

describe('the lane against the lab', () => {
  it('places, partially fills and cancels an order, and then reports an unknown state', async () => {
    const { execution, outcome } = await place()
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'acked', venueRef: expect.any(String) })
    expect(await look(execution)).toMatchObject({ status: 'acked', matchedSize: '0' })
    here.trade('sell', here.bid, 4)
    expect(await look(execution)).toMatchObject({ status: 'acked', matchedSize: '4', fills: [] })
    const sent = await cancel(execution)
    expect(sent.outcome).toMatchObject({ kind: 'accepted', venueRef: execution.venueRef })
    expect(orders().map(({ status }) => status)).toEqual(['canceled'])
    for (const each of [execution, sent.execution]) {
      expect(await look(each)).toMatchObject({ status: null, observation: { status: 'unknown' } })
    }
    expect((await cancel(execution)).outcome).toEqual({
      kind: 'rejected',
      reason: 'ORDER_NOT_FOUND: Order not found',
    })
  })

  it('an order that is matched completely at once is reported as filled', async () => {
    const { outcome } = await place({ price: dollars(here.ask), size: 5 })
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'filled', matchedSize: '5', fills: [{}] })
    expect(orders()[0]).toMatchObject({ status: 'filled', side: 0 })
  })

  it.each([
    ['buying NO', { outcomeSide: 'NO' }],
    ['selling YES', { isBuy: false }],
  ])('%s is short: an ask on the one book', async (_, over) => {
    const price = 'isBuy' in over ? here.ask : 1e6 - here.ask
    const { outcome } = await place({ ...over, price: dollars(price) })
    expect(outcome.kind).toBe('accepted')
    expect(orders()[0]).toMatchObject({ side: 1, priceMicros: here.ask })
  })

  it('the same signed order sent twice is one order, and gets the same response', async () => {
    const built = await build()
    const first = await signed(built)
    const again = await signed(built)
    expect(again.outcome).toEqual(first.outcome)
    expect(orders()).toHaveLength(1)
  })

  it('another wallet’s token, an invalid token, and a wrong clock place nothing', async () => {
    const built = await build()
    const stranger = await logIn(here.lab, privateKeyToAccount(`0x${'42'.repeat(32)}`))
    for (const accessToken of [stranger.accessToken, 'lab.none']) {
      const { outcome } = await signed(built, { ...credentials, accessToken })
      expect(outcome).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/^UNAUTHORIZED/) })
    }
    const clock = { ...here.world.clock, now: () => here.world.clock.now() - 16_000 } as typeof here.world.clock
    const slow = { ...here.world, context: { ...here.world.context, clock } }
    const signature = await account.signTypedData(built.unsigned as never)
    const late = await send(lane, slow, built, { ...credentials, signature })
    expect(late.outcome).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/^INVALID_TIMESTAMP/) })
    expect(orders()).toEqual([])
  })

  it('an accepted order with a lost response is reported as possibly matching an open order', async () => {
    here.lab.faults.order({ fault: 'drop' })
    const { execution, outcome } = await place()
    expect(outcome.kind).toBe('unknown')
    expect(await look(execution)).toMatchObject({ status: null, venueRef: null, mayBe: 'order' })
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
      orderPath: '/place',
      cancelPath: '/cancel',
      venueRef: /^[0-9a-f-]{36}$/,
      refIsKnown: false,
      limit: 'unknown',
      rejection: /^INSUFFICIENT_LIQUIDITY/,
      closed: /^MARKET_NOT_ACTIVE/,
      reports: { lost: false, filled: false, canceled: false },
    },
  )
})
