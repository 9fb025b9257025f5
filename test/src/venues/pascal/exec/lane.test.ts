// The lane alone: what it builds and rejects, what it sends, and how it interprets an account.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#schemas/executions'
import { binaryMarket, buildOrder, executionOf, type LaneWorld, type Reply, submit } from '#test/support/laneWorld'
import type { LaneExecution } from '#venues/lane'
import { deploymentOf } from '#venues/pascal/exec/facts'
import { pascalLane as lane } from '#venues/pascal/exec/index'
import { buy, createWorld, market, owner, sign, stranger, symbol, trader } from './world.ts'

let world: LaneWorld
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => {
  world.outcomes.splice(0, world.outcomes.length, ...market())
  world.answer(() => ({ body: [{ status: 'success', data: {} }] }))
  world.seen.length = 0
})
afterAll(() => world.close())

const build = (over: object = {}) => buildOrder(lane, world.context, { ...buy, ...over })
const requestOf = ({ unsigned }: { unsigned: JsonObject }) => unsigned.request as Record<string, unknown>

describe('a build', () => {
  it.each([
    ['buys YES', 'YES', true, 'BID', '0.450000', '4.5'],
    ['sells YES', 'YES', false, 'ASK', '0.450000', '5.5'],
    ['buys NO', 'NO', true, 'ASK', '0.550000', '4.5'],
    ['sells NO', 'NO', false, 'BID', '0.550000', '5.5'],
  ])('%s on the one book', async (_, outcomeSide, isBuy, side, price, notionalUsd) => {
    const built = await build({ outcomeSide, isBuy })
    expect(requestOf(built)).toMatchObject({ symbol, side, price, size: '10', metadata: '2' })
    expect(built).toMatchObject({
      notionalUsd,
      feeEstimate: null,
      warnings: [],
      owner: owner.address,
      clientRef: requestOf(built).client_order_id,
      terms: { marketId: symbol, outcomeSide, isBuy, price: '0.45', size: '10' },
    })
  })

  it.each<[string, object]>([
    ['a price off the tick', { price: '0.455' }],
    ['a price of one', { price: 1 }],
    ['no price', { price: '0' }],
    ['half a contract', { size: '1.5' }],
    ['no contract', { size: 0 }],
    ['more than the maximum size', { size: '1000000000001' }],
  ])('refuses %s', async (_, over) => {
    await expect(build(over)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it.each<[string, object]>([
    ['an address of another chain', { owner: '0x0123456789012345678901234567890123456789' }],
    ['31 bytes', { signer: owner.address.slice(2) }],
    ['no signer', { signer: undefined }],
    ['an invalid letter', { owner: `0${owner.address.slice(1)}` }],
  ])('rejects %s as a key', (_, over) => {
    expect(lane.order.body.safeParse({ ...buy, ...over }).success).toBe(false)
  })

  it('rejects a market with missing facts', async () => {
    world.outcomes.splice(0, world.outcomes.length, ...market(null))
    await expect(build()).rejects.toMatchObject({ code: 'CATALOG_UNAVAILABLE' })
    const long = `${'A'.repeat(31)}.B`
    world.outcomes.splice(
      0,
      2,
      ...binaryMarket('pascal', long, [long, `${long}-NO`], { tickSize: 0.01, sourceMetadata: {} }),
    )
    await expect(build({ outcome: long })).rejects.toMatchObject({ code: 'CATALOG_UNAVAILABLE' })
  })

  it('uses the deployment of its address', () => {
    expect(deploymentOf(lane.urls.TRADE!)).toBe(3)
    expect(deploymentOf('https://trade.canary.pascal.trade')).toBe(2)
    expect(deploymentOf('http://127.0.0.1:1')).toBe(3)
  })

  it.each<[string, (unsigned: { request: object }) => object]>([
    ['another price', ({ request }) => ({ request: { ...request, price: '0.440000' } })],
    ['another owner', ({ request }) => ({ request: { ...request, auth: { owner: stranger.address } } })],
    ['another permit', () => ({ permit: 'AAAA' })],
    ['another message', () => ({ message: 'ff' })],
    ['another deployment', () => ({ deployment_id: 2 })],
    ['an extra field', () => ({ more: 1 })],
  ])('with %s is not a valid artifact for its permit', async (_, change) => {
    const { unsigned, bounds } = await build()
    const changed = { ...unsigned, ...change(unsigned as never) } as JsonObject
    expect(() => lane.checkBounds(changed, bounds)).toThrow(
      expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
    )
  })

  it('with different order terms in the permit violates its bounds', async () => {
    const { bounds } = await build()
    const refused = expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' })
    for (const over of [{ price: '0.46' }, { size: 11 }, { isBuy: false }, { signer: stranger.address }]) {
      const { unsigned } = await build(over)
      expect(() => lane.checkBounds(unsigned, { ...bounds, clientOrderId: clientIdOf(unsigned) })).toThrow(refused)
    }
    const cheaper = (await build({ price: '0.44', size: 9 })).unsigned
    lane.checkBounds(cheaper, { ...bounds, clientOrderId: clientIdOf(cheaper) })
  })
})

const clientIdOf = (unsigned: JsonObject): string => String(requestOf({ unsigned }).client_order_id)

describe('a submit', () => {
  it('sends a batch of one order with the fields of the venue’s own client and only the signature added', async () => {
    const built = await build()
    const signature = sign(built)
    const { prepared, outcome } = await submit(lane, world.context, executionOf(built), { signature })
    const id = clientIdOf(built.unsigned)
    expect(outcome).toEqual({ kind: 'accepted', venueRef: id, status: 'acked', fills: [] })
    expect(prepared.venueRef).toBe(id)
    const auth = {
      client_ts_ms: String(world.clock.now()),
      recv_window_ms: '60000',
      owner: owner.address,
      signer: trader.address,
      signature,
    }
    const order = { client_order_id: id, symbol, side: 'BID', price: '0.450000', size: '10', metadata: '2', auth }
    expect(world.seen.map(({ method, path, text }) => [method, path, text])).toEqual([
      ['POST', '/api/v1/orders', JSON.stringify([order])],
    ])
  })

  it('is rejected before sending when the permit has expired', async () => {
    const built = await build()
    world.clock.advance(60_000)
    const given = { signature: sign(built) }
    const prepare = () => lane.submit!.prepare(world.context, executionOf(built), given)
    await expect(prepare()).resolves.toBeDefined()
    world.clock.advance(1)
    await expect(prepare()).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringMatching(/again/) })
  })

  it('is rejected with another key’s signature or a signature over another permit', async () => {
    const [built, other] = [await build(), await build()]
    for (const signature of [sign(built, owner), sign(built, stranger), sign(other)]) {
      const refusal = lane.submit!.prepare(world.context, executionOf(built), { signature })
      await expect(refusal).rejects.toMatchObject({ code: 'INVALID_SIGNATURE', afterWork: true })
    }
  })

  it.each<[string, Reply, object]>([
    [
      'an order with another id',
      { body: [{ status: 'success', data: { client_order_id: '7' } }] },
      { kind: 'unknown' },
    ],
    ['two answers', { body: [{ status: 'success' }, { status: 'success' }] }, { kind: 'unknown' }],
    [
      'a per-order error',
      { body: [{ status: 'error', data: { code: 'INSUFFICIENT_COLLATERAL', details: 'needs 4.5' } }] },
      { kind: 'rejected', reason: 'INSUFFICIENT_COLLATERAL: needs 4.5' },
    ],
    [
      'a per-order error with details in another format',
      { body: [{ status: 'error', data: { code: 'INVALID_TICK', details: { tick: '0.01' } } }] },
      { kind: 'rejected', reason: 'INVALID_TICK' },
    ],
    [
      'an unregistered key',
      { status: 403, body: { status: 'error', data: { code: 'unauthorized_signer' } } },
      { kind: 'refused', reason: 'unauthorized_signer' },
    ],
  ])('answered by %s', async (_, reply, expected) => {
    world.answer(() => reply)
    const built = await build()
    const { outcome } = await submit(lane, world.context, executionOf(built), { signature: sign(built) })
    expect(outcome).toMatchObject(expected)
  })
})

describe('a refresh', () => {
  const account = (orders: object[], fills: object[] | ((cursor: string | null) => object)) =>
    world.answer(({ path }) => {
      const url = new URL(path, 'http://venue')
      if (!url.pathname.endsWith('/fills')) return { body: { status: 'success', data: { orders, positions: [] } } }
      const data = Array.isArray(fills)
        ? { items: fills, next_cursor: null }
        : fills(url.searchParams.get('before_cursor'))
      return { body: { status: 'success', data } }
    })
  const fillOf = (execution: LaneExecution, size: string, seq = '100', over: object = {}) => ({
    trade_ts_ms: world.clock.now(),
    seq,
    symbol,
    side: 'BID',
    fill_price: '0.450000',
    fill_size: size,
    client_order_id: execution.clientRef,
    ...over,
  })
  const acked = async (over: Partial<LaneExecution> = {}): Promise<LaneExecution> => {
    const built = await build()
    return executionOf(built, { status: 'acked', venueRef: built.clientRef, ...over })
  }
  const look = (execution: LaneExecution) => lane.refresh!.read(world.context, execution, {})
  const resting = ({ clientRef }: LaneExecution, rest: string) => [
    { client_order_id: 'another program’s', nonsense: true },
    { id: 77, client_order_id: Number(clientRef), symbol, side: 'BID', price: '0.450000', size_remaining: rest },
  ]

  it('needs one request for an order that rests untouched', async () => {
    const execution = await acked()
    account(resting(execution, '10'), [])
    expect(await look(execution)).toMatchObject({ status: 'acked', shown: true, matchedSize: '0', fills: [] })
    expect(world.seen.map(({ path }) => path)).toEqual([`/api/v1/accounts/${owner.address}`])
  })

  it('reports the fills so far of a partially filled order', async () => {
    const execution = await acked()
    account(resting(execution, '6'), [fillOf(execution, '3'), fillOf(execution, '9', '99', { client_order_id: '1' })])
    const seen = await look(execution)
    // The order row is updated before the list of fills.
    expect(seen).toMatchObject({ status: 'acked', matchedSize: '4', observation: { orderId: '77', filledSize: '3' } })
    expect(seen.fills).toHaveLength(1)
  })

  it('is filled when the fills add up; equal fills with one sequence number are counted separately', async () => {
    const execution = await acked()
    account([], [fillOf(execution, '2'), fillOf(execution, '2'), fillOf(execution, '6', '98')])
    const seen = await look(execution)
    expect(seen).toMatchObject({ status: 'filled', shown: true, matchedSize: '10' })
    expect(seen.fills.map(({ key }) => key)).toEqual(['100:0.450000:2:0', '100:0.450000:2:1', '98:0.450000:6:0'])
    expect(seen.observation).not.toHaveProperty('reason')
  })

  it('continues page by page until rows are older than the order', async () => {
    const execution = await acked()
    const old = { trade_ts_ms: world.clock.now() - 60_001, client_order_id: '5' }
    const pages: Record<string, object> = {
      first: { items: [fillOf(execution, '4')], next_cursor: 'a' },
      a: { items: [fillOf(execution, '6', '90'), old], next_cursor: 'b' },
    }
    account([], (cursor) => pages[cursor ?? 'first']!)
    expect(await look(execution)).toMatchObject({ status: 'filled' })
    account([], () => ({ items: [fillOf(execution, '0')], next_cursor: String(world.seen.length) }))
    expect(await look(execution)).toMatchObject({
      status: null,
      observation: { reason: expect.stringMatching(/read at once/) },
    })
  })

  it.each([
    ['acked', [], null],
    ['acked', ['4'], null],
    ['submitted', [], null],
    ['submitted', ['4'], 'acked'],
  ] as const)('of a missing order that was %s with fills %j is %s, with a reason', async (status, sizes, expected) => {
    const execution = await acked({ status })
    account(
      [],
      sizes.map((size) => fillOf(execution, size)),
    )
    expect(await look(execution)).toMatchObject({
      status: expected,
      shown: expected !== null,
      observation: { reason: expect.stringMatching(/pascal does not report cancellations/) },
    })
  })

  it('counts a fill repeated on two pages once, and then does not conclude that the rest is gone', async () => {
    const execution = await acked({ missingSince: world.clock.now() - 60_000, statusSince: world.clock.now() - 60_000 })
    const repeated = fillOf(execution, '5')
    account([], (cursor) => (cursor == null ? { items: [repeated], next_cursor: 'a' } : { items: [repeated] }))
    const seen = await look(execution)
    expect(seen).toMatchObject({ status: null, matchedSize: '5' })
    expect(seen.fills).toHaveLength(1)
  })

  it('keeps the status of a missing acknowledged order, and reports its fills as final', async () => {
    const now = world.clock.now()
    const execution = await acked({ missingSince: now - 86_400_000, statusSince: now - 86_400_000 })
    account([], [fillOf(execution, '4')])
    expect(await look(execution)).toMatchObject({
      status: null,
      rests: false,
      matchedSize: '4',
      fills: [{ fill: { fill_size: '4' } }],
      observation: { reason: expect.stringMatching(/4 of 10 contracts were filled/) },
    })
  })

  it('reports a lower filled size than the venue reported before', async () => {
    account([], [])
    expect(await look(await acked({ matchedSize: '4' }))).toMatchObject({
      status: null,
      observation: { reason: expect.stringMatching(/has reported 4 as filled/) },
    })
  })

  it('ignores another order with the same id, and an unreadable row is an error', async () => {
    const execution = await acked()
    account([{ ...resting(execution, '10')[1], symbol: 'OTHER.ONE' }], [])
    expect(await look(execution)).toMatchObject({ status: null, observation: { reason: expect.any(String) } })
    account([{ ...resting(execution, '10')[1], side: 'HOLD' }], [])
    await expect(look(execution)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    account([], [fillOf(execution, '-3')])
    await expect(look(execution)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })

  it('counts the fills of an open order whose remaining size is unreadable', async () => {
    const execution = await acked()
    account([{ ...resting(execution, '10')[1], size_remaining: null }], [fillOf(execution, '4')])
    expect(await look(execution)).toMatchObject({
      status: 'acked',
      matchedSize: '4',
      fills: [{ fill: { fill_size: '4' } }],
      observation: { sizeRemaining: null },
    })
  })

  it('of a cancellation follows its order', async () => {
    const target = await acked()
    const built = await lane.cancel!.build(world.context, target, { signer: trader.address })
    const cancel = executionOf(built, { status: 'submitted', venueRef: target.venueRef, target }, 'cancel')
    account(resting(target, '10'), [])
    expect(await look(cancel)).toMatchObject({ status: null, undone: true })
    account([], [fillOf(target, '10')])
    expect(await look(cancel)).toMatchObject({ status: 'failed', fills: [] })
    account([], [])
    expect(await look(cancel)).toMatchObject({
      status: null,
      undone: false,
      observation: { reason: expect.any(String) },
    })
    expect(lane.submit!.lateBound!(cancel, 0)).toEqual({
      untilMs: world.clock.now() + 120_000,
      rule: 'permits are accepted within 60 s of their creation',
    })
  })
})
