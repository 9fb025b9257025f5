// Runs the lane against the lab’s CLOB; the two share no code, and only correct bytes recover the correct signer.
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { walletOf } from '#lab/polymarket/wallets'
import { createLaneLab, type LaneLab, refresh, send } from '#test/support/laneLab'
import { buildOrder, executionOf } from '#test/support/laneWorld'
import { testOrderFaults } from '#test/support/orderFaults'
import type { Built, LaneExecution } from '#venues/lane'
import { polymarketLane as lane } from '#venues/polymarket/exec/index'
import { account, l1Headers } from './world.ts'

type Key = { apiKey: string; secret: string; passphrase: string }

let here: LaneLab<'polymarket'>
let key: Key
const open = async (negRisk: boolean, protocol = 'v1') => {
  here = await createLaneLab(
    'polymarket',
    ({ sourceMetadata }) => sourceMetadata.negRisk === negRisk && sourceMetadata.protocol === protocol,
  )
  key = await keyOf()
}
afterEach(() => here.close())

const stranger = privateKeyToAccount(`0x${'42'.repeat(32)}`)
async function keyOf(by = account): Promise<Key> {
  const headers = await l1Headers(by, here.world.clock.now())
  return (await fetch(`${here.lab.urls.CLOB}/auth/derive-api-key`, { headers })).json() as Promise<Key>
}
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
const signed = async (built: Built, credentials = key) =>
  send(lane, here.world, built, {
    ...credentials,
    signature: await account.signTypedData(executionOf(built).unsigned as never),
  })
const place = async (over: object = {}) => signed(await build(over))
const look = (execution: LaneExecution) => refresh(lane, here.world, execution, key)
const cancelOf = (execution: LaneExecution) => lane.cancel!.build(here.world.context, execution, {} as never)
const cancel = async (execution: LaneExecution) =>
  send(lane, here.world, await cancelOf(execution), key, 'cancel', execution)
const orders = () => here.lab.engine.orderManager.ordersOf(account.address)
const hash = /^0x[0-9a-f]{64}$/

describe.each([
  ['an EOA on the normal exchange', 0, false, 'v1'],
  ['an EOA on the negative-risk exchange', 0, true, 'v1'],
  ['an EOA on the exchange of protocol 2', 0, false, 'v2'],
  ['a Proxy on the normal exchange', 1, false, 'v1'],
  ['a Safe on the negative-risk exchange', 2, true, 'v1'],
  ['a deposit wallet on the negative-risk exchange', 3, true, 'v1'],
  ['a deposit wallet on the exchange of protocol 2', 3, false, 'v2'],
])('%s', (_, signatureType, negRisk, protocol) => {
  beforeEach(() => open(negRisk, protocol))

  it('places, partially fills and cancels an order, and reports each fill once', async () => {
    const funder = walletOf(account.address, signatureType)
    const wallet = signatureType === 0 ? {} : { signatureType, funder }
    const { execution, outcome } = await place(wallet)
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'acked', venueRef: execution.clientRef })
    expect(orders()[0]?.details.posted).toMatchObject({
      order: { maker: funder, signer: signatureType === 3 ? funder : account.address, signatureType },
    })
    expect(await look(execution)).toMatchObject({ status: 'acked', fills: [], observation: { status: 'LIVE' } })
    here.trade('sell', here.bid, 4)
    const part = await look(execution)
    expect(part).toMatchObject({ status: 'acked', observation: { size_matched: '4', original_size: '10' } })
    expect(part.fills).toMatchObject([{ fill: { size: '4', price: String(here.bid / 1e6), trader_side: 'MAKER' } }])
    const canceled = await cancel(execution)
    expect(canceled.outcome).toMatchObject({ kind: 'accepted', venueRef: execution.venueRef })
    expect(await look(execution)).toMatchObject({ status: null, fills: part.fills })
    here.world.clock.advance(60_000)
    expect(await look(execution)).toMatchObject({ status: 'canceled', fills: part.fills })
    expect(await look(canceled.execution)).toMatchObject({ status: 'acked', fills: [] })
    expect((await cancel(execution)).outcome).toEqual({ kind: 'rejected', reason: 'order already canceled' })
  })
})

describe('orders', () => {
  beforeEach(() => open(false))

  it('a completely filled order is reported by its trades, as the order itself is no longer listed', async () => {
    const { execution } = await place()
    here.trade('sell', here.bid, 3)
    here.trade('sell', here.bid, 7)
    const seen = await look(execution)
    expect(seen).toMatchObject({ status: 'filled', observation: { size_matched: '10' } })
    expect(seen.fills.map(({ fill }) => fill.size).sort()).toEqual(['3', '7'])
    expect((await cancel(execution)).outcome).toEqual({ kind: 'rejected', reason: 'order already matched' })
  })

  it('a crossing order is acknowledged, and refresh adds the fill once', async () => {
    const { execution, outcome } = await place({ price: String(here.ask / 1e6), size: 5 })
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'acked', fills: [] })
    const seen = await look(execution)
    expect(seen).toMatchObject({ status: 'filled' })
    expect(seen.fills.map(({ fill }) => fill.trader_side)).toEqual(seen.fills.map(() => 'TAKER'))
  })

  it('NO is a separate token: buying it rests as an ask on the other at one minus the price', async () => {
    const { execution, outcome } = await place({ outcomeSide: 'NO', price: String((1e6 - here.ask) / 1e6) })
    expect(outcome.kind).toBe('accepted')
    expect(orders()[0]).toMatchObject({ side: 1, priceMicros: here.ask })
    here.trade('buy', here.ask, 10)
    expect(await look(execution)).toMatchObject({ status: 'filled', fills: [{ fill: { side: 'BUY', size: '10' } }] })
  })

  it('GTD is posted with its expiry, ends a minute early, and is reported as expired only after its expiry', async () => {
    const expiresAt = here.world.clock.now() / 1_000 + 600
    const { execution, outcome } = await place({ expiresAt })
    expect(outcome.kind).toBe('accepted')
    expect(orders()[0]?.details.posted).toMatchObject({ orderType: 'GTD', order: { expiration: String(expiresAt) } })
    expect(await look(execution)).toMatchObject({ status: 'acked' })
    here.world.clock.advance(600_000)
    expect(await look(execution)).toMatchObject({ status: 'expired', fills: [] })
  })

  it('the same signed order sent twice is one order, and the duplicate response does not count against it', async () => {
    const built = await build()
    expect((await signed(built)).outcome.kind).toBe('accepted')
    expect((await signed(built)).outcome.kind).toBe('unknown')
    expect(orders()).toHaveLength(1)
  })

  it('the venue rejects a foreign Safe', async () => {
    const { outcome } = await place({ signatureType: 2, funder: stranger.address })
    expect(outcome).toEqual({ kind: 'rejected', reason: 'invalid signature' })
  })

  it('a foreign key, a wrong secret and a slow clock are refused before the venue processes the order', async () => {
    const built = await build()
    const foreign = await keyOf(stranger)
    for (const wrong of [foreign, { ...key, secret: foreign.secret }, { ...key, passphrase: 'wrong' }]) {
      const { outcome } = await signed(built, wrong)
      expect(outcome).toEqual({ kind: 'refused', reason: 'Unauthorized/Invalid api key' })
    }
    const { execution } = await signed(built, { ...key, apiKey: crypto.randomUUID() })
    await expect(refresh(lane, here.world, execution, foreign)).rejects.toMatchObject({
      code: 'VENUE_CREDENTIAL_REJECTED',
    })
    const clock = { ...here.world.clock, now: () => here.world.clock.now() - 120_000 } as typeof here.world.clock
    const slow = { ...here.world, context: { ...here.world.context, clock } }
    const late = await send(lane, slow, built, {
      ...key,
      signature: await account.signTypedData(built.unsigned as never),
    })
    expect(late.outcome.kind).toBe('refused')
    expect(orders()).toEqual([])
    expect((await signed(built)).outcome.kind).toBe('accepted')
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
      orders,
      marketId: here.facts.marketId,
    }),
    {
      orderPath: '/clob/order',
      cancelPath: '/clob/order',
      venueRef: hash,
      refIsKnown: true,
      limit: 'refused',
      rejection: /^not enough balance \/ allowance$/,
      closed: /^the market is not yet ready to process new orders$/,
    },
  )
})

describe('order options', () => {
  beforeEach(() => open(false))

  const ask = () => String(here.ask / 1e6)
  /** A purchase that never rests costs whole cents. */
  const wholeCents = (size: number): number => {
    const step = [1, 2, 5, 10, 20, 25, 50, 100].find((n) => (here.ask * n) % 10_000 === 0)!
    return Math.ceil(size / step) * step
  }
  const crossing = (over: object) => place({ price: ask(), size: wholeCents(here.moreThanOffered()), ...over })

  it.each([
    ['immediate-or-cancel', { timeInForce: 'immediate-or-cancel' }],
    ['market', { type: 'market' }],
  ])('%s takes what is offered, and has ended a minute later', async (_, options) => {
    const priced = 'type' in options ? { price: undefined, worstPrice: ask() } : {}
    const { execution, outcome } = await crossing({ ...priced, ...options })
    expect(outcome).toMatchObject({ kind: 'accepted', matchedSize: expect.any(String) })
    expect(orders()).toMatchObject([{ status: 'canceled' }])
    here.world.clock.advance(120_000)
    const missingSince = here.world.clock.now() - 100_000
    const ended = await look({ ...execution, missingSince })
    expect(ended).toMatchObject({ status: 'canceled', fills: [{ fill: { trader_side: 'TAKER' } }] })
  })

  it('immediate-or-cancel without a matching order is refused', async () => {
    const { outcome } = await place({ timeInForce: 'immediate-or-cancel', size: 100 })
    expect(outcome).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/^no orders found to match/) })
  })

  it('fill-or-kill takes all or nothing', async () => {
    const killed = await crossing({ timeInForce: 'fill-or-kill' })
    expect(killed.outcome).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/FOK orders/) })
    expect(orders()).toEqual([])
    const sold = await place({ isBuy: false, size: 5.01, timeInForce: 'fill-or-kill' })
    expect(sold.outcome).toMatchObject({ kind: 'accepted', matchedSize: '5.01' })
  })

  it('post-only is refused where it would take, and rests otherwise', async () => {
    const refused = await crossing({ postOnly: true })
    expect(refused.outcome).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/post-only order/) })
    const { execution } = await place({ postOnly: true })
    expect(await look(execution)).toMatchObject({ status: 'acked' })
  })
})
