// What the lane builds, rejects and bounds, and how it interprets the venue’s responses.
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#schemas/executions'
import { buildOrder, executionOf, type LaneWorld, type Reply, submit } from '#test/support/laneWorld'
import type { LaneExecution } from '#venues/lane'
import { predictStreetLane as lane } from '#venues/predictstreet/exec/index'
import { account, buy, createWorld, market, orderId, owner, placed, read, symbol, tokens, vault } from './world.ts'

let world: LaneWorld
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => {
  world.seen.length = 0
  world.outcomes.splice(0, world.outcomes.length, ...market())
  world.answer(() => ({ status: 201, body: placed }))
})
afterAll(() => world.close())

const build = (over: object = {}) => buildOrder(lane, world.context, { ...buy, ...over })
const sign = ({ unsigned }: Pick<LaneExecution, 'unsigned'>, by = account) => by.signTypedData(unsigned as never)
const sent = async (reply: Reply) => {
  world.answer(() => reply)
  const execution = executionOf(await build())
  return (await submit(lane, world.context, execution, { ...read, signature: await sign(execution) })).outcome
}
const refused = (code = 'VALIDATION_ERROR') => expect.objectContaining({ code })

describe('build', () => {
  it('builds an order of the owner’s vault, with the configured version and the exchange of the market’s kind', async () => {
    const built = await build()
    expect(built.unsigned).toMatchObject({
      domain: {
        name: 'PredictStreet',
        version: '1',
        chainId: 36900,
        verifyingContract: '0x3b32619897ae40C79b7086a0EB3F985077e7Fed7',
      },
      message: {
        maker: vault,
        signer: owner,
        tokenId: tokens.yes,
        makerAmount: '9030000',
        takerAmount: '21500000',
        expiration: '0',
        feeRateBps: '0',
        side: 0,
        signatureType: 1,
      },
      post: { marketId: symbol, outcome: '0', price: '0.42', quantity: '21.5' },
    })
    expect(built).toMatchObject({ notionalUsd: '9.03', feeEstimate: null, warnings: [], owner })
    for (const [negRisk, contract] of [
      [true, '0x65A068b3C1C3088B1B23499A6104045f2b661B3e'],
      [null, '0x3b32619897ae40C79b7086a0EB3F985077e7Fed7'],
    ]) {
      world.outcomes.splice(0, world.outcomes.length, ...market({ negRisk }))
      expect(await build()).toMatchObject({ unsigned: { domain: { verifyingContract: contract } } })
    }
  })

  it('never rounds: amounts finer than the token are rejected', async () => {
    for (const isBuy of [true, false])
      await expect(build({ isBuy, price: '0.333333', size: '0.5' })).rejects.toEqual(refused())
    expect((await build({ isBuy: false, price: '0.42', size: '10' })).notionalUsd).toBe('0')
  })

  it.each<[string, object]>([
    ['a price of seven decimals', { price: '0.1234567' }],
    ['a price of one', { price: 1 }],
    ['a price of zero', { price: '0' }],
    ['no size', { size: 0 }],
    ['a size of seven decimals', { size: '1.1234567' }],
    ['a size beyond the maximum', { size: '1000000001' }],
  ])('refuses %s', async (_, over) => {
    await expect(build(over)).rejects.toEqual(refused())
  })

  it.each<[string, object]>([
    ['no vault', { vault: undefined }],
    ['the owner as its own vault', { vault: owner }],
    ['no owner', { owner: undefined }],
    ['a key', { apiKey: 'x' }],
  ])('rejects a body with %s', (_, over) => {
    expect(lane.order.body.safeParse({ ...buy, ...over }).success).toBe(false)
  })

  it('rejects markets that do not trade, and outcomes without a token', async () => {
    world.outcomes.splice(0, world.outcomes.length, ...market({}, 'resolved'))
    await expect(build()).rejects.toEqual(refused())
    const rows = market().map((row) => ({ ...row, outcome: { ...row.outcome, metadata: {} } }))
    world.outcomes.splice(0, world.outcomes.length, ...rows)
    await expect(build()).rejects.toEqual(refused('CATALOG_UNAVAILABLE'))
  })

  it('a signed order may become cheaper, and nothing else', async () => {
    const { unsigned, bounds } = await build()
    const { message, post, domain } = unsigned as Record<string, JsonObject>
    const check = (over: object) => () => lane.checkBounds({ ...unsigned, ...over } as never, bounds)
    expect(check({ message: { ...message, makerAmount: '9029999' } })).not.toThrow()
    for (const over of [
      { makerAmount: '9030001' },
      { takerAmount: '21499999' },
      { tokenId: tokens.no },
      { side: 1 },
      { maker: owner },
      { signer: vault },
      { taker: vault },
      { expiration: '1' },
      { feeRateBps: '1' },
      { signatureType: 0 },
      { nonce: '0' },
    ]) {
      expect(check({ message: { ...message, ...over } }), JSON.stringify(over)).toThrow(
        refused('ARTIFACT_BOUNDS_VIOLATION'),
      )
    }
    for (const over of [
      { post: { ...post, outcome: '1' } },
      { post: { ...post, price: '0.43' } },
      { post: { ...post, quantity: '22' } },
      { post: { ...post, marketId: 'ANOTHER-1' } },
      { domain: { ...domain, version: '2' } },
      { domain: { ...domain, chainId: 1 } },
      { domain: { ...domain, verifyingContract: vault } },
    ]) {
      expect(check(over), JSON.stringify(over)).toThrow(refused('ARTIFACT_BOUNDS_VIOLATION'))
    }
  })
})

describe('submit', () => {
  const error = (status: number, code: string): Reply => ({ status, body: { code, message: 'why' } })
  it.each<[string, Reply, string]>([
    ['pending', { status: 201, body: { ...placed, status: 'PENDING' } }, 'accepted'],
    [
      'rejected with a code',
      { status: 201, body: { ...placed, orderId: '', status: 'REJECTED', code: 'insufficient_funds' } },
      'rejected',
    ],
    ['rejected without a code', { status: 201, body: { ...placed, orderId: '', status: 'REJECTED' } }, 'unknown'],
    ['an undocumented status', { status: 201, body: { ...placed, status: 'ODD' } }, 'unknown'],
    ['400', error(400, 'bad_signature'), 'rejected'],
    ['400 about the minimum notional', error(400, 'order_signed_with_floor_notional'), 'rejected'],
    ['400 with an unknown code', error(400, 'something_else'), 'unknown'],
    ['401', error(401, 'api_key_revoked'), 'refused'],
    ['403', error(403, 'api_key_scope_missing'), 'refused'],
    ['400 with an order error', error(400, 'market_not_open'), 'rejected'],
    ['429', error(429, 'rate_limited'), 'refused'],
    ['429 with another code', error(429, 'something_else'), 'unknown'],
    ['503', error(503, 'matcher_down'), 'unknown'],
    ['a cut connection', 'cut', 'unknown'],
  ])('%s', async (_, reply, kind) => {
    expect((await sent(reply)).kind).toBe(kind)
  })

  it('an immediate match is recorded; an order cancelled on arrival is canceled', async () => {
    expect(await sent({ status: 201, body: { ...placed, status: 'PARTIAL', filledQty: '4.5' } })).toMatchObject({
      matchedSize: '4.5',
    })
    expect(await sent({ status: 201, body: { ...placed, status: 'CANCELLED' } })).toMatchObject({ status: 'canceled' })
  })

  it('sends nothing with a foreign signature, none, or for another owner', async () => {
    const execution = executionOf(await build())
    const other = privateKeyToAccount(`0x${'11'.repeat(32)}`)
    for (const [given, code] of [
      [{ ...read, signature: await sign(execution, other) }, 'INVALID_SIGNATURE'],
      [read, 'VALIDATION_ERROR'],
      [{ ...read, owner: vault, signature: await sign(execution) }, 'VALIDATION_ERROR'],
    ] as const)
      await expect(submit(lane, world.context, execution, given)).rejects.toMatchObject({ code })
    expect(world.seen).toEqual([])
  })
})

describe('refresh', () => {
  const row = { id: orderId, userWallet: owner.toLowerCase(), vault, quantity: '21.5', filledQty: '0', status: 'OPEN' }
  const trade = (over: object = {}) => ({
    id: 't-1',
    orderId,
    price: '0.42',
    quantity: '21.5',
    status: 'settled',
    createdAt: '2026-11-22T12:00:00.000Z',
    ...over,
  })
  /** `instead`: replaces the response with the order’s row. */
  const look = async (
    order: object,
    trades: object[] = [],
    { instead, ...over }: Partial<LaneExecution> & { instead?: Reply } = {},
  ) => {
    const execution = executionOf(await build(), { status: 'acked', venueRef: orderId, ...over })
    const reportedRow = { ...row, clientOrderId: execution.clientRef, ...order }
    world.answer(({ path }) => {
      if (path.endsWith('/fills')) return { body: { orderId, trades } }
      if (path.includes('/open')) return { body: { walletAddress: owner, orders: [reportedRow] } }
      return instead ?? { body: reportedRow }
    })
    return lane.refresh!.read(world.context, execution, lane.refresh!.body.parse(read) as never)
  }
  const updatedAt = '2026-01-01T00:00:00.000Z'

  it.each<[string, object, object[], object]>([
    ['rests', {}, [], { status: 'acked', fills: [], matchedSize: '0' }],
    ['pending', { status: 'PENDING' }, [], { status: 'acked' }],
    [
      'a part',
      { status: 'PARTIAL', filledQty: '4' },
      [trade({ quantity: '4' })],
      { status: 'acked', matchedSize: '4' },
    ],
    [
      'filled',
      { status: 'FILLED', filledQty: '21.5' },
      [trade()],
      { status: 'filled', fills: [{ key: 't-1' }], observation: { fillsReconciled: true } },
    ],
    [
      'filled, not settled yet',
      { status: 'FILLED', filledQty: '21.5' },
      [trade({ status: 'settlement_pending' })],
      { status: null, fills: [], observation: { fillsReconciled: false } },
    ],
    [
      'filled long ago, without any fills',
      { status: 'FILLED', filledQty: '21.5', updatedAt },
      [],
      { status: 'filled', fills: [] },
    ],
    [
      'filled, with a contradicting size',
      { status: 'FILLED', filledQty: '4' },
      [trade({ quantity: '4' })],
      {
        status: null,
        fills: [{ key: 't-1' }],
        observation: { reason: 'the venue reports the order as filled, and 4 of 21.5 as filled' },
      },
    ],
    [
      'partially filled, long ago',
      { status: 'FILLED', filledQty: '4', updatedAt },
      [trade({ quantity: '4' })],
      { status: 'canceled', fills: [{ key: 't-1' }] },
    ],
    ['cancelled but completely filled', { status: 'CANCELLED', filledQty: '21.5' }, [trade()], { status: 'filled' }],
    ['expired but completely filled', { status: 'EXPIRED', filledQty: '21.5' }, [trade()], { status: 'filled' }],
    ['cancelled', { status: 'CANCELLED' }, [], { status: 'canceled' }],
    ['cancelled at resolution', { status: 'CANCELLED_BY_RESOLVE' }, [], { status: 'canceled' }],
    ['expired', { status: 'EXPIRED' }, [], { status: 'expired' }],
    [
      'settlement failed',
      { status: 'SETTLEMENT_FAILED', filledQty: '21.5' },
      [trade()],
      { status: 'failed', fills: [], reason: 'settlement_failed' },
    ],
    ['rejected', { status: 'REJECTED' }, [trade()], { status: 'failed', fills: [] }],
    [
      'a failed trade',
      { status: 'CANCELLED' },
      [trade({ status: 'settlement_failed' })],
      { status: 'canceled', fills: [], withdrawn: [{ key: 't-1' }] },
    ],
  ])('%s', async (_, order, trades, seen) => {
    expect(await look(order, trades)).toMatchObject(seen)
  })

  it.each<[string, object]>([
    ['order id', { id: 'another' }],
    ['wallet', { userWallet: vault }],
    ['vault', { vault: owner }],
    ['vault', { vault: null }],
    ['client order id', { clientOrderId: '6f1c0f38-7f0a-4df6-9d1e-2a8b2f3c4d5e' }],
    ['client order id', { clientOrderId: null }],
  ])('ignores an answer with another %s and reports that', async (what, over) => {
    expect(await look({ status: 'FILLED', filledQty: '21.5', ...over }, [trade()])).toMatchObject({
      status: null,
      fills: [],
      observation: { reason: `the answer is of another ${what}: it was not used` },
    })
  })

  it.each(['a/b', '../../x?y=1'])('does not request an invalid stored order id: %s', async (venueRef) => {
    expect(await look({}, [], { venueRef })).toMatchObject({
      status: null,
      observation: { reason: 'the stored order id is not one of this venue’s' },
    })
  })

  it('an unacknowledged order is found among the open ones by its client order id, or not at all', async () => {
    const lost = { status: 'submitted' as const, venueRef: null }
    expect(await look({}, [], lost)).toMatchObject({ status: 'acked', venueRef: orderId })
    expect(await look({ clientOrderId: 'another' }, [], lost)).toMatchObject({
      status: null,
      observation: { reason: expect.any(String) },
    })
  })

  it('handles an order missing at the venue, and an expired key', async () => {
    const none: Reply = { status: 404, body: { code: 'order_not_found', message: 'Order not found' } }
    const unseen = { status: null, shown: false, observation: { reason: expect.any(String) } }
    expect(await look({}, [], { instead: none })).toMatchObject(unseen)
    const expired: Reply = { status: 401, body: { code: 'api_key_expired' } }
    await expect(look({}, [], { instead: expired })).rejects.toEqual(refused('VENUE_CREDENTIAL_REJECTED'))
  })

  it('an unknown state keeps the status, and its fills are still reported', async () => {
    expect(await look({ status: 'ODD', filledQty: '21.5' }, [trade()])).toMatchObject({
      status: null,
      shown: true,
      matchedSize: '21.5',
      fills: [{ key: 't-1' }],
      observation: { reason: 'the venue reports an unknown order state: ODD', fillsReconciled: true },
    })
  })

  it('a trade in an unknown state is not a fill yet, and does not hide the others', async () => {
    const trades = [trade({ quantity: '20' }), trade({ id: 't-2', quantity: '1.5', status: 'disputed' }), { id: 7 }]
    expect(await look({ status: 'FILLED', filledQty: '21.5' }, trades)).toMatchObject({
      status: null,
      fills: [{ key: 't-1' }],
      observation: { fillsReconciled: false },
    })
  })

  it('a duplicate trade counts once', async () => {
    const half = trade({ quantity: '10.75' })
    expect(await look({ status: 'FILLED', filledQty: '21.5' }, [half, half])).toMatchObject({
      status: null,
      fills: [{ key: 't-1' }],
      observation: { fillsReconciled: false },
    })
  })

  it.each([
    ['FILLED', [trade()], 'filled', '21.5'],
    ['FILLED', [], null, undefined],
    ['CANCELLED', [], null, undefined],
  ])('%s without a count is settled by its fills alone', async (status, trades, expected, matchedSize) => {
    const seen = await look({ status, filledQty: null }, trades)
    expect([seen.status, seen.matchedSize]).toEqual([expected, matchedSize])
  })

  it('more open orders than the read limit do not prove absence', async () => {
    const lost = { status: 'submitted' as const, venueRef: null }
    const execution = executionOf(await build(), lost)
    world.answer(() => ({ body: { orders: [{ ...row, clientOrderId: 'another' }], nextCursor: 'c' } }))
    const seen = await lane.refresh!.read(world.context, execution, lane.refresh!.body.parse(read) as never)
    expect([seen.shown, seen.observation?.reason]).toEqual([undefined, expect.stringContaining('more open orders')])
  })
})
