// The specification's table of conditions, row by row, tested over HTTP. The titles of the groups quote the rows.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import { unreadableCountry } from '#platform/geofence/geofence'
import { type ErrorCode, errorCodes } from '#schemas/errors'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { createPool } from '#storage/postgres/pool'
import { openFeedsLab } from '#test/src/marketData/feeds/feedsLab'
import { MemoryCredits } from '#test/src/server/http/purse'
import { createWorld, keys, type Reply } from '#test/src/server/http/world'
import { MemoryRecord } from '#test/src/traders/memoryRecord'
import { openConditionalWorld } from '#test/support/conditional/world'
import { testLane } from '#test/support/execution/lane'
import { executionSuite, idOf } from '#test/support/execution/suite'
import type { ExecutionWorld } from '#test/support/execution/world'

const { pg, worldOf, count, setStatus } = executionSuite()
const accounts = createWorld({
  families: { openOrders: true },
  openOrders: {
    venues: new Map([['kalshi', { data: {}, context: createWorld().venues.get('kalshi')!.reads.context }]]),
    reads: { read: () => Promise.reject(new Error('nothing is read')) },
    findKnown: async () => new Set(),
  },
})
const rows = new Set<string>()
const row = (condition: string, work: () => void): void => {
  rows.add(condition)
  describe(`“${condition}”`, work)
}

function expectRefusal(reply: Reply, status: number, code: ErrorCode, retryable: boolean = errorCodes[code][1]): void {
  expect([reply.status, reply.json.error?.code], reply.text).toEqual([status, code])
  expect(reply.json.success).toBe(false)
  expect(reply.json.error).toMatchObject({
    message: expect.any(String),
    retryable,
    requestId: reply.headers['x-request-id'],
  })
}

async function resting(world: ExecutionWorld): Promise<string> {
  const id = idOf(await world.build('build'))
  await world.submit(id, 'place')
  return id
}

/** Every call with an intent, each valid except for its key. */
async function keyedCalls(world: ExecutionWorld): Promise<((key: string) => Promise<Reply>)[]> {
  const placed = await resting(world)
  const built = idOf(await world.build('another'))
  return [
    (key) => world.build(key),
    (key) => world.build(key, { size: 5, dryRun: true }),
    (key) => world.submit(built, key),
    (key) => world.cancel(placed, key),
    (key) => world.modify(placed, key),
  ]
}

row('Idempotency-Key literal `undefined` or `null`', () => {
  it.each(['undefined', 'null'])(
    '%s: returns 400 VALIDATION_ERROR on every keyed route, and writes nothing',
    async (key) => {
      const world = await worldOf()
      const calls = await keyedCalls(world)
      const before = await count('executions')
      for (const call of calls) expectRefusal(await call(key), 400, 'VALIDATION_ERROR')
      expect(await count('executions')).toBe(before)
    },
  )
})

row('Idempotency-Key with prefix `cond:` or `dry-run:`', () => {
  it.each(['cond:', 'cond:1', 'dry-run:x'])(
    '%s: returns 400 RESERVED_IDEMPOTENCY_KEY on every keyed route, and writes nothing',
    async (key) => {
      const world = await worldOf()
      const calls = await keyedCalls(world)
      const before = await count('executions')
      for (const call of calls) expectRefusal(await call(key), 400, 'RESERVED_IDEMPOTENCY_KEY')
      expect(await count('executions')).toBe(before)
    },
  )
})

row('invalid query, body, cursor (tampered or foreign), unsupported parameter combination', () => {
  const data = createWorld()
  const since = 1_790_000_000_000
  it.each([
    ['a query that is not a number', '/api/kalshi/fetchMarkets?limit=many'],
    ['a tampered cursor', '/api/kalshi/fetchMarketsPaginated?cursor=bm9wZQ'],
    ['an unknown kind', `/v1/history/replay?venue=kalshi&outcomeId=x&kind=gossip&since=${since}&until=${since + 1}`],
    [
      'a window that ends before it begins',
      `/v1/history/replay?venue=kalshi&outcomeId=x&kind=tob&since=${since}&until=1`,
    ],
    [
      'a window of more than 31 days',
      `/v1/history/replay?venue=kalshi&outcomeId=x&kind=tob&since=${since}&until=${since + 32 * 86_400_000}`,
    ],
  ])('%s: returns 400 VALIDATION_ERROR', async (_, path) => {
    expectRefusal(await data.get(path, { key: keys.builder }), 400, 'VALIDATION_ERROR')
  })

  it.each([
    ['a limit of zero', 'limit=0'],
    ['an unknown status', 'status=happy'],
    ['an invalid time', 'since=yesterday'],
    ['a tampered cursor', 'cursor=bm9wZQ'],
  ])('list of executions, %s: returns 400 VALIDATION_ERROR', async (_, query) => {
    const world = await worldOf()
    expectRefusal(await world.get(`/v1/exec/executions?${query}`), 400, 'VALIDATION_ERROR')
  })

  it('a cursor of another account or filter: returns 400 VALIDATION_ERROR', async () => {
    const world = await worldOf()
    for (const key of ['a', 'b']) await world.build(key)
    const { nextCursor } = (await world.get('/v1/exec/executions?limit=1')).json
    const path = `/v1/exec/executions?limit=1&cursor=${nextCursor}`
    expect((await world.get(path)).status).toBe(200)
    expectRefusal(await world.get(`${path}&status=built`), 400, 'VALIDATION_ERROR')
    world.actAs(await world.newAccount())
    expectRefusal(await world.get(path), 400, 'VALIDATION_ERROR')
  })

  it.each([
    ['no body', ''],
    ['an empty object', '{}'],
    ['an array', '[]'],
    ['a field that the adapter does not know', '{"size":5,"apiSecret":"x"}'],
    ['an unknown intent', '{"size":5,"intent":"cancel"}'],
  ])('a build with %s: returns 400 VALIDATION_ERROR', async (_, body) => {
    const world = await worldOf()
    const reply = await world.world.call('POST', '/v1/exec/novig/orders/build', {
      body,
      headers: { 'idempotency-key': 'k' },
    })
    expectRefusal(reply, 400, 'VALIDATION_ERROR')
  })

  it('an execution id that is not a UUID: returns 400 VALIDATION_ERROR', async () => {
    expectRefusal(await (await worldOf()).refresh('17'), 400, 'VALIDATION_ERROR')
  })
})

row('refresh or cancel on an execution with no venue order id', () => {
  it('built, or submitted without a response from the venue: returns 400 without a venue request', async () => {
    const world = await worldOf()
    const built = idOf(await world.build('b'))
    expectRefusal(await world.refresh(built), 400, 'VALIDATION_ERROR')
    expectRefusal(await world.cancel(built, 'c'), 400, 'VALIDATION_ERROR')
    expectRefusal(await world.modify(built, 'm'), 400, 'VALIDATION_ERROR')
    expect(world.venue.calls).toBe(0)
  })

  it('rejected: a refresh returns 400 without a venue request', async () => {
    const world = await worldOf()
    world.venue.mode = 'reject'
    const id = await resting(world)
    const { calls } = world.venue
    expectRefusal(await world.refresh(id), 400, 'VALIDATION_ERROR')
    expect(world.venue.calls).toBe(calls)
  })
})

row('cancel on a `failed`, `canceled` or `expired` execution', () => {
  it.each(['failed', 'canceled', 'expired'])(
    '%s: returns 409 EXECUTION_TERMINAL before an adapter builds anything',
    async (status) => {
      const lane = testLane()
      let builds = 0
      const cancel = { ...lane.cancel!, build: () => Promise.reject(new Error(`built ${++builds}`)) }
      const world = await worldOf({ lanes: [{ ...lane, cancel }] })
      const id = await resting(world)
      await setStatus(id, status)
      expectRefusal(await world.cancel(id, 'c'), 409, 'EXECUTION_TERMINAL')
      expect(builds).toBe(0)
    },
  )

  it('rejected by the venue: returns 409 EXECUTION_TERMINAL', async () => {
    const world = await worldOf()
    world.venue.mode = 'reject'
    expectRefusal(await world.cancel(await resting(world), 'c'), 409, 'EXECUTION_TERMINAL')
  })
})

row('persisted artifact incompatible with the current build version', () => {
  it('its submit, and a build under its key: return 409 ARTIFACT_VERSION_CONFLICT; a new key builds again', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('k'))
    await pg.pool.query('UPDATE executions SET build_version = 0 WHERE id = $1', [id])
    expectRefusal(await world.submit(id, 's'), 409, 'ARTIFACT_VERSION_CONFLICT')
    expectRefusal(await world.build('k'), 409, 'ARTIFACT_VERSION_CONFLICT')
    expect((await world.build('fresh')).status).toBe(200)
  })
})

row('conditional cancel when no longer cancelable, or an attempt conflict', () => {
  it('reserved: returns 409 CONDITIONAL_NOT_ARMED; a second attempt: returns 409 CONDITIONAL_ATTEMPT_CONFLICT', async () => {
    const world = await openConditionalWorld(pg.pool)
    try {
      const executionId = await world.built()
      const { id } = (await world.arm({ executionId })).json.data
      await world.triggered(id)
      expect((await world.reserve('limitless', executionId)).status).toBe(200)
      expectRefusal(await world.cancelOrder(id), 409, 'CONDITIONAL_NOT_ARMED')
      expectRefusal(await world.reserve('limitless', executionId), 409, 'CONDITIONAL_ATTEMPT_CONFLICT')
    } finally {
      await world.close()
    }
  })
})

row('venue without the requested verb (`cancel: false`)', () => {
  it.each(['cancel', 'modify'] as const)(
    '%s: returns NOT_IMPLEMENTED, as listed in GET /v1/exec/venues',
    async (verb) => {
      const { [verb]: _none, ...bare } = testLane()
      const world = await worldOf({ lanes: [bare] })
      expectRefusal(await world[verb](await resting(world), 'c'), 501, 'NOT_IMPLEMENTED')
      expect((await world.get('/v1/exec/venues')).json.data[0].verbs[verb]).toBe(false)
    },
  )

  it('redeem, and submit: return NOT_IMPLEMENTED', async () => {
    const { submit: _none, ...bare } = testLane()
    const world = await worldOf({ lanes: [bare] })
    expectRefusal(await world.build('r', { intent: 'redeem', size: 1 }), 501, 'NOT_IMPLEMENTED')
    expectRefusal(await world.submit(idOf(await world.build('b')), 's'), 501, 'NOT_IMPLEMENTED')
  })
})

row('refresh on a lane with no status read', () => {
  it('returns 501, whatever the execution', async () => {
    const { refresh: _none, ...bare } = testLane()
    const world = await worldOf({ lanes: [bare] })
    expectRefusal(await world.refresh(idOf(await world.build('b'))), 501, 'NOT_IMPLEMENTED')
    expectRefusal(await world.refresh(await resting(world)), 501, 'NOT_IMPLEMENTED')
  })
})

row('feeds or reference-feed orderbook', () => {
  it('returns 503 FEEDS_UNAVAILABLE while disabled, with or without a key', async () => {
    for (const key of [keys.reader, null])
      for (const path of ['/api/feeds/binance/fetchTicker', '/api/feeds/chainlink/fetchOrderBook'])
        expectRefusal(await createWorld().get(path, { key }), 503, 'FEEDS_UNAVAILABLE', false)
  })

  it('a book: returns 501 NOT_SUPPORTED; an unknown feed: returns 404 FEED_NOT_FOUND', async () => {
    const { feeds, close } = await openFeedsLab()
    try {
      const world = createWorld({ families: { feeds: true }, feeds })
      for (const feed of ['binance', 'chainlink'])
        expectRefusal(await world.get(`/api/feeds/${feed}/fetchOrderBook`), 501, 'NOT_SUPPORTED')
      expectRefusal(await world.get('/api/feeds/nowhere/fetchTicker?symbol=BTC/USD'), 404, 'FEED_NOT_FOUND')
    } finally {
      await close()
    }
  })
})

row('dark or unknown venue on data routes', () => {
  it.each(['smarkets', 'predictit', 'nowhere', 'kalshi-demo'])(
    '%s: returns 404 EXCHANGE_NOT_AVAILABLE',
    async (venue) => {
      const world = createWorld()
      for (const verb of ['fetchMarkets', 'fetchOrderBook?outcomeId=x', 'has'])
        expectRefusal(await world.get(`/api/${venue}/${verb}`), 404, 'EXCHANGE_NOT_AVAILABLE')
      const replay = `/v1/history/replay?venue=${venue}&outcomeId=x&kind=tob&since=0&until=1`
      expectRefusal(await world.get(replay, { key: keys.builder }), 404, 'EXCHANGE_NOT_AVAILABLE')
    },
  )

  it.each([
    ['nowhere', 'VENUE_NOT_AVAILABLE'],
    ['smarkets', 'EXCHANGE_NOT_AVAILABLE'],
  ] as const)('%s on account routes: returns 404 %s', async (venue, code) => {
    expectRefusal(await accounts.get(`/v1/accounts/${venue}/somebody/open-orders`), 404, code)
  })

  it.each([
    ['pred', 'VENUE_NOT_SUPPORTED'],
    ['nowhere', 'VENUE_NOT_SUPPORTED'],
    ['kalshi-demo', 'VENUE_NOT_SUPPORTED'],
    ['smarkets', 'EXCHANGE_NOT_AVAILABLE'],
  ] as const)('%s on execution routes: returns 404 %s, before any deprecation warning', async (venue, code) => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    const call = (path: string) =>
      world.world.post(`/v1/exec/${venue}/${path}`, { size: 5 }, { headers: { 'idempotency-key': 'k' } })
    for (const path of [
      'orders/build',
      ...['submit', 'refresh', 'cancel', 'modify'].map((verb) => `orders/${id}/${verb}`),
    ])
      expectRefusal(await call(path), 404, code)
    expectRefusal(await world.get(`/v1/exec/${venue}/trades`), 404, code)
  })
})

row('account lane not served', () => {
  it('returns 400 ACCOUNTS_UNSUPPORTED', async () => {
    expectRefusal(await accounts.get('/v1/accounts/kalshi/somebody/open-orders'), 400, 'ACCOUNTS_UNSUPPORTED')
  })
})

row('unsupported trader venue or verb', () => {
  const wallet = `0x${'ab'.repeat(20)}`
  const { venues } = createWorld()
  const kalshi = { slug: 'kalshi', traders: undefined }
  const polymarket = {
    slug: 'polymarket',
    traders: { walletOf: (text: string) => text, notes: [], fetchWallet: async () => null },
  }
  const { context } = venues.get('kalshi')!.reads
  const world = createWorld({
    families: { traders: true },
    traders: {
      venues: new Map(
        [kalshi, polymarket].map((one) => [one.slug, { ...one, context, fetchMarket: async () => null }]),
      ),
      catalog: { findMarket: async () => null, findOutcomes: async () => [] },
      record: new MemoryRecord(),
      clock: createWorld().clock,
    },
  })
  it.each([
    'kalshi/leaderboard',
    `kalshi/wallets/${wallet}`,
    `polymarket/wallets/${wallet}/trades`,
    'polymarket/leaderboard',
  ])('%s: returns 400 TRADERS_UNSUPPORTED', async (path) => {
    expectRefusal(await world.get(`/v1/traders/${path}`), 400, 'TRADERS_UNSUPPORTED')
  })

  it('an unknown wallet: returns 404 TRADER_NOT_FOUND', async () => {
    expectRefusal(await world.get(`/v1/traders/polymarket/wallets/${wallet}`), 404, 'TRADER_NOT_FOUND')
  })
})

row('missing or revoked API key', () => {
  it.each([
    ['none', null],
    ['an unknown or revoked key', 'nobody'],
  ])('%s: returns 401 UNAUTHORIZED', async (_, key) => {
    const world = createWorld()
    for (const path of ['/api/kalshi/fetchMarkets', '/v1/exec/venues', '/v1/exec/executions'])
      expectRefusal(await world.get(path, { key }), 401, 'UNAUTHORIZED')
  })
})

row('rate limit exhausted', () => {
  it('returns 429 RATE_LIMITED with Retry-After in whole seconds', async () => {
    const world = createWorld()
    for (let i = 0; i < 3; i++) await world.get('/v1/exec/venues', { key: keys.hurried })
    const reply = await world.get('/v1/exec/venues', { key: keys.hurried })
    expectRefusal(reply, 429, 'RATE_LIMITED')
    expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/)
  })
})

row('insufficient credits, missing scope, plan lacking a feature, spend cap', () => {
  it('returns 402 INSUFFICIENT_CREDITS', async () => {
    const world = createWorld({ credits: new MemoryCredits(0) })
    expectRefusal(await world.get('/api/kalshi/fetchMarkets'), 402, 'INSUFFICIENT_CREDITS')
    const built = await world.post('/v1/exec/novig/orders/build', { size: 5 }, { key: keys.builder })
    expectRefusal(built, 402, 'INSUFFICIENT_CREDITS')
  })

  it('returns 403 SCOPE_MISSING: trade for execution routes, read for data', async () => {
    const world = createWorld()
    expectRefusal(await world.get('/v1/exec/venues', { key: keys.reader }), 403, 'SCOPE_MISSING')
    expectRefusal(await world.get('/api/kalshi/fetchMarkets', { key: keys.trader }), 403, 'SCOPE_MISSING')
  })

  it('returns 403 PLAN_REQUIRED: history replay requires builder', async () => {
    const path = '/v1/history/replay?venue=kalshi&outcomeId=x&kind=tob&since=0&until=1'
    expectRefusal(await createWorld().get(path, { key: keys.reader }), 403, 'PLAN_REQUIRED')
  })

  it('returns 402 SPEND_CAP_EXCEEDED, and writes nothing', async () => {
    const world = await worldOf()
    await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 4)', [world.accountId])
    expectRefusal(await world.build('k'), 402, 'SPEND_CAP_EXCEEDED')
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(0)
  })
})

row('storage or dependency unavailable', () => {
  it('the database of executions: returns a retryable 503 EXEC_UNAVAILABLE', async () => {
    const nowhere = createPool({ url: 'postgres://nobody@127.0.0.1:1/none', log: silentLog })
    const world = await worldOf({ wrap: () => createExecutionStore(nowhere) })
    for (const reply of [await world.build('k'), await world.get('/v1/exec/executions')]) {
      expectRefusal(reply, 503, 'EXEC_UNAVAILABLE')
      expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/)
    }
    await nowhere.end()
  })

  it('the platform that checks keys: returns a retryable 503 PLATFORM_UNAVAILABLE', async () => {
    const world = createWorld()
    world.verifications.next = { kind: 'inconclusive', cause: new Error('away') }
    expectRefusal(await world.get('/v1/exec/venues'), 503, 'PLATFORM_UNAVAILABLE')
  })

  it('the venue: returns a retryable 503 NETWORK_ERROR that names it', async () => {
    const world = await worldOf()
    const id = await resting(world)
    await world.venue.close()
    const reply = await world.refresh(id)
    expectRefusal(reply, 503, 'NETWORK_ERROR')
    expect(reply.json.error.exchange).toBe('novig')
  })
})

row('unexpected failure', () => {
  it('returns a retryable 500 INTERNAL with requestId and without details', async () => {
    const lane = testLane()
    const gatherFacts = () => Promise.reject(new TypeError('cannot read the secret plan'))
    const world = await worldOf({ lanes: [{ ...lane, order: { ...lane.order, gatherFacts } }] })
    const reply = await world.build('k')
    expectRefusal(reply, 500, 'INTERNAL')
    expect(reply.text).not.toContain('secret plan')
  })
})

describe('codes of the execution routes that no row names', () => {
  it('VENUE_REGION_BLOCKED: a country that the venue does not serve, at build and at submit', async () => {
    let country = 'CH'
    const world = await worldOf({ geofence: { countryOf: () => country, blocks: () => false } })
    const id = idOf(await world.build('b'))
    country = 'US'
    expectRefusal(await world.build('k'), 451, 'VENUE_REGION_BLOCKED')
    expectRefusal(await world.submit(id, 's'), 451, 'VENUE_REGION_BLOCKED')
    expect(world.venue.calls).toBe(0)
    expect(await count('execution_keys WHERE account_id = $1', [world.accountId])).toBe(1)
    country = unreadableCountry
    expectRefusal(await world.submit(id, 's'), 451, 'VENUE_REGION_BLOCKED')
  })

  it('allows building and submitting a cancellation, and reading executions, from any country; refuses orders and modifications', async () => {
    let country = 'CH'
    const blocks = (countryCode: string) => countryCode === 'KP'
    const world = await worldOf({ geofence: { countryOf: () => country, blocks } })
    const id = idOf(await world.build('b'))
    const other = idOf(await world.build('other'))
    const resting = idOf(await world.build('resting'))
    await world.submit(resting, 'r')
    expect((await world.submit(id, 's')).json.data.status).toBe('acked')
    for (const [callerCountry, code, n] of [
      ['US', 'VENUE_REGION_BLOCKED', 1],
      ['KP', 'GEO_BLOCKED', 2],
    ] as const) {
      country = callerCountry
      expectRefusal(await world.modify(id, `m${n}`), 451, code)
      expectRefusal(await world.submit(other, `o${n}`), 451, code)
      const cancel = await world.cancel(id, `c${n}`)
      expect(cancel.status, cancel.text).toBe(200)
      expect((await world.submit(idOf(cancel), `sc${n}`)).status).toBe(200)
      // Results can be read from wherever the operation is allowed.
      const own = [await world.refresh(resting), await world.get(`/v1/exec/executions/${id}`)]
      own.push(await world.get('/v1/exec/executions'), await world.get('/v1/exec/novig/trades'))
      expect(own.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    }
    expectRefusal(await world.submit('6f1c0f38-7f0a-4df6-9d1e-2a8b2f3c4d5e', 'nobody'), 451, 'GEO_BLOCKED')
    expect(world.venue.placed).toHaveLength(2)
  })

  it('CONDITIONAL_ATTEMPT_CONFLICT: another attempt has reserved the submit', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    await world.post(`${id}/reservations`, {})
    expectRefusal(await world.post(`${id}/reservations`, {}), 409, 'CONDITIONAL_ATTEMPT_CONFLICT')
    expectRefusal(await world.submit(id, 's'), 409, 'CONDITIONAL_ATTEMPT_CONFLICT')
  })

  it('OUTCOME_NOT_FOUND: the catalog does not have the outcome', async () => {
    const lane = testLane()
    const gatherFacts = () => Promise.reject(new Fault('OUTCOME_NOT_FOUND', 'no such outcome'))
    const world = await worldOf({ lanes: [{ ...lane, order: { ...lane.order, gatherFacts } }] })
    expectRefusal(await world.build('k'), 404, 'OUTCOME_NOT_FOUND')
  })
})

const spec = fileURLToPath(new URL('../../../shared/spec.md', import.meta.url))
it.skipIf(!existsSync(spec))(
  'covers every row of the specification’s table (skipped where the specification is not next to the project)',
  () => {
    const text = readFileSync(spec, 'utf8')
    const table = text.slice(text.indexOf('| condition | status and code |')).split('\n\n')[0]!
    const conditions = table
      .split('\n')
      .slice(2)
      .map((line) => line.split('|')[1]!.trim())
    expect(conditions).toHaveLength(18)
    expect(conditions.toSorted()).toEqual([...rows].toSorted())
  },
)
