import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildOrder, executionOf, type LaneWorld, type Reply, submit } from '#test/support/laneWorld'
import type { LaneExecution } from '#venues/lane'
import { feeEstimate } from '#venues/polymarket/exec/fees'
import { polymarketLane as lane } from '#venues/polymarket/exec/index'
import {
  account,
  buy,
  conditionId,
  createWorld,
  credentials,
  funder,
  market,
  owner,
  publicReads,
  tokens,
  type Venue,
} from './world.ts'

let world: LaneWorld
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => {
  world.seen.length = 0
  world.outcomes.splice(0, world.outcomes.length, ...market())
  world.answer((seen) => publicReads(seen))
})
afterAll(() => world.close())

const build = (given: Record<string, unknown> = {}) => buildOrder(lane, world.context, { ...buy, ...given })
const placed = async (given: Partial<LaneExecution> = {}) => executionOf(await build(), given)
const sign = ({ unsigned }: LaneExecution, by = account) => by.signTypedData(unsigned as never)
const read = (execution: LaneExecution) =>
  lane.refresh!.read(world.context, execution, lane.refresh!.body.parse(credentials) as never)

describe('build', () => {
  it('21.04 at 0.56 is the venue’s own vector', async () => {
    const built = await build()
    expect(built.unsigned.message).toMatchObject({
      makerAmount: '11782400',
      takerAmount: '21040000',
      side: 0,
      maker: owner,
      signer: owner,
    })
    expect(built.unsigned.post).toEqual({ orderType: 'GTC', expiration: '0' })
    expect(built.warnings.join()).toMatch(/region/)
    expect(built.notionalUsd).toBe('11.7824')
  })

  it('0.056 on a tick of 0.001 too', async () => {
    world.answer((seen) => publicReads(seen, { tick: 0.001 }))
    expect((await build({ price: 0.056 })).unsigned.message).toMatchObject({
      makerAmount: '1178240',
      takerAmount: '21040000',
    })
  })

  it('size is rounded down to two decimals', async () => {
    expect((await build({ size: '21.0499' })).terms).toMatchObject({ size: '21.04' })
  })

  it('a Safe pays where the owner signs', async () => {
    const built = await build({ signatureType: 2, funder })
    expect(built.unsigned.message).toMatchObject({ maker: funder, signer: owner, signatureType: 2 })
  })

  it('a positive expiresAt builds GTD', async () => {
    expect((await build({ expiresAt: '1800000000' })).unsigned.post).toEqual({
      orderType: 'GTD',
      expiration: '1800000000',
    })
  })

  it.each<[string, Partial<Venue>, boolean | null, string]>([
    ['version 1', { version: 1 }, false, 'EXEC_UNAVAILABLE'],
    ['version 3', { version: 3 }, false, 'EXEC_UNAVAILABLE'],
    ['no version', { version: null }, false, 'NETWORK_ERROR'],
    ['negative-risk at the venue alone', { negRisk: true }, false, 'CATALOG_UNAVAILABLE'],
    ['negative-risk in the catalog alone', {}, true, 'CATALOG_UNAVAILABLE'],
    ['a catalog that does not know', {}, null, 'CATALOG_UNAVAILABLE'],
    ['a tick nobody knows', { tick: 0.03 }, false, 'EXEC_UNAVAILABLE'],
  ])('fails closed: %s', async (_, venue, negRisk, code) => {
    world.outcomes.splice(0, world.outcomes.length, ...market(negRisk))
    world.answer((seen) => publicReads(seen, venue))
    await expect(build()).rejects.toMatchObject({ code })
  })

  it('negative-risk on both sides selects the other exchange', async () => {
    world.outcomes.splice(0, world.outcomes.length, ...market(true))
    world.answer((seen) => publicReads(seen, { negRisk: true }))
    expect((await build()).unsigned.domain).toMatchObject({
      verifyingContract: '0xe2222d279d744050d28e00520010520000310F59',
    })
  })

  it.each([
    { price: '0.565' },
    { price: 0 },
    { price: 1 },
    { price: '5e-1' },
    { size: '0.009' },
    { size: '4.99' },
    { size: '-1' },
    { owner: undefined },
    { owner: '0x1' },
    { funder },
    { signatureType: 1 },
    { signatureType: 2, funder: owner.toLowerCase() },
    { signatureType: 3, funder },
    { expiresAt: 1_790_000_060 },
    { expiresAt: -1 },
    { expiresAt: 1_800_000_000_000 },
    { metadata: '0x12' },
    { builder: 'x' },
    { asset: tokens[0] },
    { outcomeSide: undefined },
    { privateKey: 'x' },
    { apiKey: 'x' },
    { nonsense: 1 },
  ])('refuses %j', async (given) => {
    await expect(build(given)).rejects.toThrow()
  })

  it.each([
    ['7.575758', '0.66', '0.05', '0.085'],
    ['5', '0.31', '0.05', '0.05347'],
  ])('a taker of %s at %s pays the recorded fee', (size, price, rate, taker) => {
    expect(feeEstimate({ rate, exponent: 1 }, price, size)).toMatchObject({ taker, maker: '0' })
  })

  it.each([
    ['0.5', '1.5625'],
    ['0.3', '1.1025'],
  ])('the curve’s vector at %s', (price, taker) => {
    expect(feeEstimate({ rate: '0.25', exponent: 2 }, price, '100')).toMatchObject({ taker })
  })

  it('bounds hold each field', async () => {
    const { unsigned, bounds } = await build()
    const message = unsigned.message as Record<string, string>
    const changed = (given: object) => ({ ...unsigned, message: { ...message, ...given } })
    for (const wrong of [
      changed({ makerAmount: '11782401' }),
      changed({ takerAmount: '21039999' }),
      changed({ maker: funder }),
      changed({ tokenId: '7' }),
      changed({ side: 1 }),
      changed({ salt: '9007199254740993' }),
      { ...unsigned, post: { orderType: 'GTD', expiration: '1800000000' } },
      {
        ...unsigned,
        domain: { ...(unsigned.domain as object), verifyingContract: '0xe2222d279d744050d28e00520010520000310F59' },
      },
      { ...unsigned, types: {} },
      { ...unsigned, more: 1 },
    ]) {
      expect(() => lane.checkBounds(wrong as never, bounds)).toThrowError(
        expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
      )
    }
  })
})

describe('submit', () => {
  const error = (status: number, text: string): Reply => ({ status, body: { error: text } })
  const cases: [string, Reply, string][] = [
    ['live', { body: { success: true, orderID: '0x1', status: 'live' } }, 'accepted'],
    ['200 with a refusal', { body: { success: false, errorMsg: 'not enough balance / allowance' } }, 'rejected'],
    ['200 with text and no order', { body: { success: true, orderID: '', errorMsg: 'invalid nonce' } }, 'rejected'],
    ['200 of no shape', { body: {} }, 'unknown'],
    ['400', error(400, 'invalid signature'), 'rejected'],
    ['a duplicate', error(400, 'order 0x1 is invalid. Duplicated.'), 'unknown'],
    ['context canceled', error(400, 'context canceled'), 'unknown'],
    ['another’s key', error(400, 'the order owner has to be the owner of the API KEY'), 'refused'],
    ['401', error(401, 'Unauthorized/Invalid api key'), 'refused'],
    ['403 of the edge', { status: 403, text: '<html>' }, 'refused'],
    ['400 of a proxy', { status: 400, text: '<html>' }, 'unknown'],
    ['425', { status: 425 }, 'refused'],
    ['429', error(429, 'Too Many Requests'), 'refused'],
    ['500', error(500, 'could not insert order'), 'unknown'],
    ['503 closed', error(503, 'Trading is currently disabled. Check polymarket.com for updates'), 'rejected'],
    ['503', { status: 503, text: 'busy' }, 'unknown'],
    ['a cut connection', 'cut', 'unknown'],
  ]
  it.each(cases)('%s', async (_, reply, kind) => {
    const execution = await placed()
    world.answer(() => reply)
    world.seen.length = 0
    const { outcome, prepared } = await submit(lane, world.context, execution, {
      ...credentials,
      signature: await sign(execution),
    })
    expect(outcome.kind).toBe(kind)
    expect(prepared.venueRef).toBe(execution.clientRef)
    expect(JSON.stringify(prepared)).not.toContain(credentials.apiKey)
    expect(world.seen).toHaveLength(1)
  })

  it('refuses a signature of anybody else, over anything else, or none, and sends nothing', async () => {
    const execution = await placed()
    const other = privateKeyToAccount(`0x${'11'.repeat(32)}`)
    world.seen.length = 0
    for (const signature of [
      await sign(execution, other),
      await sign(await placed()),
      `0x${'00'.repeat(65)}`,
      undefined,
    ]) {
      world.seen.length = 0
      await expect(submit(lane, world.context, execution, { ...credentials, signature })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      })
      expect(world.seen).toHaveLength(0)
    }
  })

  it('cancel is DELETE /order under L2 headers', async () => {
    const execution = await placed()
    const target = { ...execution, venueRef: execution.clientRef, status: 'acked' as const }
    const built = await lane.cancel!.build(world.context, target, {} as never)
    lane.checkBounds(built.unsigned, built.bounds)
    world.answer(() => ({ body: { canceled: [target.venueRef], not_canceled: {} } }))
    const { outcome } = await submit(lane, world.context, executionOf(built, { target }, 'cancel'), credentials)
    expect(outcome).toMatchObject({ kind: 'accepted', venueRef: target.venueRef })
    expect(world.seen.at(-1)).toMatchObject({
      method: 'DELETE',
      path: '/order',
      text: JSON.stringify({ orderID: target.venueRef }),
    })
    world.answer(() => ({ body: { canceled: [], not_canceled: { [target.venueRef!]: 'already matched' } } }))
    const again = await submit(lane, world.context, executionOf(built, { target }, 'cancel'), credentials)
    expect(again.outcome).toEqual({ kind: 'rejected', reason: 'already matched' })
  })
})

it('redeem goes to the adapter of the market’s kind, once it no longer trades', async () => {
  const redeem = (body: unknown) => lane.redeem!.build(world.context, lane.redeem!.body.parse(body) as never)
  await expect(redeem({ outcome: '512345', owner })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  for (const [negRisk, to] of [
    [false, '0xAdA100Db00Ca00073811820692005400218FcE1f'],
    [true, '0xadA2005600Dec949baf300f4C6120000bDB6eAab'],
  ] as const) {
    world.outcomes.splice(0, world.outcomes.length, ...market(negRisk, 'resolved'))
    const built = await redeem({ outcome: '512345', owner })
    lane.checkBounds(built.unsigned, built.bounds)
    expect(built.unsigned).toMatchObject({ to, value: '0', chainId: 137 })
  }
})

describe('refresh', () => {
  const trade = (id: string, given: Record<string, unknown>) => ({
    id,
    taker_order_id: '0xother',
    market: conditionId,
    asset_id: tokens[0],
    side: 'BUY',
    size: '21.04',
    price: '0.56',
    status: 'MATCHED',
    match_time: '1790000001',
    owner: 'canary-owner',
    maker_orders: [],
    ...given,
  })
  const answer = (order: unknown, trades: unknown[]) =>
    world.answer(({ path }) =>
      path.startsWith('/data/trades')
        ? { body: { data: trades, next_cursor: 'LTE=' } }
        : path.startsWith('/data/orders')
          ? { body: { data: [], next_cursor: 'LTE=' } }
          : order === null
            ? { status: 404, body: { error: 'order not found' } }
            : { body: order },
    )
  const row = (id: string, status: string) => ({ id, status, original_size: '21.04', size_matched: '0', price: '0.56' })

  it.each([
    ['LIVE', 'acked'],
    ['ORDER_STATUS_LIVE', 'acked'],
    ['MATCHED', 'filled'],
    ['CANCELED', 'canceled'],
    ['ORDER_STATUS_CANCELED_MARKET_RESOLVED', 'canceled'],
    ['INVALID', 'failed'],
  ])('%s is %s', async (word, status) => {
    const execution = await placed({ status: 'acked' })
    answer(row(execution.clientRef!, word), [])
    expect((await read(execution)).status).toBe(status)
  })

  it('fills come from trades, as taker and as maker, never failed ones, without anybody’s key', async () => {
    const execution = await placed({ status: 'submitted' })
    const id = execution.clientRef!
    const maker = {
      order_id: id,
      matched_amount: '1.04',
      price: '0.56',
      asset_id: tokens[0],
      side: 'BUY',
      owner: 'canary-owner',
    }
    answer(null, [
      trade('t1', { taker_order_id: id, size: '20' }),
      trade('t2', { maker_orders: [maker] }),
      trade('t3', { taker_order_id: id, status: 'FAILED' }),
      trade('t4', {}),
    ])
    const seen = await read(execution)
    expect(seen).toMatchObject({ status: 'filled', venueRef: id })
    expect(seen.fills.map(({ key }) => key)).toEqual(['t1:0', 't2:0'])
    expect(JSON.stringify(seen)).not.toContain('canary')
  })

  it('absence proves an end only of what was accepted and is not new', async () => {
    answer(null, [])
    world.answer((seen) => publicReads(seen))
    const submitted = await placed({ status: 'submitted' })
    answer(null, [])
    expect((await read(submitted)).status).toBeNull()
    const now = world.clock.now()
    expect((await read({ ...submitted, status: 'acked', createdAt: now - 1_000 })).status).toBeNull()
    expect((await read({ ...submitted, status: 'acked', createdAt: now - 60_000 })).status).toBe('canceled')
  })

  it('an unknown state fails loudly, a wrong key is told', async () => {
    const execution = await placed({ status: 'acked' })
    answer(row(execution.clientRef!, 'ODD'), [])
    await expect(read(execution)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    world.answer(() => ({ status: 401, body: { error: 'Invalid API key' } }))
    await expect(read(execution)).rejects.toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED' })
  })
})
