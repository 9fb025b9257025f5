import { constants, generateKeyPairSync, verify } from 'node:crypto'
import fc from 'fast-check'
import { BookSide, CreateOrderV2RequestTimeInForceEnum, SelfTradePreventionType } from 'kalshi-typescript'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  binaryMarket,
  buildOrder,
  createLaneWorld,
  executionOf,
  type LaneWorld,
  type Reply,
  submit,
} from '#test/support/laneWorld'
import { feeEstimate } from '#venues/kalshi/exec/build'
import { kalshiLane as lane } from '#venues/kalshi/exec/index'
import type { LaneExecution } from '#venues/lane'

const ticker = 'KXTEST-26-A'
const buy = { outcome: ticker, outcomeSide: 'YES', isBuy: true, price: '0.62', size: 4 }
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const credentials = {
  apiKeyId: 'canary-key-id-5d20',
  privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
}
const base = '/trade-api/v2'
const orders = '/portfolio/events/orders'
const fees = { feeType: 'quadratic', multiplier: 1, takerRate: 0.07, makerRate: 0 }

let world: LaneWorld
beforeAll(async () => {
  world = await createLaneWorld('kalshi', ['REST'])
  world.context = { ...world.context, urls: { REST: `${world.url}${base}` } }
})
beforeEach(() => {
  world.seen.length = 0
  const rows = binaryMarket('kalshi', ticker, [ticker, `${ticker}-NO`], {
    sourceMetadata: { marketType: 'binary', fees },
  })
  world.outcomes.splice(0, world.outcomes.length, ...rows)
})
afterAll(() => world.close())

const build = (given: Record<string, unknown> = {}) => buildOrder(lane, world.context, { ...buy, ...given })
const placed = async (given: Partial<LaneExecution> = {}) => executionOf(await build(), given)
const read = (execution: LaneExecution) =>
  lane.refresh!.read(world.context, execution, lane.refresh!.body.parse(credentials) as never)

/** Checks the signature over exactly timestamp, method and path, as the venue does. */
function expectSigned(at = -1): void {
  const seen = world.seen.at(at)!
  const { 'kalshi-access-timestamp': time, 'kalshi-access-signature': signature } = seen.headers
  const text = `${String(time)}${seen.method}${seen.path.split('?')[0]}`
  const key = { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
  expect(verify('sha256', Buffer.from(text), key, Buffer.from(String(signature), 'base64'))).toBe(true)
  expect(seen.headers['kalshi-access-key']).toBe(credentials.apiKeyId)
}

it('is off unless the deployment says otherwise', () => {
  expect(lane.defaultOff).toBe(true)
})

describe('the artifact', () => {
  it('buying 4 NO at 0.62 is the venue’s own vector', async () => {
    world.answer(() => ({ status: 201, body: { order_id: 'o-1' } }))
    const built = await build({ outcomeSide: 'NO' })
    await submit(lane, world.context, executionOf(built), credentials)
    expect(world.seen[0]!.text).toBe(
      `{"ticker":"${ticker}","client_order_id":"${built.clientRef}","side":"ask","count":"4.00","price":"0.3800","time_in_force":"good_till_canceled","self_trade_prevention_type":"taker_at_cross"}`,
    )
  })

  it.each([
    ['YES', true, 'bid', '0.6200'],
    ['YES', false, 'ask', '0.6200'],
    ['NO', true, 'ask', '0.3800'],
    ['NO', false, 'bid', '0.3800'],
  ])('%s, buying %s: %s at %s of YES', async (outcomeSide, isBuy, side, price) => {
    expect((await build({ outcomeSide, isBuy })).unsigned).toMatchObject({ side, price })
  })

  it('an outcome id alone names its side', async () => {
    expect((await build({ outcome: `${ticker}-NO`, outcomeSide: undefined })).unsigned).toMatchObject({ side: 'ask' })
  })

  it('reduce_only is there when asked for, and never false', async () => {
    expect((await build({ reduceOnly: true })).unsigned.reduce_only).toBe(true)
    expect((await build({ reduceOnly: false })).unsigned).not.toHaveProperty('reduce_only')
  })

  it.each([
    ['1.75', 0.5, '100'],
    ['1.32', 0.25, '100'],
    ['0.63', 0.1, '100'],
    ['0.34', 0.05, '100'],
    ['0.07', 0.01, '100'],
    ['0.02', 0.5, '1'],
  ])('a taker pays %s at %s for %s', (taker, price, size) => {
    expect(feeEstimate(fees, String(price), size)).toMatchObject({ taker, maker: '0.00' })
    expect(feeEstimate(null, String(price), size)).toBeNull()
  })

  it.each([
    { price: '0.625' },
    { price: 0 },
    { price: 1 },
    { price: '1e-1' },
    { size: 0 },
    { size: '1.5' },
    { size: -1 },
    { size: '1000000000' },
    { timeInForce: 'fill-or-kill' },
    { outcome: undefined, outcomeSide: undefined },
    { asset: ticker },
    { reduceOnly: 1 },
    { apiKeyId: 'x' },
    { privateKeyPem: 'x' },
    { nonsense: 1 },
    { isBuy: 'yes' },
  ])('refuses %j', async (given) => {
    await expect(build(given)).rejects.toThrow()
  })

  it('bounds hold each field', async () => {
    const { unsigned, bounds } = await build()
    for (const wrong of [
      { side: 'ask' },
      { price: '0.6300' },
      { count: '5.00' },
      { ticker: 'KXOTHER' },
      { reduce_only: true },
      { time_in_force: 'fill_or_kill' },
      { price: '0.0000' },
      { count: '0.00' },
      { more: 1 },
    ]) {
      expect(() => lane.checkBounds({ ...unsigned, ...wrong } as never, bounds)).toThrowError(
        expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
      )
    }
  })

  it('1,000 random orders have the venue’s words and a signature that verifies', async () => {
    world.answer(() => ({ status: 201, body: { order_id: 'o-1' } }))
    const any = fc.record({
      outcomeSide: fc.constantFrom('YES' as const, 'NO' as const),
      isBuy: fc.boolean(),
      cents: fc.integer({ min: 1, max: 99 }),
      size: fc.integer({ min: 1, max: 999_999_999 }),
      reduceOnly: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(any, async ({ outcomeSide, isBuy, cents, size, reduceOnly }) => {
        world.seen.length = 0
        const built = await build({ outcomeSide, isBuy, price: cents / 100, size, reduceOnly })
        await submit(lane, world.context, executionOf(built), credentials)
        const yes = outcomeSide === 'YES' ? cents : 100 - cents
        expect(JSON.parse(world.seen[0]!.text)).toEqual({
          ticker,
          client_order_id: built.clientRef,
          side: isBuy === (outcomeSide === 'YES') ? BookSide.Bid : BookSide.Ask,
          count: `${size}.00`,
          price: (yes / 100).toFixed(4),
          time_in_force: CreateOrderV2RequestTimeInForceEnum.GoodTillCanceled,
          self_trade_prevention_type: SelfTradePreventionType.TakerAtCross,
          ...(reduceOnly ? { reduce_only: true } : {}),
        })
        expect([world.seen[0]!.method, world.seen[0]!.path]).toEqual(['POST', `${base}${orders}`])
        expectSigned()
      }),
      { numRuns: 1_000 },
    )
  }, 120_000)
})

describe('submit', () => {
  const cases: [string, Reply, string][] = [
    ['201', { status: 201, body: { order_id: 'o-1' } }, 'accepted'],
    ['201 of no shape', { status: 201, body: {} }, 'unknown'],
    [
      '400 insufficient_balance',
      { status: 400, body: { error: { code: 'insufficient_balance', message: 'x' } } },
      'rejected',
    ],
    ['400 bare', { status: 400, body: { code: 'bad_request', message: 'bad request' } }, 'rejected'],
    ['400 of a proxy', { status: 400, text: '<html>' }, 'unknown'],
    ['401', { status: 401, body: { error: { code: 'authentication_error', details: 'NOT_FOUND' } } }, 'refused'],
    ['409 of our own id', { status: 409, body: { error: { code: 'order_already_exists' } } }, 'unknown'],
    ['429', { status: 429, body: { error: 'too many requests' } }, 'refused'],
    ['500', { status: 500, body: { error: { code: 'internal' } } }, 'unknown'],
    ['a cut connection', 'cut', 'unknown'],
  ]
  it.each(cases)('%s', async (_, reply, kind) => {
    world.answer(() => reply)
    expect((await submit(lane, world.context, await placed(), credentials)).outcome.kind).toBe(kind)
    expect(world.seen).toHaveLength(1)
  })

  it('an unreadable key sends nothing and is not shown', async () => {
    const bad = submit(lane, world.context, await placed(), { ...credentials, privateKeyPem: 'canary-pem' })
    await expect(bad).rejects.toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED' })
    await expect(bad).rejects.not.toThrow(/canary/)
    expect(world.seen).toHaveLength(0)
  })

  it('cancel is one fixed DELETE without a body', async () => {
    const target = await placed({ venueRef: 'o-1', status: 'acked' })
    const built = await lane.cancel!.build(world.context, target, {} as never)
    expect(built.unsigned).toEqual({ order_id: 'o-1' })
    lane.checkBounds(built.unsigned, built.bounds)
    world.answer(() => ({ body: { order_id: 'o-1', reduced_by: '4.00', ts_ms: 1 } }))
    const { outcome } = await submit(lane, world.context, executionOf(built, { target }, 'cancel'), credentials)
    expect(outcome).toMatchObject({ kind: 'accepted', venueRef: 'o-1' })
    expect(world.seen[0]).toMatchObject({ method: 'DELETE', path: `${base}${orders}/o-1`, text: '' })
    expectSigned()
  })

  it('modify amends, under a new client order id', async () => {
    const target = await placed({ venueRef: 'o-1', status: 'acked' })
    const built = await lane.modify!.build(world.context, target, { price: '0.6' } as never)
    lane.checkBounds(built.unsigned, built.bounds)
    world.answer(() => ({ body: { order_id: 'o-1' } }))
    const { outcome } = await submit(lane, world.context, executionOf(built, { target }, 'modify'), credentials)
    expect(outcome).toMatchObject({ kind: 'accepted', venueRef: 'o-1' })
    expect(JSON.parse(world.seen[0]!.text)).toEqual({
      ticker,
      side: 'bid',
      price: '0.6000',
      count: '4.00',
      client_order_id: target.clientRef,
      updated_client_order_id: built.clientRef,
    })
    expectSigned()
  })
})

describe('refresh', () => {
  const row = (given: Record<string, unknown> = {}) => ({
    order_id: 'o-1',
    ticker,
    status: 'resting',
    initial_count_fp: '4.00',
    fill_count_fp: '0.00',
    remaining_count_fp: '4.00',
    ...given,
  })
  const fill = {
    fill_id: 'f-1',
    order_id: 'o-1',
    ticker,
    count_fp: '4.00',
    yes_price_dollars: '0.6200',
    created_time: '2026-09-21T12:00:00.123456Z',
  }
  it.each([
    ['resting', '0.00', 'acked'],
    ['pending', '0.00', 'acked'],
    ['executed', '4.00', 'filled'],
    ['executed', '1.00', 'canceled'],
    ['canceled', '1.00', 'canceled'],
  ])('%s with %s filled is %s', async (status, fill_count_fp, expected) => {
    world.answer(({ path }) =>
      path.includes('/fills')
        ? { body: { fills: [fill], cursor: '' } }
        : { body: { order: row({ status, fill_count_fp }) } },
    )
    const seen = await read(await placed({ venueRef: 'o-1', status: 'acked' }))
    expect(seen.status).toBe(expected)
    expect(seen.fills.map(({ key }) => key)).toEqual(fill_count_fp === '0.00' ? [] : ['f-1'])
    expectSigned()
  })

  it('a lost answer is settled by the client order id', async () => {
    const execution = await placed({ status: 'submitted' })
    world.answer(({ path }) =>
      path.includes('cursor=')
        ? { body: { orders: [row({ client_order_id: execution.clientRef })], cursor: '' } }
        : { body: { orders: [row()], cursor: 'c' } },
    )
    expect(await read(execution)).toMatchObject({ status: 'acked', venueRef: 'o-1' })
  })

  it('404 proves nothing, an unknown state fails loudly, 401 is the key', async () => {
    const execution = await placed({ venueRef: 'o-1', status: 'acked' })
    world.answer(() => ({ status: 404, body: { error: { code: 'not_found' } } }))
    expect(await read(execution)).toMatchObject({ status: null, fills: [] })
    world.answer(() => ({ body: { order: row({ status: 'odd' }) } }))
    await expect(read(execution)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    world.answer(() => ({ status: 401, body: { error: { code: 'authentication_error' } } }))
    await expect(read(execution)).rejects.toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED' })
  })
})
