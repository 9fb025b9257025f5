// Runs the lane against the lab’s Kalshi; the two share no code.
import { generateKeyPairSync } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { shardOf } from '#lab/kalshi/shards'
import { createLaneLab, type LaneLab, refresh, send } from '#test/support/laneLab'
import { buildOrder } from '#test/support/laneWorld'
import { testOrderFaults } from '#test/support/orderFaults'
import { kalshiLane as lane } from '#venues/kalshi/exec/index'
import type { LaneExecution } from '#venues/lane'

const cent = 10_000
let here: LaneLab<'kalshi'>
let credentials: { apiKeyId: string; privateKeyPem: string }
beforeEach(async () => {
  // Only whole cents can be ordered, whatever the grid of the quotes.
  here = await createLaneLab('kalshi', (_, { bids, asks }) => bids[0]![0] % cent === 0 && asks[0]![0] % cent === 0)
  const { API_KEY_ID, PRIVATE_KEY_PEM } = here.lab.credentials
  credentials = { apiKeyId: API_KEY_ID, privateKeyPem: PRIVATE_KEY_PEM }
})
afterEach(() => here.close())

const dollars = (micros: number) => (micros / 1e6).toFixed(2)
const build = (over: object = {}) =>
  buildOrder(lane, here.world.context, {
    outcome: here.facts.marketId,
    outcomeSide: 'YES',
    isBuy: true,
    price: dollars(here.bid),
    size: 10,
    ...over,
  })
const place = async (over: object = {}) => send(lane, here.world, await build(over), credentials)
const look = (execution: LaneExecution) => refresh(lane, here.world, execution, credentials)
const cancel = async (execution: LaneExecution) =>
  send(
    lane,
    here.world,
    await lane.cancel!.build(here.world.context, execution, {} as never),
    credentials,
    'cancel',
    execution,
  )
const modify = async (execution: LaneExecution, body: object) =>
  send(
    lane,
    here.world,
    await lane.modify!.build(here.world.context, execution, lane.modify!.body.parse(body) as never),
    credentials,
    'modify',
  )
const orders = () => here.lab.engine.orderManager.ordersOf(credentials.apiKeyId)
const uuid = /^[0-9a-f-]{36}$/

describe('order options', () => {
  it('post-only is refused where it would take, and rests otherwise', async () => {
    const refused = await place({ price: dollars(here.ask), postOnly: true })
    expect(refused.outcome).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/post only cross/) })
    const { execution } = await place({ postOnly: true })
    expect(await look(execution)).toMatchObject({ status: 'acked' })
  })

  it('an order with an expiry has ended when that time has passed', async () => {
    const expiresAt = Math.floor(here.world.clock.now() / 1_000) + 600
    const { execution } = await place({ expiresAt })
    here.world.clock.advance(599_000)
    expect(await look(execution)).toMatchObject({ status: 'acked' })
    here.world.clock.advance(2_000)
    expect(await look(execution)).toMatchObject({ status: 'canceled', fills: [] })
  })

  it('places an order under the caller’s client order id, once', async () => {
    const clientOrderId = '2f1e9c0a-5c0f-4b36-9a5b-0d2f0f6f3f10'
    const { execution } = await place({ clientOrderId })
    expect([execution.clientRef, orders()[0]!.clientId]).toEqual([clientOrderId, clientOrderId])
    expect((await place({ clientOrderId })).outcome.kind).toBe('unknown')
  })
})

describe('the lane against the lab', () => {
  it('settles a filled order that moved to the history, also when its response was lost', async () => {
    const { execution } = await place()
    here.trade('sell', here.bid, 10)
    here.lab.faults.hide({ what: 'ended' })
    for (const variant of [execution, { ...execution, venueRef: null, status: 'submitted' as const }]) {
      expect(await look(variant)).toMatchObject({
        status: 'filled',
        venueRef: execution.venueRef,
        matchedSize: '10.00',
        fills: [{ fill: { count_fp: '10.00' } }],
        observation: { fillsReconciled: true },
      })
    }
  })

  it('cancels an order of a market on another exchange shard', async () => {
    await here.close()
    here = await createLaneLab(
      'kalshi',
      ({ marketId }, { bids, asks }) => shardOf(marketId) !== 0 && bids[0]![0] % cent === 0 && asks[0]![0] % cent === 0,
      { markets: 60 },
    )
    const { API_KEY_ID, PRIVATE_KEY_PEM } = here.lab.credentials
    credentials = { apiKeyId: API_KEY_ID, privateKeyPem: PRIVATE_KEY_PEM }
    const { execution } = await place()
    expect((await cancel(execution)).outcome).toMatchObject({ kind: 'accepted' })
    expect(orders()).toMatchObject([{ status: 'canceled' }])
  })

  it('places, partially fills and cancels an order, and reports each fill once with its cost', async () => {
    const { execution, outcome } = await place()
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'acked', venueRef: expect.stringMatching(uuid) })
    expect(await look(execution)).toMatchObject({ status: 'acked', fills: [], observation: { status: 'resting' } })
    here.trade('sell', here.bid, 4)
    const part = await look(execution)
    expect(part).toMatchObject({ status: 'acked', observation: { fill_count_fp: '4.00', remaining_count_fp: '6.00' } })
    expect(part.fills).toMatchObject([
      { fill: { count_fp: '4.00', yes_price_dollars: `${dollars(here.bid)}00`, is_taker: false } },
    ])
    const canceled = await cancel(execution)
    expect(canceled.outcome).toMatchObject({ kind: 'accepted', venueRef: execution.venueRef })
    expect(await look(canceled.execution)).toMatchObject({ status: 'acked', fills: [] })
    expect(await look(execution)).toMatchObject({ status: 'canceled', fills: part.fills })
    // The venue answers 404 for gone, executed and unknown orders alike.
    expect((await cancel(execution)).outcome).toMatchObject({ kind: 'rejected', reason: 'not_found: not found' })
  })

  it('buys NO at a NO price, as an ask on YES at one minus that price', async () => {
    const { execution, outcome } = await place({ outcomeSide: 'NO', price: dollars(1e6 - here.ask) })
    expect(outcome.kind).toBe('accepted')
    expect(orders()[0]).toMatchObject({ side: 1, priceMicros: here.ask })
    here.trade('buy', here.ask, 10)
    expect(await look(execution)).toMatchObject({
      status: 'filled',
      fills: [{ fill: { outcome_side: 'no', count_fp: '10.00' } }],
    })
  })

  it('a crossing order is filled, and refresh reports the fee of each fill', async () => {
    const { execution, outcome } = await place({ price: dollars(here.ask), size: 1 })
    expect(outcome.kind).toBe('accepted')
    const seen = await look(execution)
    expect(seen).toMatchObject({ status: 'filled', fills: [{ fill: { is_taker: true, count_fp: '1.00' } }] })
    const p = here.ask / 1e6
    const trade = Math.ceil(Math.round(0.07 * p * (1 - p) * 1e10) / 1e6) / 1e4
    expect(seen.fills[0]!.fill.fee_cost).toBe(trade.toFixed(6))
  })

  it('modifies price and count under the same venue id and a new client order id', async () => {
    const { execution } = await place()
    here.trade('sell', here.bid, 4)
    const modified = await modify(execution, { price: dollars(here.bid - cent), size: 12 })
    expect(modified.outcome).toMatchObject({ kind: 'accepted', venueRef: execution.venueRef })
    expect(orders()).toMatchObject([
      {
        priceMicros: here.bid - cent,
        hundredths: 1_200,
        filledHundredths: 400,
        clientId: modified.execution.clientRef,
      },
    ])
    expect(await look(modified.execution)).toMatchObject({ status: 'acked', venueRef: execution.venueRef })
    // A second change refers to the first one’s client order id.
    const again = await modify(modified.execution, { size: 8 })
    expect(again.outcome.kind).toBe('accepted')
    expect((await cancel(again.execution)).outcome.kind).toBe('accepted')
    expect(await look(execution)).toMatchObject({ status: 'canceled', fills: [{ fill: { count_fp: '4.00' } }] })
    expect((await modify(again.execution, { size: 9 })).outcome.kind).toBe('rejected')
  })

  it('accepts reduce_only', async () => {
    expect((await place({ reduceOnly: true })).outcome.kind).toBe('accepted')
  })

  it('the same artifact sent twice is one order, and the duplicate response does not count against it', async () => {
    const built = await build()
    expect((await send(lane, here.world, built, credentials)).outcome.kind).toBe('accepted')
    expect((await send(lane, here.world, built, credentials)).outcome.kind).toBe('unknown')
    expect(orders()).toHaveLength(1)
  })

  it('an order that would match its own account is reported as canceled', async () => {
    await place()
    const { execution, outcome } = await place({ isBuy: false })
    expect(outcome.kind).toBe('accepted')
    expect(await look(execution)).toMatchObject({ status: 'canceled', fills: [] })
  })

  it('an unknown key id, another key pair and a slow clock are refused before the venue processes the order', async () => {
    const built = await build()
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const foreign = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const strange = await send(lane, here.world, built, { ...credentials, apiKeyId: crypto.randomUUID() })
    expect(strange.outcome).toEqual({ kind: 'refused', reason: 'authentication_error: NOT_FOUND' })
    const wrong = { ...credentials, privateKeyPem: foreign }
    expect((await send(lane, here.world, built, wrong)).outcome).toEqual({
      kind: 'refused',
      reason: 'authentication_error: INCORRECT_API_KEY_SIGNATURE',
    })
    const clock = { ...here.world.clock, now: () => here.world.clock.now() - 30_000 } as typeof here.world.clock
    const slow = { ...here.world, context: { ...here.world.context, clock } }
    expect((await send(lane, slow, built, credentials)).outcome).toMatchObject({
      kind: 'refused',
      code: 'NETWORK_ERROR',
    })
    expect(orders()).toEqual([])
    const { execution } = await send(lane, here.world, built, credentials)
    await expect(refresh(lane, here.world, execution, wrong)).rejects.toMatchObject({
      code: 'VENUE_CREDENTIAL_REJECTED',
    })
    await expect(refresh(lane, slow, execution, credentials)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
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
      orderPath: '/portfolio/events/orders',
      cancelPath: '/portfolio/events/orders/',
      venueRef: uuid,
      refIsKnown: false,
      limit: 'refused',
      rejection: /^insufficient_balance/,
      closed: /^MARKET_INACTIVE/,
    },
  )
})
