import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildOrder, executionOf, type LaneWorld, type Reply, submit } from '#test/support/laneWorld'
import { Credentials } from '#venues/gemini/exec/auth'
import { feeEstimate } from '#venues/gemini/exec/build'
import { geminiLane as lane } from '#venues/gemini/exec/index'
import { knownOrderStates } from '#venues/gemini/exec/wire'
import type { LaneExecution } from '#venues/lane'
import { buy, createWorld, credentials, market, payloadOf, symbol } from './world.ts'

let world: LaneWorld
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => {
  world.seen.length = 0
  world.outcomes.splice(0, world.outcomes.length, ...market())
})
afterAll(() => world.close())

const build = (given: Record<string, unknown> = {}) => buildOrder(lane, world.context, { ...buy, ...given })
const placed = async (given: Partial<LaneExecution> = {}) => executionOf(await build(), given)
const paths = () => world.seen.map(({ path }) => path)

const row = (given: Record<string, unknown> = {}) => ({
  orderId: 7,
  status: 'open',
  symbol,
  side: 'buy',
  outcome: 'yes',
  orderType: 'limit',
  quantity: '10',
  filledQuantity: '0',
  remainingQuantity: '10',
  price: '0.20',
  createdAt: '2026-09-21T12:00:00Z',
  updatedAt: '2026-09-21T12:00:05Z',
  ...given,
})

it('is disabled unless the deployment enables it', () => {
  expect(lane.defaultOff).toBe(true)
})

describe('an order', () => {
  it.each([
    ['price', { price: '0.42', size: 50 }],
    ['size', { price: '0.40', size: 3 }],
    ['size', { price: '0.40', size: 55 }],
  ])('is rejected when its %s does not fit the contract’s grid', async (field, given) => {
    const grid = { priceMinimum: '0.05', quantityIncrement: '10', quantityMinimum: '50' }
    world.outcomes.splice(0, world.outcomes.length, ...market({ instrumentSymbol: symbol, ...grid }, 0.05))
    await expect(build(given)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining(field),
    })
    expect((await build({ price: '0.40', size: 60 })).unsigned).toMatchObject({ quantity: '60', price: '0.40' })
  })

  it('accepts fractions when the contract’s size step is below one, with the maximum price mirroring the minimum', async () => {
    const grid = { priceMinimum: '0.0001', quantityIncrement: '0.01', quantityMinimum: '1.00' }
    world.outcomes.splice(0, world.outcomes.length, ...market({ instrumentSymbol: symbol, ...grid }, 0.0001))
    const built = await build({ price: '0.9999', size: '1.5' })
    expect(built).toMatchObject({ unsigned: { quantity: '1.5', price: '0.9999' }, notionalUsd: '1.49985' })
    for (const given of [{ size: '1.505' }, { size: '0.5' }, { price: '1' }, { price: '0.99995' }])
      await expect(build(given)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    const onlyStep = { quantityIncrement: '0.01' }
    world.outcomes.splice(0, world.outcomes.length, ...market({ instrumentSymbol: symbol, ...onlyStep }, 0.01))
    expect((await build({ size: '0.5' })).unsigned).toMatchObject({ quantity: '0.5' })
  })

  it('has the exact payload except for the nonce', async () => {
    const built = await build()
    expect(built.unsigned).toEqual({
      request: '/v1/prediction-markets/order',
      symbol,
      orderType: 'limit',
      side: 'buy',
      outcome: 'yes',
      quantity: '10',
      price: '0.20',
      timeInForce: 'good-til-cancel',
      clientOrderId: built.clientRef,
    })
    expect(built).toMatchObject({
      terms: { marketId: symbol, outcomeId: symbol, outcomeSide: 'YES', isBuy: true, price: '0.2', size: '10' },
      notionalUsd: '2',
    })
  })

  it('derives the leg from the catalog, by side or by outcome id', async () => {
    for (const selector of [
      { outcomeSide: 'NO' },
      { outcome: undefined, outcomeSide: undefined, asset: `${symbol}-NO` },
    ]) {
      const built = await build({ ...selector, isBuy: false })
      expect(built.unsigned).toMatchObject({ outcome: 'no', side: 'sell', symbol })
      expect(built.notionalUsd).toBe('8')
    }
  })

  it.each([
    ['100', '0.1', 'maker', '0.1'],
    ['100', '0.5', 'maker', '0.5'],
    ['100', '0.4', 'taker', '2'],
    ['100', '0.9', 'taker', '0.5'],
  ])('%s contracts at %s cost the published %s fee of %s', (contracts, price, side, fee) => {
    expect(feeEstimate(contracts, price)).toMatchObject({ [side]: fee })
  })
})

describe('a body is refused', () => {
  it.each([
    ['with apiKey', { apiKey: 'k' }, /apiKey.*credentials/],
    ['with apiSecret', { apiSecret: 's' }, /apiSecret.*credentials/],
    ['with a type, as only limit orders exist', { type: 'market' }, /unknown: type/],
    ['with an owner', { owner: '0x1' }, /unknown: owner/],
    ['without a side', { outcomeSide: undefined }, /outcomeSide/],
    ['with both selectors', { asset: symbol }, /asset alone/],
    ['without isBuy', { isBuy: undefined }, /isBuy/],
  ])('%s', (_, given, message) => {
    const parsed = lane.order.body.safeParse({ ...buy, ...given })
    expect(parsed.success).toBe(false)
    expect(JSON.stringify(parsed.error?.issues)).toMatch(message)
  })

  it.each([
    ['price 0', { price: 0 }],
    ['price 1', { price: 1 }],
    ['a price off the tick', { price: '0.205' }],
    ['a price in exponents', { price: '2e-1' }],
    ['size 0', { size: 0 }],
    ['a fraction', { size: '1.5' }],
    ['a negative size', { size: -1 }],
    ['a size beyond the maximum', { size: '999999999999' }],
  ])('for %s', async (_, given) => {
    await expect(build(given)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

describe('incomplete catalog facts', () => {
  it.each([
    ['no symbol', () => market({})],
    ['a symbol of another format', () => market({ instrumentSymbol: 'BTCUSD' })],
    ['no tick', () => market(undefined, null)],
  ])('reject %s', async (_, rows) => {
    world.outcomes.splice(0, 2, ...rows())
    await expect(build()).rejects.toMatchObject({ code: 'CATALOG_UNAVAILABLE' })
  })

  it('reject a market that takes no orders', async () => {
    const rows = market().map((entry) => ({ ...entry, market: { ...entry.market, status: 'resolved' as const } }))
    world.outcomes.splice(0, 2, ...rows)
    await expect(build()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

describe('bounds are enforced at submit', () => {
  it.each([
    ['another instrument', { symbol: 'GEMI-OTHER-AAA' }],
    ['the other leg', { outcome: 'no' }],
    ['the other side', { side: 'sell' }],
    ['a worse price', { price: '0.21' }],
    ['a price off the tick', { price: '0.195' }],
    ['more contracts', { quantity: '11' }],
    ['another order type', { orderType: 'stop-limit' }],
    ['a nonce', { nonce: 1 }],
    ['another call', { request: '/v1/withdraw/usd' }],
  ])('against %s', async (_, change) => {
    const { unsigned, bounds } = await build()
    expect(() => lane.checkBounds({ ...unsigned, ...change }, bounds)).toThrowError(
      expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
    )
  })
})

describe('venue responses to an order', () => {
  const relayed = async (reply: Reply) => {
    world.answer(() => reply)
    return (await submit(lane, world.context, await placed(), credentials)).outcome
  }
  const error = (reason: string, message = 'because', status = 400): Reply => ({
    status,
    body: { result: 'error', reason, message },
  })

  it('is accepted with all digits of the order id, and the stored artifact contains no auth', async () => {
    world.answer(() => ({
      text: `{"orderId":145000000000000001,"status":"filled","symbol":"${symbol}","side":"buy","outcome":"yes"}`,
    }))
    const { prepared, outcome } = await submit(lane, world.context, await placed(), credentials)
    expect(outcome).toMatchObject({ kind: 'accepted', venueRef: '145000000000000001', status: 'acked', fills: [] })
    expect(JSON.stringify(prepared)).not.toMatch(/nonce|secret|apikey|signature/i)
  })

  it.each([
    'InsufficientFunds',
    'InvalidQuantity',
    'InvalidPrice',
    'LimitPriceOffTick',
    'InvalidTotalSpend',
    'InsufficientLiquidity',
    'UnknownInstrument',
    'MarketNotOpen',
    'TERMS_NOT_ACCEPTED',
    'SelfCrossPrevented',
    'MakerOrCancelWouldTake',
    'InvalidInput',
    'ACCOUNT_RESTRICTED_SELL_ONLY',
  ])('%s means rejected, in both error formats and under any status', async (reason) => {
    const expected = { kind: 'rejected', reason: `${reason}: because` }
    expect(await relayed(error(reason))).toEqual(expected)
    expect(await relayed(error(reason, 'because', 200))).toEqual(expected)
    expect(await relayed({ status: 406, body: { error: reason, message: 'because' } })).toEqual(expected)
  })

  it('a blocked account is rejected with the venue’s explanation', async () => {
    const body = { error: 'This account is not permitted to trade prediction markets', code: 'ACCOUNT_GROUP_BLOCKED' }
    expect(await relayed({ status: 403, body })).toEqual({
      kind: 'rejected',
      reason: 'ACCOUNT_GROUP_BLOCKED: This account is not permitted to trade prediction markets',
    })
  })

  it('a differently worded limit under 429 also allows the order to be sent again', async () => {
    expect(await relayed({ status: 429, body: { error: 'TooManyRequests', message: 'slow down' } })).toMatchObject({
      kind: 'refused',
      code: 'NETWORK_ERROR',
    })
  })

  it('a key without time-based nonces has its own code and may submit again', async () => {
    const message = "Nonce '1498482583' has not increased since your last call to the Gemini API."
    expect(await relayed(error('InvalidNonce', message))).toEqual({
      kind: 'refused',
      reason: `InvalidNonce: ${message}`,
      code: 'GEMINI_TIME_NONCE_REQUIRED',
    })
  })

  it('a wrong clock is not reported as a credential error', async () => {
    const message = "Nonce '1695066299' is not within 30 seconds of server time '1695066399'"
    expect(await relayed(error('InvalidNonce', message))).toEqual({
      kind: 'refused',
      reason: expect.stringMatching(/slow to arrive, or the clocks disagree; nothing was placed$/),
      code: 'NETWORK_ERROR',
    })
  })

  it.each([
    ['HeartbeatRequired', 'send one'],
    ['InvalidApiKey', 'Keys that require a heartbeat are not supported here'],
  ])('a heartbeat key has its own code: %s', async (reason, message) => {
    expect(await relayed(error(reason, message))).toMatchObject({
      kind: 'refused',
      code: 'GEMINI_HEARTBEAT_KEY_UNSUPPORTED',
    })
  })

  it.each(['InvalidSignature', 'MissingRole', 'InvalidApiKey'])(
    '%s means refused: the venue did not process the order',
    async (reason) => {
      expect(await relayed(error(reason))).toEqual({ kind: 'refused', reason: `${reason}: because` })
    },
  )

  it.each([200, 400, 429])('a rate limit with status %i is not a credential error', async (status) => {
    expect(await relayed({ status, body: { result: 'error', reason: 'RateLimit', message: 'slow down' } })).toEqual({
      kind: 'refused',
      reason: 'the venue limits requests; nothing was placed',
      code: 'NETWORK_ERROR',
    })
  })

  it.each([
    ['a duplicate of our own client order id', error('DuplicateOrder')],
    ['an error inside the venue', error('System')],
    ['a 403 from the CDN', { status: 403, text: '<html>' }],
    ['an undocumented code', error('SomethingNew')],
    ['500', { status: 500, body: { result: 'error', reason: 'InvalidPrice' } }],
    ['503', { status: 503, text: '' }],
    ['408', { status: 408, text: '' }],
    ['a redirect', { status: 301, headers: { location: '/x' } }],
    ['200 without an order', { body: {} }],
    ['200 in HTML', { text: '<html>' }],
    ['a cut connection', 'cut'],
  ])('%s leaves the outcome unknown, and nothing is sent again', async (_, reply) => {
    expect(await relayed(reply as Reply)).toMatchObject({ kind: 'unknown' })
    expect(world.seen).toHaveLength(1)
  })

  it('a refused connection means nothing was sent', async () => {
    const context = { ...world.context, urls: { REST: 'http://127.0.0.1:1' } }
    expect((await submit(lane, context, await placed(), credentials)).outcome).toMatchObject({ kind: 'refused' })
  })
})

describe('a cancellation', () => {
  it('sends the stored id as an integer with all its digits', async () => {
    const built = await lane.cancel!.build(world.context, await placed({ venueRef: '145000000000000001' }), {} as never)
    expect(built.unsigned).toEqual({ request: '/v1/prediction-markets/order/cancel', orderId: '145000000000000001' })
    world.answer(() => ({ body: { result: 'ok', message: 'cancelled' } }))
    const { outcome } = await submit(lane, world.context, executionOf(built, {}, 'cancel'), credentials)
    expect(outcome).toMatchObject({ kind: 'accepted', venueRef: '145000000000000001' })
    expect(payloadOf(world.seen[0]!)).toMatch(/"orderId":145000000000000001}$/)
    expect(() => lane.checkBounds({ ...built.unsigned, orderId: '2' }, built.bounds)).toThrow()
  })

  it('of an order without an id is rejected, and takes no credential at build', async () => {
    await expect(lane.cancel!.build(world.context, await placed(), {} as never)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
    expect(lane.cancel!.body.safeParse(credentials).success).toBe(false)
  })
})

describe('refresh', () => {
  const read = async (given: Partial<LaneExecution> = { status: 'acked', venueRef: '7' }, execution?: LaneExecution) =>
    lane.refresh!.read(world.context, execution ?? (await placed(given)), Credentials.parse(credentials) as never)
  const lists = (active: unknown[], history: unknown[]) =>
    world.answer((seen) => {
      const isActive = seen.path.endsWith('/active')
      const rows = JSON.parse(payloadOf(seen)).offset === 0 ? (isActive ? active : history) : []
      return { body: isActive ? { orders: rows } : rows }
    })

  it('finds an open order in the open list without reading the history', async () => {
    lists([row({ orderId: 6 }), row()], [])
    expect(await read()).toMatchObject({ status: 'acked', venueRef: '7', fills: [] })
    expect(paths()).toEqual(['/v1/prediction-markets/orders/active'])
    expect(payloadOf(world.seen[0]!)).toContain(`"symbol":"${symbol}","limit":100,"offset":0`)
  })

  it('finds a closed order in the history, page by page', async () => {
    const page = Array.from({ length: 100 }, (_, i) => row({ orderId: 1_000 + i, status: 'filled' }))
    world.answer((seen) => {
      if (seen.path.endsWith('/active')) return { body: { orders: [] } }
      const { offset } = JSON.parse(payloadOf(seen))
      return { body: offset === 0 ? page : [row({ status: 'filled', filledQuantity: '10', remainingQuantity: '0' })] }
    })
    const { status, fills } = await read()
    expect(status).toBe('filled')
    expect(fills).toMatchObject([
      { key: '7:sum', filledAt: Date.parse('2026-09-21T12:00:05Z'), fill: { filledQuantity: '10', aggregate: true } },
    ])
    expect(paths()).toHaveLength(3)
  })

  it('finds an order whose submit got no response by client order id, and learns the venue’s id', async () => {
    const execution = await placed({ status: 'submitted', venueRef: null })
    lists([row({ clientOrderId: 'another' }), row({ orderId: 8, clientOrderId: execution.clientRef })], [])
    expect(await read({}, execution)).toMatchObject({ status: 'acked', venueRef: '8' })
  })

  it('concludes nothing about an order in neither list', async () => {
    lists([], [])
    expect(await read()).toMatchObject({ status: null, venueRef: '7', fills: [] })
  })

  it('distinguishes 18-digit ids', async () => {
    world.answer(({ path }) =>
      path.endsWith('/active')
        ? {
            text: `{"orders":[${JSON.stringify(row({ status: 'cancelled' })).replace('"orderId":7', '"orderId":145000000000000002')}]}`,
          }
        : { body: [] },
    )
    expect(await read({ status: 'acked', venueRef: '145000000000000001' })).toMatchObject({ status: null })
    expect(await read({ status: 'acked', venueRef: '145000000000000002' })).toMatchObject({ status: 'canceled' })
  })

  it.each(knownOrderStates)('parses state %s', async (status) => {
    // A filled order with nothing traded contradicts itself.
    const whole = { status, filledQuantity: status === 'filled' ? '10' : '0', quantity: '10' }
    lists([row({ ...whole, filledQuantity: '0' })], [])
    if (status === 'filled') expect((await read()).status).toBeNull()
    lists([row(whole)], [])
    const expected = { filled: 'filled', cancelled: 'canceled', canceled: 'canceled', rejected: 'failed' }[status]
    expect((await read()).status).toBe(expected ?? 'acked')
    lists([row({ ...whole, status: status.toUpperCase() })], [])
    expect((await read()).status).toBe(expected ?? 'acked')
  })

  it.each(['half', 'constructor'])(
    'an unknown state (%s) keeps the status, and the size is still parsed',
    async (status) => {
      lists([row({ status, filledQuantity: '4' })], [])
      expect(await read()).toMatchObject({
        status: null,
        shown: true,
        matchedSize: '4',
        observation: { reason: `the venue reports an unknown order state: ${status}` },
      })
    },
  )

  it('reports a partial fill of an open order as its filled size', async () => {
    lists([row({ filledQuantity: '4' })], [])
    expect(await read()).toMatchObject({ status: 'acked', matchedSize: '4' })
  })

  it.each(['filled', 'cancelled'])('a %s order without any count is not settled', async (status) => {
    lists([], [row({ status, quantity: null, filledQuantity: null, remainingQuantity: null })])
    const seen = await read()
    expect([seen.status, seen.fills, seen.observation?.reason]).toEqual([
      null,
      [],
      expect.stringContaining('without its filled size'),
    ])
  })

  it('an unreadable row does not hide the others', async () => {
    lists([{ orderId: 'seven' }, row()], [])
    expect(await read()).toMatchObject({ status: 'acked', venueRef: '7' })
  })

  describe('absence', () => {
    const page = (first: number) => Array.from({ length: 100 }, (_, i) => row({ orderId: first + i, status: 'filled' }))
    const lost = { status: 'submitted', venueRef: null } as const

    it('counts when both lists were read to their end soon after the submit', async () => {
      lists([], [])
      expect(await read(lost)).toMatchObject({ shown: false, undone: true })
    })

    it('does not count when an unreadable row may be the order', async () => {
      lists([], [row({ orderId: 'ord_77' })])
      expect((await read(lost)).undone).toBeUndefined()
    })

    it('is not concluded from a page that is shorter than requested', async () => {
      const rows = Array.from({ length: 70 }, (_, i) => row({ orderId: 1_000 + i, clientOrderId: `c-${i}` }))
      rows.push(row({ status: 'filled', filledQuantity: '10' }))
      world.answer((seen) => {
        const { offset } = JSON.parse(payloadOf(seen))
        return { body: seen.path.endsWith('/active') ? [] : rows.slice(offset, offset + 50) }
      })
      expect(await read()).toMatchObject({ status: 'filled', venueRef: '7' })
    })

    it('does not count when the history is longer than the read limit', async () => {
      world.answer((seen) => ({
        body: seen.path.endsWith('/active') ? [] : page(1_000 + JSON.parse(payloadOf(seen)).offset),
      }))
      const seen = await read(lost)
      expect([seen.shown, seen.undone, seen.observation?.reason]).toEqual([
        undefined,
        undefined,
        expect.stringContaining('more orders than are read'),
      ])
    })

    it.each([
      ['does not count long after the submit when the history shows nothing older', 0, undefined],
      ['counts long after the submit when the history shows an older order', -1, true],
    ])('%s', async (_, apartMs, undone) => {
      const sentAt = world.clock.now() - 40 * 24 * 3_600_000
      lists([], [row({ orderId: 9, createdAt: new Date(sentAt + apartMs).toISOString() })])
      expect((await read({ ...lost, statusSince: sentAt })).undone).toBe(undone)
    })
  })

  it('looks for a canceled order among those of its instrument', async () => {
    const target = await placed({ venueRef: '7', status: 'acked' })
    const built = await lane.cancel!.build(world.context, target, {} as never)
    lists([], [row({ status: 'cancelled' })])
    await read({}, executionOf(built, { status: 'submitted', target }, 'cancel'))
    expect(payloadOf(world.seen[0]!)).toContain(`"symbol":"${symbol}"`)
  })

  it('reports the filled part when the order is cancelled, and no fill while the order is open', async () => {
    lists([row({ filledQuantity: '4' })], [])
    expect((await read()).fills).toEqual([])
    lists([], [row({ status: 'cancelled', filledQuantity: '4' })])
    expect(await read()).toMatchObject({ status: 'canceled', fills: [{ key: '7:sum' }] })
    lists([], [row({ status: 'cancelled', filledQuantity: '0' })])
    expect((await read()).fills).toEqual([])
  })

  it.each([
    ['InvalidSignature', 'bad', 'VENUE_CREDENTIAL_REJECTED'],
    [
      'InvalidNonce',
      "Nonce '1' has not increased since your last call to the Gemini API.",
      'GEMINI_TIME_NONCE_REQUIRED',
    ],
    ['InvalidNonce', "Nonce '1' is not within 30 seconds of server time '99'", 'NETWORK_ERROR'],
    ['RateLimit', 'slow down', 'NETWORK_ERROR'],
    ['HeartbeatRequired', '', 'GEMINI_HEARTBEAT_KEY_UNSUPPORTED'],
    ['Maintenance', '', 'NETWORK_ERROR'],
  ])('%s (%s) is %s', async (reason, message, code) => {
    world.answer(() => ({ status: 400, body: { result: 'error', reason, message } }))
    await expect(read()).rejects.toMatchObject({ code })
  })

  it.each([
    ['a 401 without a body', { status: 401, text: '' }, 'NETWORK_ERROR'],
    ['a 403 from the CDN', { status: 403, text: '<html>' }, 'NETWORK_ERROR'],
    ['429', { status: 429, text: '' }, 'NETWORK_ERROR'],
    ['500', { status: 500, text: '' }, 'NETWORK_ERROR'],
    ['HTML', { text: '<html>' }, 'NETWORK_ERROR'],
    ['a cut connection', 'cut', 'NETWORK_ERROR'],
  ])('%s is %s', async (_, reply, code) => {
    world.answer(() => reply as Reply)
    await expect(read()).rejects.toMatchObject({ code })
  })

  it.each([
    ['cancelled', 'acked'],
    ['open', null],
    ['filled', 'failed'],
  ])('of a cancellation follows the order: %s is %s', async (status, expected) => {
    const built = await lane.cancel!.build(world.context, await placed({ venueRef: '7' }), {} as never)
    lists([row({ status })], [])
    expect(await read({}, executionOf(built, { status: 'submitted' }, 'cancel'))).toMatchObject({
      status: expected,
      venueRef: '7',
      fills: [],
    })
  })
})
