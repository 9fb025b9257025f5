// The lane alone: what it builds and rejects, how it interprets responses, and which rows of an account belong to an order.
import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#schemas/executions'
import { buildOrder, executionOf, type LaneWorld, type Reply, submit } from '#test/support/laneWorld'
import type { LaneExecution } from '#venues/lane'
import { novigLane as lane } from '#venues/novig/exec/index'
import { afterToken, buy, createWorld, credentials, market, marketId, outcomes, token, tokenPath } from './world.ts'

let world: LaneWorld
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => {
  world.outcomes.splice(0, world.outcomes.length, ...market())
  world.seen.length = 0
})
afterAll(() => world.close())

const build = (over: object = {}) => buildOrder(lane, world.context, { ...buy, ...over })

describe('a build', () => {
  it.each([
    ['buys YES', 'YES', true, outcomes[0], 0.44, '22'],
    ['sells YES', 'YES', false, outcomes[1], 0.56, '28'],
    ['buys NO', 'NO', true, outcomes[1], 0.44, '22'],
    ['sells NO', 'NO', false, outcomes[0], 0.56, '28'],
  ])('%s by buying', async (_, outcomeSide, isBuy, outcomeId, price, notionalUsd) => {
    const built = await build({ outcomeSide, isBuy })
    expect(built.unsigned).toMatchObject({ outcomeId, price, qty: 5_000, currency: 'CASH', tif: 'GTC' })
    expect(built).toMatchObject({
      notionalUsd,
      feeEstimate: null,
      owner: null,
      warnings: [],
      clientRef: built.unsigned.flags,
      terms: { marketId, outcomeSide, isBuy, price: '0.44', size: '50' },
    })
    expect(built.clientRef).toMatch(/^[0-9a-v]{8}$/)
  })

  it('warns of a price off the documented steps', async () => {
    expect((await build({ price: '0.441' })).warnings).toEqual([expect.stringContaining('0.005')])
    expect((await build({ price: '0.041' })).warnings).toEqual([])
  })

  it.each<[string, object]>([
    ['four digits', { price: '0.4405' }],
    ['a price of one', { price: 1 }],
    ['a price that rounds to zero', { price: '0.0005' }],
    ['less than a cent', { size: '0.005' }],
    ['no size', { size: 0 }],
    ['more than the maximum size', { size: '1000000001' }],
  ])('refuses %s', async (_, over) => {
    await expect(build(over)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('rejects a market of three outcomes, and invalid ids', async () => {
    const third = '123e4567-e89b-12d3-a456-426614174002'
    for (const ids of [[...outcomes, third], [outcomes[0]], [outcomes[0], 'NO']]) {
      world.outcomes.splice(0, world.outcomes.length, ...market(ids))
      await expect(build()).rejects.toMatchObject({ code: 'CATALOG_UNAVAILABLE' })
    }
  })

  it.each<[string, object]>([
    ['a worse price', { price: 0.441 }],
    ['a larger size', { qty: 5_001 }],
    ['another outcome', { outcomeId: outcomes[1] }],
    ['another client order id', { flags: '00000000' }],
    ['play money', { currency: 'COIN' }],
    ['another time in force', { tif: 'IOC' }],
    ['an artifact with an extra field', { ttl: 1 }],
    ['half a cent', { qty: 0.5 }],
    ['four digits', { price: 0.1234 }],
  ])('changed to %s is rejected at submit', async (_, change) => {
    const { unsigned, bounds } = await build()
    const refused = expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' })
    expect(() => lane.checkBounds({ ...unsigned, ...change } as JsonObject, bounds)).toThrow(refused)
    lane.checkBounds({ ...unsigned, price: 0.4, qty: 1 } as JsonObject, bounds)
  })
})

const sent = async () => (await submit(lane, world.context, executionOf(await build()), credentials)).outcome

describe('a submit', () => {
  it.each<[string, Reply, object]>([
    ['refused', { status: 401, body: { error: 'invalid_client' } }, { kind: 'refused', reason: 'invalid_client' }],
    [
      'refused with a description',
      { status: 400, body: { error: 'access_denied', error_description: 'ask us first' } },
      { kind: 'refused', reason: 'access_denied: ask us first' },
    ],
    ['answered by a CDN page', { status: 403, text: '<html>' }, { kind: 'refused', code: 'NETWORK_ERROR' }],
    ['refused without a code', { status: 401, body: { message: 'no' } }, { kind: 'refused', code: 'NETWORK_ERROR' }],
    ['rate limited', { status: 429, body: { error: 'invalid_client' } }, { kind: 'refused', code: 'NETWORK_ERROR' }],
    ['answered with 502', { status: 502, text: '' }, { kind: 'refused', code: 'NETWORK_ERROR' }],
    ['cut off', 'cut', { kind: 'refused', code: 'NETWORK_ERROR' }],
    ['answered without a token', { body: { token_type: 'Bearer' } }, { kind: 'refused', code: 'NETWORK_ERROR' }],
    [
      'given a bad token',
      { body: { access_token: 'a b' } },
      { kind: 'refused', reason: expect.stringMatching(/token/) },
    ],
  ])('sends no order when the token request is %s', async (_, reply, expected) => {
    world.answer(() => reply)
    const outcome = await sent()
    expect(outcome).toMatchObject(expected)
    if (outcome.kind === 'refused' && !('code' in expected)) expect(outcome.code).toBeUndefined()
    expect(world.seen.map(({ path }) => path)).toEqual([tokenPath])
  })

  it.each<[string, Reply, string]>([
    ['an order', { status: 201, body: { id: 'o-1', outcomeId: outcomes[0] } }, 'accepted'],
    ['an order without an id', { status: 201, body: { status: 'RESTING' } }, 'unknown'],
    ['another outcome', { status: 201, body: { id: 'o-1', outcomeId: outcomes[1] } }, 'unknown'],
    ['another order', { status: 201, body: { id: 'o-1', flags: 'zzzzzzzz' } }, 'unknown'],
    ['a refusal', { status: 400, body: { statusCode: 400, message: 'insufficient balance' } }, 'rejected'],
    [
      'a list of validation errors',
      { status: 400, body: { statusCode: 400, message: ['qty must be positive'] } },
      'rejected',
    ],
    ['only a status', { status: 400, body: { statusCode: 400, message: 'Bad Request' } }, 'unknown'],
    ['another status in the body', { status: 400, body: { statusCode: 500, message: 'qty' } }, 'unknown'],
    ['an internal error', { status: 500, body: { statusCode: 500, message: 'Internal server error' } }, 'unknown'],
    ['a rejected token', { status: 401, body: { statusCode: 401, message: 'Unauthorized' } }, 'refused'],
    ['too many', { status: 429, body: { message: 'Too Many Requests' } }, 'refused'],
    ['too many requests, from a proxy', { status: 429, text: '<html>' }, 'unknown'],
    ['a token error on the order request', { status: 401, body: { error: 'invalid_client' } }, 'unknown'],
  ])('answered by %s', async (_, reply, kind) => {
    world.answer(afterToken(() => reply))
    expect((await sent()).kind).toBe(kind)
  })

  describe('at a price', () => {
    const grid = [0.43, 0.435, 0.445]
    const withGrid = (prices: unknown) =>
      afterToken(({ path }) =>
        path === '/nbx/v2/emm/ticks' ? { body: prices } : { status: 201, body: { id: 'o-1', outcomeId: outcomes[0] } },
      )
    /** The price grid is cached for ten minutes. */
    beforeEach(() => void world.clock.advance(11 * 60_000))
    const placed = () => world.seen.filter(({ method, path }) => method === 'POST' && path !== tokenPath)

    it('off the venue’s list is rejected with the nearest prices, and not sent', async () => {
      world.answer(withGrid(grid))
      expect(await sent()).toEqual({
        kind: 'rejected',
        reason: 'the venue takes no order at 0.44, the nearest prices are 0.435 and 0.445; nothing was sent',
      })
      expect(placed()).toEqual([])
    })

    it('on the list is sent, and the list is cached', async () => {
      world.answer(withGrid([0.43, 0.44]))
      expect([(await sent()).kind, (await sent()).kind]).toEqual(['accepted', 'accepted'])
      expect(world.seen.filter(({ path }) => path === '/nbx/v2/emm/ticks')).toHaveLength(1)
      expect(placed()).toHaveLength(2)
    })

    it.each([[{}], [[]], [['many']]])('is left to the venue when its list is %j', async (prices) => {
      world.answer(withGrid(prices))
      expect((await sent()).kind).toBe('accepted')
    })
  })

  it('does not expose its token, whatever the venue echoes', async () => {
    const echo = { id: token, [token]: token, error: `${token} ${credentials.clientSecret}` }
    const tokenRefusal = {
      status: 401,
      body: { error: 'invalid_client', error_description: Object.values(credentials).join(' ') },
    }
    const replies = [{ status: 201, body: echo }, { status: 400, body: echo }, { body: [echo] }].map((reply) =>
      afterToken(() => reply),
    )
    for (const answer of [...replies, () => tokenRefusal]) {
      world.answer(answer)
      const execution = executionOf(await build())
      const outputs: unknown[] = [await submit(lane, world.context, execution, credentials)]
      const read = lane.refresh!.body.parse(credentials)
      outputs.push(await lane.refresh!.read(world.context, execution, read).catch((error: unknown) => error))
      const text = inspect(outputs, { depth: 12, showHidden: true }) + JSON.stringify(outputs)
      for (const secret of [token, ...Object.values(credentials)]) expect(text).not.toContain(secret)
    }
  })
})

describe('a refresh', () => {
  const histories = (orders: unknown, fills: unknown = []) =>
    world.answer(
      afterToken(({ path }) => {
        const isFirst = new URL(path, 'http://v').searchParams.get('offset') === '0'
        const listed = path.startsWith('/nbx/v2/emm/orders/all') ? orders : fills
        return { body: isFirst || !Array.isArray(listed) ? listed : [] }
      }),
    )
  const look = (execution: LaneExecution) =>
    lane.refresh!.read(world.context, execution, lane.refresh!.body.parse(credentials))
  const placed = async (over: Partial<LaneExecution> = {}): Promise<LaneExecution> =>
    executionOf(await build(), { status: 'acked', venueRef: 'o-1', ...over })
  const order = (over: object = {}) => ({
    id: 'o-1',
    outcomeId: outcomes[0],
    qty: 5_000,
    originalQty: 5_000,
    status: 'RESTING',
    timestamp: new Date(world.clock.now()).toISOString(),
    flags: null,
    ...over,
  })
  const fill = (id: string, qty: number, over: object = {}) => ({
    id,
    orderId: 'o-1',
    qty,
    price: 0.44,
    createdAt: '2026-09-01T12:00:00.000Z',
    isWash: false,
    ...over,
  })
  const nonsense = [{ id: 7 }, null, 'row', { id: 'another', qty: 'some' }]

  it('requests a token, and fills only if the order has any', async () => {
    histories([...nonsense, order()])
    expect(await look(await placed())).toMatchObject({ status: 'acked', matchedSize: '0', venueRef: 'o-1', fills: [] })
    expect(world.seen.map(({ path }) => path)).toEqual([
      tokenPath,
      '/nbx/v2/emm/orders/all?currency=CASH&limit=256&offset=0',
    ])
  })

  it('finds an order without a response by its client order id', async () => {
    const execution = await placed({ status: 'submitted', venueRef: null })
    histories({ orders: [order({ flags: 'zzzzzzzz' }), order({ id: 'o-2', flags: execution.clientRef })] })
    expect(await look(execution)).toMatchObject({ status: 'acked', venueRef: 'o-2' })
    histories({ data: [] })
    expect(await look(execution)).toMatchObject({ status: null, shown: false, undone: true })
    expect(lane.submit!.lateBound!(execution, 1_000)).toMatchObject({ untilMs: 1_000 + 31 * 60_000 })
  })

  it.each([
    ['RESTING', 1_000, [['a', 4_000]], 'acked', '40', true],
    ['FILLED', 0, [['a', 4_000]], null, '50', false],
    [
      'FILLED',
      0,
      [
        ['a', 4_000],
        ['b', 1_000],
      ],
      'filled',
      '50',
      true,
    ],
    ['CANCELLED', 1_000, [['a', 4_000]], 'canceled', '40', true],
    ['CANCELLED', 1_000, [], null, '0', false],
    // It is undocumented whether a cancelled row counts down to zero, so its fills decide.
    ['CANCELLED', 0, [['a', 4_000]], 'canceled', '40', true],
    ['CANCELLED', 5_000, [], 'canceled', '0', true],
  ] as const)('%s with %i left and fills of %j: %s', async (word, qty, fills, status, matchedSize, fillsReconciled) => {
    histories(
      [order({ status: word, qty })],
      fills.map(([id, size]) => fill(id, size)),
    )
    const seen = await look(await placed())
    expect(seen).toMatchObject({ status, matchedSize, observation: { fillsReconciled } })
    expect(seen.fills.map(({ key }) => key)).toEqual(fills.map(([id]) => id))
    // Missing fills are waited for only for ten minutes.
    world.clock.advance(11 * 60_000)
    expect((await look(await placed())).status).not.toBeNull()
  })

  it.each<[string, unknown[]]>([
    ['one of its fills is unreadable', [fill('a', 1, { qty: 'abc' })]],
    ['a fill of an unknown order is unreadable', [{ id: 'b', qty: 4_000 }]],
    ['a row has no id', [{ qty: 4_000 }]],
  ])('CANCELLED with nothing left is not settled while %s', async (_, fills) => {
    histories([order({ status: 'CANCELLED', qty: 0 })], fills as object[])
    const seen = { status: null, fills: [], observation: { reason: expect.stringMatching(/fills can be read/) } }
    expect(await look(await placed())).toMatchObject(seen)
    world.clock.advance(11 * 60_000)
    expect(await look(await placed())).toMatchObject(seen)
  })

  it('CANCELLED with nothing left is not settled while the list of fills does not reach back to its order', async () => {
    const later = new Date(world.clock.now() + 1_000).toISOString()
    const pagesOf = (at: string): void =>
      world.answer(
        afterToken(({ path }) => {
          if (path.startsWith('/nbx/v2/emm/orders')) return { body: [order({ status: 'CANCELLED', qty: 0 })] }
          const offset = new URL(path, 'http://v').searchParams.get('offset')
          const rows = Array.from({ length: 50 }, (_, n) =>
            fill(`x-${offset}-${n}`, 1, { orderId: 'another', createdAt: at }),
          )
          return { body: rows }
        }),
      )
    const execution = await placed()
    pagesOf(later)
    expect(await look(execution)).toMatchObject({ status: null, fills: [] })
    pagesOf(new Date(execution.createdAt - 3_600_000).toISOString())
    expect(await look(execution)).toMatchObject({ status: 'canceled', fills: [] })
  })

  it('a match with the own account counts as cancelled, not as a fill', async () => {
    histories([order({ status: 'FILLED', qty: 0 })], [fill('a', 4_000), fill('b', 1_000, { isWash: true })])
    expect(await look(await placed())).toMatchObject({
      status: 'canceled',
      matchedSize: '40',
      fills: [{ key: 'a' }],
      observation: { washedSize: '10' },
    })
  })

  it('an unknown state keeps the status, and its fills are still reported', async () => {
    histories([order({ status: 'PONDERING', qty: 1_000 })], [fill('a', 4_000)])
    expect(await look(await placed())).toMatchObject({
      status: null,
      shown: true,
      matchedSize: '40',
      fills: [{ key: 'a' }],
      observation: { reason: 'the venue reports an unknown order state: PONDERING' },
    })
  })

  it.each([
    ['FILLED', [fill('a', 5_000)], 'filled', '50'],
    ['FILLED', [fill('a', 4_000)], null, '40'],
    ['FILLED', [], null, undefined],
    ['CANCELLED', [], null, undefined],
  ])('%s without counts is settled by its fills alone', async (status, fills, expected, matchedSize) => {
    histories([order({ status, qty: -1, originalQty: 'some' })], fills)
    const seen = await look(await placed())
    expect([seen.status, seen.matchedSize]).toEqual([expected, matchedSize])
  })

  it('ignores an order on another outcome', async () => {
    histories([order({ outcomeId: outcomes[1] })])
    expect(await look(await placed())).toMatchObject({ status: null, observation: { reason: expect.any(String) } })
  })

  it('a fill listed on two pages counts once', async () => {
    const page = Array.from({ length: 256 }, (_, n) => fill(`x-${n}`, 1, { orderId: 'another' }))
    world.answer(
      afterToken(({ path }) => {
        if (path.startsWith('/nbx/v2/emm/orders')) return { body: [order({ status: 'FILLED', qty: 0 })] }
        const isFirst = new URL(path, 'http://v').searchParams.get('offset') === '0'
        return { body: isFirst ? [...page.slice(1), fill('a', 2_500)] : [fill('a', 2_500)] }
      }),
    )
    expect(await look(await placed())).toMatchObject({
      status: null,
      fills: [{ key: 'a' }],
      observation: { fillsReconciled: false },
    })
  })

  it('absence long after the submit counts only when the history shows an older order', async () => {
    const sentAt = world.clock.now() - 40 * 24 * 3_600_000
    const lost = await placed({ status: 'submitted', venueRef: null, statusSince: sentAt })
    histories([order({ id: 'o-9', timestamp: new Date(sentAt).toISOString() })])
    expect((await look(lost)).undone).toBeUndefined()
    histories([order({ id: 'o-9', timestamp: new Date(sentAt - 1).toISOString() })])
    expect((await look(lost)).undone).toBe(true)
  })

  it('continues page by page, and reports where it stopped', async () => {
    const page = Array.from({ length: 256 }, (_, n) => ({ id: `x-${n}` }))
    world.answer(
      afterToken(({ path }) => ({
        body: new URL(path, 'http://v').searchParams.get('offset') === '256' ? [order()] : page,
      })),
    )
    expect((await look(await placed())).status).toBe('acked')
    world.answer(afterToken(() => ({ body: page })))
    const seen = await look(await placed())
    expect(seen).toMatchObject({ status: null, observation: { reason: expect.stringMatching(/more orders/) } })
    expect(seen).not.toHaveProperty('undone')
  })

  it('reports a credential error only when the token endpoint rejects them', async () => {
    world.answer(() => ({ status: 401, body: { error: 'invalid_client' } }))
    await expect(look(await placed())).rejects.toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED' })
    world.answer(afterToken(() => ({ status: 401, body: { error: 'invalid_client' } })))
    await expect(look(await placed())).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})
