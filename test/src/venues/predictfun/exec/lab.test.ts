// Runs the lane against the lab’s order entry; the two share no code, and only correct bytes recover the correct signer.
import { type Hex, hashMessage } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLaneLab, type LaneLab, refresh, send } from '#test/support/laneLab'
import { buildOrder, executionOf } from '#test/support/laneWorld'
import { testOrderFaults } from '#test/support/orderFaults'
import type { Built, LaneExecution } from '#venues/lane'
import { predictfunLane as lane } from '#venues/predictfun/exec/index'
import { kernelDigest, kernelSignature } from '#venues/predictfun/exec/typedData'
import { account, logIn, signatureOf } from './world.ts'

let here: LaneLab<'predictfun'>
let key: { apiKey: string; jwt: string }
const open = async (negRisk: boolean) => {
  here = await createLaneLab('predictfun', ({ sourceMetadata }) => sourceMetadata.negRisk === negRisk)
  key = await logIn(here.lab, account.address, (message) => account.signMessage({ message }))
}
afterEach(() => here.close())

const stranger = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const build = (over: object = {}) =>
  buildOrder(lane, here.world.context, {
    outcome: here.facts.marketId,
    outcomeSide: 'YES',
    isBuy: true,
    price: String(here.bid / 1e6),
    size: 50,
    owner: account.address,
    ...over,
  })
/** The wallet signs the stored artifact. */
const signed = async (built: Built, credentials = key) =>
  send(lane, here.world, built, { ...credentials, signature: await signatureOf(executionOf(built).unsigned) })
const place = async (over: object = {}) => signed(await build(over))
const look = (execution: LaneExecution, credentials = key) => refresh(lane, here.world, execution, credentials)
const cancel = async (execution: LaneExecution) =>
  send(lane, here.world, await lane.cancel!.build(here.world.context, execution, {} as never), key, 'cancel', execution)
const orders = (of: Hex = account.address) => here.lab.engine.orderManager.ordersOf(of)
const hash = /^0x[0-9a-f]{64}$/
const shares = (count: number): string => `${count}${'0'.repeat(18)}`

describe.each([
  ['an EOA on the plain exchange', false, false],
  ['an EOA on the negative-risk exchange', false, true],
  ['a smart wallet on the plain exchange', true, false],
  ['a smart wallet on the negative-risk exchange', true, true],
])('%s', (_, isSmart, negRisk) => {
  beforeEach(() => open(negRisk))

  it('places and partially fills an order, and reports the summed fill when the venue cancels the rest', async () => {
    const wallet = isSmart ? here.lab.accountOf(account.address) : account.address
    const sign = async (message: string) =>
      kernelSignature(await account.signMessage({ message: { raw: kernelDigest(wallet, hashMessage(message)) } }))
    if (isSmart) key = await logIn(here.lab, wallet, sign)
    const { execution, outcome } = await place(isSmart ? { predictAccount: wallet } : {})
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'acked', venueRef: execution.clientRef })
    expect(await look(execution)).toMatchObject({ status: 'acked', fills: [], observation: { status: 'OPEN' } })
    here.trade('sell', here.bid, 4)
    expect(await look(execution)).toMatchObject({ status: 'acked', matchedSize: '4', fills: [] })
    here.withdraw(orders(wallet)[0]!)
    expect(await look(execution)).toMatchObject({ status: 'canceled', fills: [{ fill: { amountFilled: shares(4) } }] })
  })
})

describe('orders', () => {
  beforeEach(() => open(false))

  it('a crossing order is acknowledged, and refresh adds the fill', async () => {
    const { execution, outcome } = await place({ price: String(here.ask / 1e6), size: 20 })
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'acked', fills: [] })
    expect(await look(execution)).toMatchObject({ status: 'filled', fills: [{ fill: { amountFilled: shares(20) } }] })
  })

  it('NO is a separate token: buying it rests as an ask on the other at one minus the price', async () => {
    const { execution, outcome } = await place({ outcomeSide: 'NO', price: String((1e6 - here.ask) / 1e6) })
    expect(outcome.kind).toBe('accepted')
    expect(orders()[0]).toMatchObject({ side: 1, priceMicros: here.ask })
    here.trade('buy', here.ask, 50)
    expect(await look(execution)).toMatchObject({ status: 'filled' })
  })

  it('an order of the venue’s own client, passed as build result, is placed as signed', async () => {
    const first = await build()
    const order = { ...(first.unsigned.message as object), salt: '4711' }
    expect((await place({ buildResult: { order } })).outcome.kind).toBe('accepted')
    expect(orders()[0]?.details.posted).toMatchObject({ order: { salt: '4711' } })
  })

  it('the same signed order sent twice is one order, and the duplicate response does not count against it', async () => {
    const built = await build()
    expect((await signed(built)).outcome.kind).toBe('accepted')
    expect((await signed(built)).outcome.kind).toBe('unknown')
    expect(orders()).toHaveLength(1)
  })

  it('a smart wallet other than the token’s, and an order below the minimum, place nothing', async () => {
    const foreign = here.lab.accountOf(account.address)
    expect((await place({ predictAccount: foreign })).outcome.kind).toBe('rejected')
    const small = await place({ size: 1 })
    expect(small.outcome).toEqual({
      kind: 'rejected',
      reason: expect.stringMatching(/^create_order_min_order_value_not_met/),
    })
    expect([orders(), orders(foreign)]).toEqual([[], []])
  })

  it('a wrong key and a wrong token are refused before the venue processes the order; a foreign token places nothing', async () => {
    const built = await build()
    for (const wrong of [
      { ...key, apiKey: 'wrong' },
      { ...key, jwt: 'wrong' },
    ]) {
      expect((await signed(built, wrong)).outcome.kind).toBe('refused')
    }
    const foreign = await logIn(here.lab, stranger.address, (message) => stranger.signMessage({ message }))
    expect((await signed(built, foreign)).outcome.kind).toBe('rejected')
    expect(orders()).toEqual([])
    const { execution } = await signed(built)
    await expect(look(execution, { ...key, jwt: 'wrong' })).rejects.toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED' })
    // Another wallet’s orders are unknown to the venue.
    expect(await look(execution, foreign)).toMatchObject({ status: null, shown: false })
  })
})

describe('cancellations and order options', () => {
  beforeEach(() => open(false))

  it('an order is removed from the book by its hash; one that does not rest is not', async () => {
    const { execution } = await place()
    here.trade('sell', here.bid, 4)
    const canceled = await cancel(execution)
    expect(canceled.outcome).toMatchObject({ kind: 'accepted', venueRef: execution.venueRef })
    expect(await look(execution)).toMatchObject({ status: 'canceled', fills: [{ fill: { amountFilled: shares(4) } }] })
    expect(await look(canceled.execution)).toMatchObject({ status: 'acked', fills: [] })
    expect((await cancel(execution)).outcome).toEqual({ kind: 'rejected', reason: 'the order did not rest' })
  })

  it('post-only is refused where it would take, and rests otherwise', async () => {
    const refused = await place({ price: String(here.ask / 1e6), postOnly: true })
    expect(refused.outcome).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/would take/) })
    expect((await place({ postOnly: true })).outcome.kind).toBe('accepted')
  })

  it('an order with an expiry becomes expired when that time has passed', async () => {
    const expiresAt = Math.floor(here.world.clock.now() / 1_000) + 600
    const { execution } = await place({ expiresAt })
    here.world.clock.advance(599_000)
    expect(await look(execution)).toMatchObject({ status: 'acked' })
    here.world.clock.advance(2_000)
    expect(await look(execution)).toMatchObject({ status: 'expired' })
  })

  it.each([
    ['cancel-taker', ['open', 'canceled']],
    ['cancel-maker', ['canceled', 'open']],
    ['cancel-both', ['canceled', 'canceled']],
  ])('%s ends one order of the account instead of a trade with itself', async (selfTradePrevention, states) => {
    // Alone at its price: nothing else is met.
    const price = String((here.bid + here.market.book.grid.stepMicros) / 1e6)
    await place({ price })
    const own = await place({ price, isBuy: false, selfTradePrevention })
    expect(own.outcome.kind).toBe('accepted')
    expect(orders().map(({ status }) => status)).toEqual(states)
  })
})

describe('order outcomes', () => {
  beforeEach(() => open(false))
  testOrderFaults(
    () => ({
      clock: here.world.clock,
      faults: here.lab.faults,
      place,
      look,
      cancel,
      orders: () => orders(),
      marketId: here.facts.marketId,
    }),
    {
      orderPath: '/v1/orders',
      cancelPath: '/v1/orders/remove-by-hash',
      venueRef: hash,
      refIsKnown: true,
      limit: 'refused',
      rejection: /^create_order_insufficient_collateral_allowance/,
      closed: /^create_order_market_not_trading/,
    },
  )
})
