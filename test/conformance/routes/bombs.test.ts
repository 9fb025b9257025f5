// Fault 21: no request to any route causes a 500 or pollutes a prototype.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '#core/log'
import { conditionalSteps } from '#orders/conditional/transitions'
import { type RouteDeps, routes } from '#roles/routes'
import { type ErrorCode, errorCodes } from '#schemas/errors'
import { bodyBytesMax } from '#server/http/contract'
import { commonErrors, type Route } from '#server/http/defineRoute'
import { disabledResponses } from '#server/http/featureFlags'
import { jsonDepthMax } from '#server/http/jsonBody'
import { createAlgorithmStore } from '#storage/postgres/algorithms/store'
import { createBracketStore } from '#storage/postgres/brackets/store'
import { createConditionalStore } from '#storage/postgres/conditional/store'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { createRouterStore } from '#storage/postgres/router/store'
import { createWebhookStore } from '#storage/postgres/webhooks/store'
import { createWorld, type Reply, type World } from '#test/src/server/http/world'
import { testLane } from '#test/support/execution/lane'
import { armRealLanes } from '#test/support/execution/realLanes'
import { startTestVenue, type TestVenue } from '#test/support/execution/venue'
import { laneCases, laneVenues, madeRows } from '#test/support/laneCases'
import { withPostgres } from '#test/support/postgres'
import { seed } from '#test/support/seed'

const long = process.env.CROSSBOOK_TEST_LONG === '1'

const pg = withPostgres()
let venue: TestVenue
let lanes: ReturnType<typeof armRealLanes>
let world: World
let accountId: string
/** Existing executions that requests can name. */
const ids: string[] = []

beforeAll(async () => {
  venue = await startTestVenue()
  lanes = armRealLanes(venue.url, madeRows, silentLog)
  const test = testLane({ urls: { REST: venue.url } })
  const { context } = lanes.armed.get('gemini')!
  lanes.armed.set('novig', { lane: test, context: (...of) => ({ ...context(...of), urls: { REST: venue.url } }) })
  const { rows } = await pg.pool.query<{ id: string }>(`INSERT INTO accounts (name) VALUES ('bombs') RETURNING id`)
  accountId = rows[0]!.id
  world = createWorld({
    families: Object.fromEntries(Object.keys(disabledResponses).map((family) => [family, true])),
    executions: { store: createExecutionStore(pg.pool), knownLanes: lanes.known, lanes: lanes.armed },
    conditional: { store: createConditionalStore(pg.pool, conditionalSteps) },
    brackets: { store: createBracketStore(pg.pool) },
    algorithms: { store: createAlgorithmStore(pg.pool) },
    router: { store: createRouterStore(pg.pool) },
    webhooks: { store: createWebhookStore(pg.pool) },
    accounts: {
      find: async () => ({ name: 'bombs', createdAt: new Date(0) }),
      creditState: async () => [
        { unlimited: false, balance: 0, held: 0, includedMonth: null, includedCredits: 0 },
        { spent: 0, usage: [] },
      ],
      usage: async () => [
        { lines: [], byKey: [] },
        { spent: 0, usage: [] },
      ],
      keys: async () => [],
      caps: async () => [],
    },
  })
  world.verifications.next = {
    kind: 'valid',
    principal: { accountId, keyId: accountId, plan: 'enterprise', scopes: ['read', 'trade', 'review', 'admin'] },
  }
  for (const key of ['built', 'sent']) {
    const headers = { 'idempotency-key': key }
    const built = await world.post('/v1/exec/novig/orders/build', { size: 5 }, { headers })
    ids.push(built.json.data.executionId)
  }
  const submitted = await world.post(
    `/v1/exec/novig/orders/${ids[1]}/submit`,
    { apiSecret: 'x' },
    { headers: { 'idempotency-key': 's' } },
  )
  expect(submitted.json.data.status).toBe('acked')
}, 60_000)
afterAll(async () => {
  await lanes?.close()
  await venue?.close()
})

function expectNoHarm(route: Route<RouteDeps>, reply: Reply): void {
  const where = `${route.operationId}: ${reply.status} ${reply.text.slice(0, 300)}`
  expect(reply.status, where).not.toBe(500)
  if (reply.status >= 400) {
    expect(reply.json?.success, where).toBe(false)
    const code = reply.json.error.code as ErrorCode
    expect(errorCodes, where).toHaveProperty(code)
    // Execution routes may answer with the codes they document.
    if (route.tag === 'execution' && code !== 'ROUTE_NOT_FOUND')
      expect([...commonErrors(route), ...route.errors], where).toContain(code)
  }
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
}

/** A plain address of the route; everything it names exists. */
const addressOf = (route: Route<RouteDeps>): string =>
  route.path
    .replace('{exchange}', 'polymarket')
    .replace('{venue}', 'novig')
    .replaceAll(/\{\w+Id\}/g, ids[1]!)
    .replaceAll(/\{\w+\}/g, 'x')

describe('fault 21: hostile bodies', () => {
  const bombs: readonly (readonly [name: string, body: string])[] = [
    ['32,768 nested arrays', '['.repeat(32_768) + ']'.repeat(32_768)],
    ['arrays one level too deep', '['.repeat(jsonDepthMax + 1) + ']'.repeat(jsonDepthMax + 1)],
    ['objects one level too deep', '{"a":'.repeat(jsonDepthMax + 1) + 1 + '}'.repeat(jsonDepthMax + 1)],
    ['7,430 keys', `{${Array.from({ length: 7_430 }, (_, i) => `"${i.toString(36)}":0`).join(',')}}`],
    ['a number of 60,000 digits', `{"size":${'9'.repeat(60_000)}}`],
    ['a number beyond doubles', '{"size":1e999}'],
    ['a __proto__ key', '{"__proto__":{"polluted":true}}'],
    ['an escaped __proto__ key', '{"\\u005f_proto__":{"polluted":true}}'],
    ['a nested constructor key', '{"a":[{"constructor":{"prototype":{"polluted":true}}}]}'],
    ['a lone surrogate', '{"size":"\\ud800"}'],
    ['a lone surrogate key', '{"\\udfff":1}'],
    ['a NUL', '{"size":"\\u0000"}'],
    ['a duplicate key', '{"size":1,"size":2}'],
    ['truncated text', '{"size":'],
    ['a body that is not UTF-8', '"\u00ff'],
  ]
  const tooLarge: readonly (readonly [name: string, body: string])[] = [
    ['10 MiB of text', `{"size":"${'x'.repeat(10 * 1024 * 1024)}"}`],
    ['10 MiB of brackets', '['.repeat(10 * 1024 * 1024)],
    ['a number of a million digits', `{"size":${'9'.repeat(1_000_000)}}`],
    ['one byte too many', `"${'x'.repeat(bodyBytesMax)}"`],
  ]
  const posts = routes.filter(({ methods }) => methods.includes('post'))
  const headers = { 'idempotency-key': 'bomb' }

  it.each(posts.map((route) => [route.operationId, route] as const))(
    '%s refuses each with 400, and one above the limit with 413',
    async (_, route) => {
      for (const [name, body] of bombs) {
        const bytes = name.endsWith('UTF-8') ? Buffer.from(body, 'latin1') : body
        const reply = await world.call('POST', addressOf(route), { body: bytes, headers })
        expect([reply.status, reply.json.error?.code], `${name}: ${reply.text.slice(0, 200)}`).toEqual([
          400,
          'VALIDATION_ERROR',
        ])
        expectNoHarm(route, reply)
      }
      for (const [name, body] of tooLarge) {
        if (body.length <= route.bodyBytesMax) continue
        const reply = await world.call('POST', addressOf(route), { body, headers })
        expect([reply.status, reply.json.error?.code], name).toEqual([413, 'VALIDATION_ERROR'])
      }
    },
  )

  it('has written nothing', async () => {
    const { rows } = await pg.pool.query('SELECT 1 FROM executions WHERE account_id = $1', [accountId])
    expect(rows).toHaveLength(2)
    const { rows: keys } = await pg.pool.query(`SELECT 1 FROM execution_keys WHERE key = 'bomb'`)
    expect(keys).toEqual([])
  })
})

describe('fault 21: fuzz', () => {
  /** Nearly valid bodies, for the fuzzer to change. */
  const nearly: readonly Record<string, unknown>[] = [
    ...laneVenues.map((venue) => laneCases[venue].made.order),
    { size: 5, dryRun: true, intent: 'order' },
    { intent: 'redeem', owner: `0x${'ab'.repeat(20)}`, outcome: '1', outcomeSide: 'YES' },
    { intent: 'split', owner: `0x${'ab'.repeat(20)}`, outcome: '1', amount: '5' },
    { intent: 'convert', owner: `0x${'ab'.repeat(20)}`, outcomes: ['1', '2'], amount: '5' },
    {
      outcome: '123',
      outcomeSide: 'NO',
      isBuy: false,
      price: 0.5,
      size: '10.25',
      owner: `0x${'ab'.repeat(20)}`,
      funder: `0x${'cd'.repeat(20)}`,
      signatureType: 1,
      expiresAt: 1_900_000_000,
      metadata: `0x${'00'.repeat(32)}`,
      builder: `0x${'00'.repeat(32)}`,
    },
    { apiKeyId: 'id', privateKeyPem: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n' },
    { apiKey: 'k', apiSecret: 's' },
    { keyId: 'k', secretKey: 'AAAA' },
    { signature: `0x${'11'.repeat(65)}`, reservationId: '00000000-0000-4000-8000-000000000000' },
    { price: '0.3', size: 2 },
    { url: 'https://example.com/hook', events: ['execution.status.changed'] },
    { owner: `0x${'ab'.repeat(20)}`, amount: '10' },
    { args: ['1', { limit: 2 }] },
  ]
  const names = [...new Set(nearly.flatMap((body) => Object.keys(body))), 'limit', 'cursor', 'params', 'id', 'toString']
  const leaf = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1,
      -0,
      0.5,
      5e-324,
      1e308,
      2 ** 53,
      '',
      ' ',
      'null',
      '0.5',
      '1e5',
      '-1',
      '0x',
      'NaN',
      '９',
      '\u2028',
      '\u202e',
      '🙂',
      'KXTEST-26-A',
      'demo-a:long',
      'constructor',
      'x'.repeat(5_000),
      '9'.repeat(400),
      [],
      {},
    ),
    fc.string({ maxLength: 20 }),
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.double(),
    fc.integer(),
    fc.bigInt().map(String),
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      { weight: 5, arbitrary: leaf },
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 4 }),
    ),
  }))
  const spoiled = fc
    .tuple(
      fc.constantFrom(...nearly),
      fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 2 }),
      fc.subarray(names, { maxLength: 2 }),
    )
    .map(([body, over, without]) => {
      const made: Record<string, unknown> = { ...body, ...Object.fromEntries(over) }
      for (const name of without) delete made[name]
      return made
    })
  const body = fc.oneof(
    { weight: 6, arbitrary: spoiled.map((made) => Buffer.from(JSON.stringify(made))) },
    { weight: 2, arbitrary: value.map((made) => Buffer.from(JSON.stringify(made) ?? '')) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)) },
    {
      weight: 1,
      arbitrary: fc.tuple(spoiled, fc.nat(200)).map(([made, cut]) => Buffer.from(JSON.stringify(made).slice(0, cut))),
    },
  )
  const part = fc.oneof(
    { weight: 4, arbitrary: fc.nat(3).map((i) => ids[i] ?? '00000000-0000-4000-8000-000000000000') },
    fc.constantFrom('x', '%00', '%ff', '..', '%2e%2e', '__proto__', '🙂', 'x'.repeat(3_000)),
  )
  const venues = fc.constantFrom(...laneVenues, 'novig', 'pred', 'router')
  const query = fc.array(
    fc.tuple(
      fc.constantFrom('limit', 'cursor', 'since', 'venue', 'status', 'kind', 'outcomeId', '__proto__', '%', 'after'),
      fc.constantFrom('', '1', '-1', 'abc', '1e999', '%00', '%ff', 'true', '9'.repeat(50), '{"a":', '2026-01-01'),
    ),
    { maxLength: 3 },
  )

  const runs = long ? 100_000 : 3_000
  it(`seed ${seed}: none of ${runs} fuzzed calls over every route returns a 500 or an unlisted code`, async () => {
    const seen = new Map<string, number>()
    const byName = new Map(routes.map((route) => [route.operationId, route]))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...byName.keys()),
        fc.nat(2),
        venues,
        fc.array(part, { minLength: 3, maxLength: 3 }),
        query,
        body,
        fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
        async (name, method, slug, parts, pairs, bytes, key) => {
          const route = byName.get(name)!
          let used = 0
          const path = route.path
            .replace('{exchange}', slug)
            .replace('{venue}', slug)
            .replaceAll(/\{\w+\}/g, () => parts[used++ % parts.length]!)
          const search = pairs.map(([field, text]) => `${field}=${text}`).join('&')
          // Nothing is written twice under one key, and venue rejections do not accumulate into an open breaker.
          const headers = { 'idempotency-key': `${key} ${Math.random()}` }
          const reply = await world.call(
            route.methods[method % route.methods.length]!.toUpperCase(),
            `${path}?${search}`,
            {
              body: bytes,
              headers,
            },
          )
          expectNoHarm(route, reply)
          const word = `${reply.status}`
          seen.set(word, (seen.get(word) ?? 0) + 1)
        },
      ),
      { numRuns: runs, seed },
    )
    // Some calls passed the first checks and had effects.
    expect(seen.get('200') ?? 0).toBeGreaterThan(runs / 25)
    expect(seen.get('400') ?? 0).toBeGreaterThan(runs / 20)
  }, 1_800_000)
})
