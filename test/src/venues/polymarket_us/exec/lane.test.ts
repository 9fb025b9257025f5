import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildOrder, executionOf, type LaneWorld, type Reply, type Seen, submit } from '#test/support/laneWorld'
import type { LaneExecution } from '#venues/lane'
import { Credentials } from '#venues/polymarket_us/exec/auth'
import { feeEstimate } from '#venues/polymarket_us/exec/build'
import { polymarketUsLane as lane } from '#venues/polymarket_us/exec/index'
import { knownOrderStates } from '#venues/polymarket_us/exec/wire'
import { buyShort, createWorld, credentials, market, slug } from './world.ts'

let world: LaneWorld
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => {
  world.seen.length = 0
  world.outcomes.splice(0, world.outcomes.length, ...market())
})
afterAll(() => world.close())

const build = (given: Record<string, unknown> = {}) => buildOrder(lane, world.context, { ...buyShort, ...given })
const placed = async (given: Partial<LaneExecution> = {}) => executionOf(await build(), given)
const send = async (execution: LaneExecution) => (await submit(lane, world.context, execution, credentials)).outcome

describe('an order', () => {
  it('is the exact body without auth: three NO at 0.83 are bought at the long price 0.17', async () => {
    const built = await build()
    expect(built.unsigned).toEqual({
      marketSlug: 'demo-a',
      intent: 'ORDER_INTENT_BUY_SHORT',
      type: 'ORDER_TYPE_LIMIT',
      price: { value: '0.17', currency: 'USD' },
      quantity: 3,
      tif: 'TIME_IN_FORCE_GOOD_TILL_CANCEL',
      manualOrderIndicator: 'MANUAL_ORDER_INDICATOR_AUTOMATIC',
    })
    expect(built).toMatchObject({
      terms: {
        marketId: 'demo-a',
        outcomeId: 'demo-a:short',
        outcomeSide: 'NO',
        isBuy: true,
        price: '0.83',
        size: '3',
      },
      notionalUsd: '2.49',
    })
  })

  it.each([
    ['long', 'buy', 'ORDER_INTENT_BUY_LONG', '0.83'],
    ['long', 'sell', 'ORDER_INTENT_SELL_LONG', '0.83'],
    ['short', 'buy', 'ORDER_INTENT_BUY_SHORT', '0.17'],
    ['short', 'sell', 'ORDER_INTENT_SELL_SHORT', '0.17'],
  ])('%s %s is %s at %s', async (leg, side, intent, value) => {
    const { unsigned, notionalUsd } = await build({ outcomeId: `${slug}:${leg}`, side })
    expect(unsigned).toMatchObject({ intent, price: { value } })
    expect(notionalUsd).toBe(side === 'buy' ? '2.49' : '0.51')
  })

  it('of type market is limited by its price and leaves nothing in the book', async () => {
    expect((await build({ type: 'market' })).unsigned).toMatchObject({
      type: 'ORDER_TYPE_LIMIT',
      tif: 'TIME_IN_FORCE_IMMEDIATE_OR_CANCEL',
      price: { value: '0.17' },
    })
  })

  it('accepts fractions where the market’s minimum is fractional', async () => {
    world.outcomes.splice(0, 2, ...market({ minimumTradeQty: '0.01' }))
    expect((await build({ amount: '2.55' })).unsigned.quantity).toBe(2.55)
    await expect(build({ amount: '2.555' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('estimates the published fee: 100 contracts at 0.50 cost 1.74, with banker’s rounding', () => {
    expect(feeEstimate('0.0695', '100', '0.5')).toMatchObject({ taker: '1.74' })
    expect(feeEstimate('0.1', '1', '0.5')).toMatchObject({ taker: '0.02' })
    expect(feeEstimate('0.06', '1', '0.5')).toMatchObject({ taker: '0.02' })
    expect(feeEstimate(null, '1', '0.5')).toBeNull()
  })
})

describe('a body is refused', () => {
  it.each([
    ['with keyId', { keyId: 'k' }, /keyId.*credentials/],
    ['with secretKey', { secretKey: 's' }, /secretKey.*credentials/],
    ['with an unknown field', { iceberg: true }, /unknown: iceberg/],
    ['with an owner', { owner: '0x1' }, /unknown: owner/],
    ['without an outcome', { outcomeId: undefined }, /outcomeId/],
    ['with a bare slug as outcome', { outcomeId: slug }, /long/],
    ['with an outcome of another market', { outcomeId: 'demo-b:long' }, /another market/],
    ['with a slug that is a path', { marketId: '../v1' }, /slug/],
    ['with another side', { side: 'back' }, /side/],
    ['with another type', { type: 'stop' }, /type/],
    ['without a price', { price: undefined }, /price/],
    ['without an amount', { amount: undefined }, /amount/],
  ])('%s', (_, given, message) => {
    const parsed = lane.order.body.safeParse({ ...buyShort, ...given })
    expect(parsed.success).toBe(false)
    expect(JSON.stringify(parsed.error?.issues)).toMatch(message)
  })

  it.each([
    ['price 0', { price: 0 }],
    ['price 1', { price: 1 }],
    ['a price off the tick', { price: '0.8305' }],
    ['a price in exponents', { price: '1e-1' }],
    ['no amount', { amount: 0 }],
    ['a negative amount', { amount: -1 }],
    ['a fraction of a whole contract', { amount: 1.5 }],
    ['an amount beyond double precision', { amount: '1000000000000000001' }],
  ])('for %s', async (_, given) => {
    await expect(build(given)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

describe('incomplete catalog facts', () => {
  it.each([
    ['no minimum', () => market({ minimumTradeQty: undefined })],
    ['no tick', () => market().map((row) => ({ ...row, market: { ...row.market, tickSize: null } }))],
    [
      'swapped YES and NO legs',
      () => market().map((row) => ({ ...row, side: row.side === 'YES' ? 'NO' : 'YES' }) as const),
    ],
  ])('reject %s', async (_, rows) => {
    world.outcomes.splice(0, 2, ...rows())
    await expect(build()).rejects.toMatchObject({ code: 'CATALOG_UNAVAILABLE' })
  })

  it('reject a market that takes no orders', async () => {
    world.outcomes.splice(
      0,
      2,
      ...market().map((row) => ({ ...row, market: { ...row.market, status: 'closed' as const } })),
    )
    await expect(build()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

describe('bounds are enforced at submit', () => {
  it.each([
    ['another market', { marketSlug: 'demo-b' }],
    ['another side', { intent: 'ORDER_INTENT_BUY_LONG' }],
    ['a worse short price, which is a lower long price', { price: { value: '0.16', currency: 'USD' } }],
    ['a price off the tick', { price: { value: '0.1705', currency: 'USD' } }],
    ['another currency', { price: { value: '0.17', currency: 'EUR' } }],
    ['more contracts', { quantity: 4 }],
    ['another time in force', { tif: 'TIME_IN_FORCE_IMMEDIATE_OR_CANCEL' }],
    ['a post-only order', { participateDontInitiate: true }],
    ['a market order', { type: 'ORDER_TYPE_MARKET' }],
    ['an unknown field', { cashOrderQty: { value: '100', currency: 'USD' } }],
  ])('against %s', async (_, change) => {
    const { unsigned, bounds } = await build()
    expect(() => lane.checkBounds({ ...unsigned, ...change }, bounds)).toThrowError(
      expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
    )
  })

  it.each(['fill-or-kill', 'immediate-or-cancel'] as const)(
    'against a post-only order that never rests: %s',
    async (timeInForce) => {
      const { unsigned, bounds } = await build({ timeInForce })
      lane.checkBounds(unsigned, bounds)
      // Also where the stored bounds contain the contradiction.
      const postOnly = { ...unsigned, participateDontInitiate: true }
      expect(() => lane.checkBounds(postOnly, { ...bounds, options: { postOnly: true } })).toThrowError(
        expect.objectContaining({
          code: 'ARTIFACT_BOUNDS_VIOLATION',
          message: expect.stringContaining('an order that never rests is post-only'),
        }),
      )
    },
  )
})

describe('venue responses to an order', () => {
  const relayed = async (reply: Reply) => {
    world.answer(() => reply)
    return send(await placed())
  }

  it('is sent once with fresh auth, and the stored artifact contains no auth', async () => {
    world.answer(() => ({ body: { id: 'oid-1' } }))
    const { prepared, outcome } = await submit(lane, world.context, await placed(), credentials)
    expect(outcome).toMatchObject({ kind: 'accepted', venueRef: 'oid-1', status: 'acked', fills: [] })
    const [seen] = world.seen
    expect(seen).toMatchObject({ method: 'POST', path: '/v1/orders' })
    expect(seen!.headers['x-pm-timestamp']).toBe(String(world.clock.now()))
    expect(JSON.parse(seen!.text)).toEqual(prepared.submittedArtifact)
    expect(Object.keys(prepared.submittedArtifact).sort()).toEqual(
      ['intent', 'manualOrderIndicator', 'marketSlug', 'price', 'quantity', 'tif', 'type'].sort(),
    )
  })

  it('a reject execution next to the id means rejected', async () => {
    const executions = [{ id: 'e', type: 'EXECUTION_TYPE_REJECTED', text: 'insufficient buying power' }]
    expect(await relayed({ body: { id: 'oid-1', executions } })).toMatchObject({
      kind: 'rejected',
      reason: 'insufficient buying power',
    })
  })

  it.each([
    [400, { code: 3, message: 'price out of range', details: [] }, 'price out of range'],
    [404, { code: 5, message: 'market not found', details: [] }, 'market not found'],
    [400, { code: 9, message: 'insufficient buying power' }, 'insufficient buying power'],
    [400, { message: 'price out of range' }, 'price out of range'],
    [400, { error: 'insufficient buying power' }, 'insufficient buying power'],
  ])('%i is rejected with the venue’s text', async (status, body, reason) => {
    expect(await relayed({ status, body })).toEqual({ kind: 'rejected', reason })
  })

  it.each([
    [401, { code: 16, message: 'unknown api key', details: [] }, undefined],
    [403, { code: 7, message: 'not allowed', details: [] }, undefined],
    [401, { error: 'bad signature' }, undefined],
    [401, { message: 'request timestamp is too old' }, 'NETWORK_ERROR'],
    [401, { code: 16, message: 'request timestamp is too old', details: [] }, 'NETWORK_ERROR'],
    [429, { status: 429, message: 'Too Many Requests' }, 'NETWORK_ERROR'],
  ])('%i %j means refused: the venue did not process the order', async (status, body, code) => {
    expect(await relayed({ status, body })).toMatchObject({ kind: 'refused', ...(code && { code }) })
  })

  it.each([
    ['a 403 from the CDN', { status: 403, text: '<html>' }],
    ['a message that is not about the order', { status: 400, body: { message: 'oops' } }],
    ['only a status', { status: 400, body: { message: 'Bad Request' } }],
    ['a message under another status', { status: 422, body: { message: 'price out of range' } }],
    ['an error that is not about the key', { status: 401, body: { error: 'no' } }],
    ['an undocumented 409', { status: 409, body: { message: 'conflict' } }],
    ['a code of a completed operation', { status: 409, body: { code: 6, message: 'exists', details: [] } }],
    ['500', { status: 500, body: { message: 'internal' } }],
    ['503', { status: 503, text: '' }],
    ['408', { status: 408, body: {} }],
    ['a redirect', { status: 302, headers: { location: '/elsewhere' } }],
    ['200 without an id', { body: {} }],
    ['200 in HTML', { text: '<html>' }],
    ['a cut connection', 'cut'],
  ])('%s leaves the outcome unknown, and nothing is sent again', async (_, reply) => {
    expect(await relayed(reply as Reply)).toMatchObject({ kind: 'unknown' })
    expect(world.seen).toHaveLength(1)
  })

  it('a refused connection means nothing was sent', async () => {
    const context = { ...world.context, urls: { API: 'http://127.0.0.1:1' } }
    const { outcome } = await submit(lane, context, await placed(), credentials)
    expect(outcome).toMatchObject({ kind: 'refused' })
  })

  it('an unusable key sends nothing', async () => {
    const promise = submit(lane, world.context, await placed(), { ...credentials, secretKey: 'AAAA' })
    await expect(promise).rejects.toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED' })
    expect(world.seen).toEqual([])
  })
})

describe('a cancellation', () => {
  it('contains the id and its market, and is answered by an empty 200', async () => {
    const built = await lane.cancel!.build(world.context, await placed({ venueRef: 'oid-1' }), {} as never)
    expect(built.unsigned).toEqual({ orderId: 'oid-1', marketSlug: 'demo-a' })
    world.answer(() => ({ status: 200 }))
    expect(await send(executionOf(built, {}, 'cancel'))).toMatchObject({ kind: 'accepted', venueRef: 'oid-1' })
    expect(world.seen[0]).toMatchObject({ path: '/v1/order/oid-1/cancel', text: '{"marketSlug":"demo-a"}' })
    expect(() => lane.checkBounds({ ...built.unsigned, orderId: 'oid-2' }, built.bounds)).toThrow()
  })

  it('of an order without an id is rejected', async () => {
    await expect(lane.cancel!.build(world.context, await placed(), {} as never)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
  })

  it('takes no credentials at build', () => {
    expect(lane.cancel!.body.safeParse({}).success).toBe(true)
    expect(lane.cancel!.body.safeParse(credentials).success).toBe(false)
  })
})

describe('refresh', () => {
  const read = async (given: Partial<LaneExecution> = { status: 'acked', venueRef: 'oid-1' }) =>
    lane.refresh!.read(world.context, await placed(given), Credentials.parse(credentials) as never)
  const order = (given: Record<string, unknown> = {}) => ({
    id: 'oid-1',
    marketSlug: slug,
    side: 'ORDER_SIDE_BUY',
    intent: 'ORDER_INTENT_BUY_SHORT',
    type: 'ORDER_TYPE_LIMIT',
    price: { value: '0.1700', currency: 'USD' },
    quantity: 3,
    cumQuantity: 0,
    leavesQuantity: 3,
    tif: 'TIME_IN_FORCE_GOOD_TILL_CANCEL',
    state: 'ORDER_STATE_NEW',
    insertTime: new Date(1_790_000_000_000).toISOString(),
    ...given,
  })
  const answerOrder = (given: Record<string, unknown>) => world.answer(() => ({ body: { order: order(given) } }))

  it('requests the one order with the caller’s signature', async () => {
    answerOrder({})
    expect(await read()).toMatchObject({ status: 'acked', venueRef: 'oid-1', fills: [] })
    expect(world.seen).toHaveLength(1)
    expect(world.seen[0]).toMatchObject({ method: 'GET', path: '/v1/order/oid-1' })
    expect(world.seen[0]!.headers['x-pm-access-key']).toBe(credentials.keyId)
  })

  it.each(knownOrderStates)('parses state %s', async (state) => {
    if (state === 'ORDER_STATE_FILLED') {
      // A filled state without fills contradicts itself.
      answerOrder({ state })
      expect((await read()).status).toBeNull()
    }
    answerOrder({ state, text: 'no balance', ...(state === 'ORDER_STATE_FILLED' && { quantity: 3, cumQuantity: 3 }) })
    const expected: Record<string, string | null> = {
      ORDER_STATE_FILLED: 'filled',
      ORDER_STATE_CANCELED: 'canceled',
      ORDER_STATE_REJECTED: 'failed',
      ORDER_STATE_EXPIRED: 'expired',
      ORDER_STATE_REPLACED: null,
    }
    const { status, reason } = await read()
    expect(status).toBe(state in expected ? expected[state] : 'acked')
    expect(reason).toBe(state === 'ORDER_STATE_REJECTED' ? 'no balance' : undefined)
  })

  it.each(['ORDER_STATE_MAYBE', '2', 'constructor'])(
    'an unknown state (%s) keeps the status, and the size is still read',
    async (state) => {
      answerOrder({ state, cumQuantity: 1 })
      expect(await read()).toMatchObject({
        status: null,
        shown: true,
        matchedSize: '1',
        observation: { reason: `the venue reports an unknown order state: ${state}` },
      })
    },
  )

  it('an order that ended without its filled size is not settled', async () => {
    answerOrder({ state: 'ORDER_STATE_CANCELED', cumQuantity: null })
    const seen = await read()
    expect([seen.status, seen.observation?.reason]).toEqual([null, expect.stringContaining('without its filled size')])
  })

  it('reports one summed fill once it can no longer grow', async () => {
    const avgPx = { value: '0.1650', currency: 'USD' }
    answerOrder({ state: 'ORDER_STATE_PARTIALLY_FILLED', cumQuantity: 1 })
    expect((await read()).fills).toEqual([])
    answerOrder({ state: 'ORDER_STATE_FILLED', cumQuantity: 3, leavesQuantity: 0, avgPx })
    expect((await read()).fills).toMatchObject([
      { key: 'oid-1:sum', fill: { cumQuantity: '3', avgPx, aggregate: true } },
    ])
    answerOrder({ state: 'ORDER_STATE_CANCELED', cumQuantity: 1 })
    expect((await read()).fills).toHaveLength(1)
    answerOrder({ state: 'ORDER_STATE_CANCELED', cumQuantity: 0 })
    expect((await read()).fills).toEqual([])
  })

  it('concludes nothing from an unknown order or another order', async () => {
    world.answer(() => ({ status: 404, body: { code: 5, message: 'not found', details: [] } }))
    expect(await read()).toMatchObject({ status: null, venueRef: 'oid-1' })
    answerOrder({ id: 'oid-2', state: 'ORDER_STATE_FILLED' })
    expect(await read()).toMatchObject({ status: null, fills: [] })
    answerOrder({ marketSlug: 'demo-b', state: 'ORDER_STATE_FILLED' })
    expect(await read()).toMatchObject({ status: null, fills: [] })
  })

  it.each([
    ['a venue auth error', { status: 401, body: { code: 16, message: 'x', details: [] } }, 'VENUE_CREDENTIAL_REJECTED'],
    ['an auth error code', { status: 403, body: { code: 16, message: 'x', details: [] } }, 'VENUE_CREDENTIAL_REJECTED'],
    ['a CDN page', { status: 403, text: '<html>' }, 'NETWORK_ERROR'],
    ['nothing', { status: 401, text: '' }, 'NETWORK_ERROR'],
    ['an unrelated 404', { status: 404, body: { ok: false } }, 'NETWORK_ERROR'],
  ])('%s: only an auth error of the venue is a credential error', async (_, reply, code) => {
    world.answer(() => reply as Reply)
    await expect(read()).rejects.toMatchObject({ code })
  })

  it('a response in another format is a network error', async () => {
    world.answer(() => ({ body: { order: {} } }))
    await expect(read()).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })

  describe('of a submit without a response', () => {
    const lost = { status: 'submitted', venueRef: null } as const
    let activities: unknown[] = []
    beforeEach(() => {
      activities = []
    })
    const open = (...orders: unknown[]) =>
      world.answer(({ path }: Seen) => ({ body: path.startsWith('/v1/portfolio/') ? { activities } : { orders } }))

    it('finds the one open order with the same fields', async () => {
      open(order({ id: 'x', quantity: 4 }), order(), order({ id: 'y', intent: 'ORDER_INTENT_BUY_LONG' }))
      expect(await read(lost)).toMatchObject({ status: 'acked', venueRef: 'oid-1' })
      expect(world.seen[0]!.path).toBe('/v1/orders/open?slugs=demo-a')
    })

    it.each([
      [-30_001, null],
      [-30_000, 'oid-1'],
      [85_000, 'oid-1'],
      [85_001, null],
    ])('an order %d ms after the start of the send gives %s, for a build of any age', async (after, venueRef) => {
      const sentAt = 1_790_007_200_000
      open(order({ insertTime: new Date(sentAt + after).toISOString() }))
      expect(await read({ ...lost, statusSince: sentAt })).toMatchObject({ venueRef })
    })

    it.each([
      ['two equal ones', () => [order(), order({ id: 'oid-2' })]],
      ['none', () => []],
      ['one from long before', () => [order({ insertTime: '2026-01-01T00:00:00Z' })]],
      ['one without a time', () => [order({ insertTime: undefined })]],
      ['one at another price', () => [order({ price: { value: '0.18', currency: 'USD' } })]],
    ])('matches nothing with %s', async (_, orders) => {
      open(...orders())
      expect(await read(lost)).toMatchObject({ status: null, venueRef: null, fills: [] })
    })

    describe('absence', () => {
      const sentAt = 1_790_000_000_000
      const trade = (id: string, atMs: number) => ({
        trade: { id, marketSlug: slug, qty: '1', createTime: new Date(atMs).toISOString() },
      })

      it('is proven soon after the submit', async () => {
        open()
        expect(await read({ ...lost, statusSince: world.clock.now() })).toMatchObject({ shown: false, undone: true })
      })

      it('is proven long after it only when the history shows an earlier trade, as the venue may have been reset', async () => {
        const late = { ...lost, statusSince: world.clock.now() - 40 * 24 * 3_600_000 }
        open()
        expect((await read(late)).undone).toBeUndefined()
        activities = [trade('earlier', late.statusSince - 60_000)]
        expect((await read(late)).undone).toBe(true)
      })

      it('is not proven with an unreadable row', async () => {
        open({ id: 7 })
        expect((await read({ ...lost, statusSince: world.clock.now() })).undone).toBeUndefined()
      })

      it('is not proven when the history is longer than the read limit', async () => {
        let page = 0
        world.answer(({ path }) =>
          path.startsWith('/v1/portfolio/')
            ? { body: { activities: [trade(`t-${++page}`, sentAt)], nextCursor: `c-${page}` } }
            : { body: { orders: [] } },
        )
        expect((await read({ ...lost, statusSince: sentAt })).undone).toBeUndefined()
        expect(page).toBe(5)
      })
    })

    it('shows only the trades in its market during the send', async () => {
      const trade = (given: object) => ({
        trade: { id: 't', marketSlug: slug, qty: '3', createTime: new Date(1_790_000_000_500).toISOString(), ...given },
      })
      activities = [
        { type: 'ACTIVITY_TYPE_REFERRAL_BONUS' },
        trade({ id: 'later', createTime: new Date(1_790_000_900_000).toISOString() }),
        trade({ id: 'its own' }),
        trade({ id: 'elsewhere', marketSlug: 'demo-b' }),
        trade({ id: 'earlier', createTime: new Date(1_789_999_900_000).toISOString() }),
      ]
      open()
      const { status, fills, observation } = await read({ ...lost, statusSince: 1_790_000_000_000 })
      expect([status, fills]).toEqual([null, []])
      expect(observation).toMatchObject({
        reason: expect.stringContaining('no open order'),
        trades: [{ id: 'its own' }],
      })
      expect(new URL(world.seen[1]!.path, 'http://venue').searchParams.getAll('types')).toEqual(['ACTIVITY_TYPE_TRADE'])
    })
  })

  it.each([
    ['ORDER_STATE_CANCELED', 'acked'],
    ['ORDER_STATE_PENDING_CANCEL', null],
    ['ORDER_STATE_FILLED', 'failed'],
  ])('of a cancellation follows the order: %s is %s', async (state, status) => {
    const built = await lane.cancel!.build(world.context, await placed({ venueRef: 'oid-1' }), {} as never)
    answerOrder({ state })
    const execution = executionOf(built, { status: 'submitted' }, 'cancel')
    const observed = await lane.refresh!.read(world.context, execution, Credentials.parse(credentials) as never)
    expect(observed).toMatchObject({ status, venueRef: 'oid-1', fills: [] })
  })
})
