// Refusals that every route shares, tried on every listed route: a new route is covered automatically.
import { describe, expect, it } from 'vitest'
import { createGeofence } from '#platform/geofence/geofence'
import { type RouteDeps, routes } from '#roles/routes'
import { errorCodes } from '#schemas/errors'
import type { Route } from '#server/http/defineRoute'
import { disabledResponses, type FlaggedFeature } from '#server/http/featureFlags'
import { createWorld, keys, type Reply } from '#test/src/server/http/world'

/** Cancelling orders, and reading one's own executions. */
const openAnywhere = [
  ...['cancelExecution', 'submitExecution', 'refreshExecution', 'resolveExecution', 'discardExecution'],
  ...['listExecutions', 'getExecution', 'listExecTrades', 'listOrders', 'listUnresolvedOrders'],
  ...['batchSubmit', 'cancelAll', 'setCancelAfter', 'getCancelAfter', 'scheduleVenueCancel'],
  ...['haltTrading', 'getHalts', 'getRiskLimits'],
  ...['listPositions', 'getPortfolioSummary', 'listPortfolioFills', 'getPortfolioHistory', 'getStatement'],
  ...['createPortfolioImport', 'listPortfolioImports', 'getExposure', 'reconcilePortfolio', 'listRedeemable'],
  ...['listConditionals', 'getConditional', 'cancelConditional', 'reportConditional'],
  ...['getBracket', 'cancelBracket'],
  'cancelPaperOrder',
  ...['listAlgorithms', 'getAlgorithm', 'cancelAlgorithm'],
  ...['listRouterGroups', 'getRouterGroup'],
  // The money was sent already.
  ...['reportBridgePayment', 'getBridgeSession'],
]

const allEnabled = Object.fromEntries(Object.keys(disabledResponses).map((family) => [family, true]))
const enabledWorld = createWorld({ families: allEnabled })
const disabledWorld = createWorld({ families: {} })

const addressOf = (route: Route<RouteDeps>) =>
  route.path
    .replace('{exchange}', 'polymarket')
    .replaceAll(/\{(\w+Id|id)\}/g, '00000000-0000-4000-8000-000000000000')
    .replaceAll(/\{\w+\}/g, 'x')
const methodOf = (route: Route<RouteDeps>) => route.methods[0]!.toUpperCase()

/** Keyed routes whose body has more than the adapter's own fields. */
const bodies: Readonly<Record<string, string>> = {
  resolveExecution: '{"outcome":"failed","reason":"r"}',
  batchBuild: '{"orders":[{"venue":"kalshi"}]}',
  batchSubmit: '{"submits":[{"executionId":"00000000-0000-4000-8000-000000000000"}]}',
  createPortfolioImport:
    '{"kind":"transfer","venue":"kalshi","ref":"r","at":"2020-01-01T00:00:00Z","currency":"USD","cash":"1"}',
  createBracket:
    '{"entryExecutionId":"00000000-0000-4000-8000-000000000000","stopLoss":{"trigger":{"price":0.5},"build":{"price":0.4}},"expiresAt":"2030-01-01T00:00:00Z"}',
  createAlgorithm:
    '{"venue":"kalshi","algorithm":{"kind":"iceberg","displaySize":1},"build":{"isBuy":true},"size":2,"limitPrice":0.5,"expiresAt":"2030-01-01T00:00:00Z"}',
  depositPaperCash: '{"venue":"kalshi","amount":"1"}',
  routerPlan: '{"venue":"kalshi","marketId":"m","outcomeSide":"YES","isBuy":true,"size":1}',
  routerArbitrage: '{"minEdge":"1"}',
  routerStructure: '{"minEdge":"1"}',
  armConditional:
    '{"executionId":"00000000-0000-4000-8000-000000000000","trigger":{"price":0.5,"when":"at_or_above"},"fireMode":"client","expiresAt":"2030-01-01T00:00:00Z"}',
}

function expectRefusal(
  reply: Reply,
  status: number,
  code: string,
  retryable: boolean = errorCodes[code as keyof typeof errorCodes][1],
): void {
  expect({ status: reply.status, code: reply.json.error.code }).toEqual({ status, code })
  expect(reply.json.success).toBe(false)
  expect(reply.json.error.message).toBeTypeOf('string')
  expect(reply.json.error.retryable).toBe(retryable)
  expect(reply.json.error.requestId).toBe(reply.headers['x-request-id'])
}

it('names every operation once, and every method of a path', () => {
  expect(routes.length).toBeGreaterThan(25)
  expect(new Set(routes.map((route) => route.operationId)).size).toBe(routes.length)
  const methodsAndPaths = routes.flatMap((route) => route.methods.map((method) => `${method} ${route.path}`))
  expect(new Set(methodsAndPaths).size).toBe(methodsAndPaths.length)
})

const fenced = createWorld({
  families: allEnabled,
  geofence: createGeofence({ countryHeader: 'x-country', trustedProxies: ['127.0.0.1'], blockedCountries: ['KP'] }),
})

describe.each(routes.map((route) => [route.operationId, route] as const))('%s', (_, route) => {
  const address = addressOf(route)
  const method = methodOf(route)
  const { access } = route

  it('answers an unsupported method with 405, the allowed methods, and the envelope', async () => {
    const methods = routes.filter(({ path }) => path === route.path).flatMap((one) => one.methods)
    const names = methods.flatMap((name) => (name === 'get' ? ['GET', 'HEAD'] : [name.toUpperCase()]))
    const unsupported = ['PUT', 'PATCH'].find((name) => !names.includes(name))!
    const reply = await enabledWorld.call(unsupported, address)
    expectRefusal(reply, 405, 'BAD_REQUEST')
    expect(reply.headers.allow).toBe([...names, 'OPTIONS'].join(', '))
    const options = await enabledWorld.call('OPTIONS', address, { key: null })
    expect([options.status, options.headers.allow, options.text]).toEqual([204, reply.headers.allow, ''])
    if (route.family !== 'core') {
      const hidden = await disabledWorld.call('OPTIONS', address)
      expect([hidden.status === 204, hidden.headers.allow]).toEqual([false, undefined])
    }
  })

  it('refuses a body above the limit with 413 before anything else', async () => {
    const reply = await enabledWorld.call(method, address, {
      key: null,
      body: Buffer.alloc(route.bodyBytesMax + 1, 0x5b),
    })
    expectRefusal(reply, 413, 'VALIDATION_ERROR')
  })

  if (access !== 'public') {
    it('refuses a call without a key, with an unknown key, and with the key in the address', async () => {
      const none = await enabledWorld.call(method, address, { key: null })
      expectRefusal(none, 401, 'UNAUTHORIZED')
      expect(none.headers['www-authenticate']).toBe('Bearer')
      expectRefusal(await enabledWorld.call(method, address, { key: 'nobody' }), 401, 'UNAUTHORIZED')
      const inAddress = await enabledWorld.call(method, `${address}?apiKey=${keys.builder}&token=${keys.builder}`, {
        key: null,
      })
      expectRefusal(inAddress, 401, 'UNAUTHORIZED')
    })

    it('refuses a key without the scope', async () => {
      const key = route.access !== 'public' && route.access.scope === 'trade' ? keys.reader : keys.trader
      expectRefusal(await enabledWorld.call(method, address, { key }), 403, 'SCOPE_MISSING')
    })

    it('refuses a caller from a country that is not served or unreadable, unless the route is open everywhere', async () => {
      const isOpen = route.access !== 'public' && route.access.anywhere === true
      expect(isOpen).toBe(openAnywhere.includes(route.operationId))
      if (isOpen) return
      const headers = { 'x-country': 'KP' }
      expectRefusal(await fenced.call(method, address, { headers, key: keys.builder }), 451, 'GEO_BLOCKED')
      const twice = { headers: { 'x-country': 'DE' }, times: { 'x-country': 2 } }
      expectRefusal(await fenced.call(method, address, { ...twice, key: keys.builder }), 451, 'GEO_BLOCKED')
    })

    it('returns 503 when the key cannot be checked', async () => {
      const world = createWorld({ families: allEnabled })
      world.verifications.next = { kind: 'inconclusive', cause: new Error('store down') }
      const reply = await world.call(method, address)
      expectRefusal(reply, 503, 'PLATFORM_UNAVAILABLE')
      expect(reply.headers['retry-after']).toBe('1')
    })

    it('returns 429 with Retry-After in whole seconds when the key is over its limit', async () => {
      const world = createWorld({ families: allEnabled })
      let last = await world.call(method, address, { key: keys.hurried })
      for (let i = 0; i < 3; i++) last = await world.call(method, address, { key: keys.hurried })
      expectRefusal(last, 429, 'RATE_LIMITED')
      expect(last.headers['retry-after']).toMatch(/^[1-9]\d*$/)
      expect(last.headers['ratelimit-limit']).toBe('3')
      expect(last.headers['ratelimit-remaining']).toBe('0')
      expect(last.json.error.retryAfter).toBe(Number(last.headers['retry-after']))
    })
  }

  if (access !== 'public' && access.feature !== undefined) {
    it('refuses a plan without the feature', async () => {
      const world = createWorld({ families: allEnabled })
      world.verifications.next = {
        kind: 'valid',
        principal: { accountId: 'a', keyId: 'k', plan: 'free', scopes: ['read', 'trade', 'review', 'admin'] },
      }
      expectRefusal(await world.call(method, address), 403, 'PLAN_REQUIRED')
    })
  }

  if (route.keyed) {
    it.each([
      ['an unreadable header', { 'idempotency-key': 1 }],
      ['a duplicate header', { 'idempotency-key': 2 }],
    ])('refuses an invalid Idempotency-Key: %s', async (_name, times) => {
      expectRefusal(
        await enabledWorld.call(method, address, { key: keys.builder, body: '{}', times }),
        400,
        'VALIDATION_ERROR',
      )
    })

    it.each([
      ['a missing Idempotency-Key', {}, 'IDEMPOTENCY_KEY_REQUIRED'],
      ['an empty Idempotency-Key', { 'idempotency-key': ' ' }, 'IDEMPOTENCY_KEY_REQUIRED'],
      ['the name of an empty variable', { 'idempotency-key': 'undefined' }, 'VALIDATION_ERROR'],
      ['a reserved key', { 'idempotency-key': 'cond:1' }, 'RESERVED_IDEMPOTENCY_KEY'],
    ])('refuses %s', async (_name, headers, code) => {
      const body = bodies[route.operationId] ?? '{}'
      expectRefusal(await enabledWorld.call(method, address, { key: keys.builder, body, headers }), 400, code)
    })
  }

  if (route.methods.includes('post')) {
    it.each([
      ['invalid JSON', '{"args": [', 'VALIDATION_ERROR'],
      ['a polluting key', '{"__proto__":{"polluted":1}}', 'VALIDATION_ERROR'],
      ['a duplicate key', '{"a":1,"a":2}', 'VALIDATION_ERROR'],
    ])('refuses a body that is %s', async (_name, body, code) => {
      expectRefusal(await enabledWorld.call('POST', address, { key: keys.builder, body }), 400, code)
      expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    })
  }

  if (route.family !== 'core') {
    it('answers with its family’s error while that is disabled, whatever the key and the method', async () => {
      const [code] = disabledResponses[route.family as FlaggedFeature]
      for (const reply of [
        await disabledWorld.call(method, address, { key: null }),
        await disabledWorld.call('PATCH', address),
      ]) {
        // Repeating the request does not help.
        expectRefusal(reply, errorCodes[code][0], code, false)
        expect(reply.headers['retry-after']).toBeUndefined()
        expect(reply.headers.allow).toBeUndefined()
      }
    })
  }

  if (route.path.includes('{exchange}')) {
    it.each(['smarkets', 'predictit', 'nowhere', 'opinion', 'feeds', 'SMARKETS'])(
      'has no exchange %s',
      async (exchange) => {
        const path = route.path.replace('{exchange}', exchange)
        expectRefusal(await enabledWorld.call(method, path), 404, 'EXCHANGE_NOT_AVAILABLE')
      },
    )
  }
})

it('answers an unknown path with 404 ROUTE_NOT_FOUND, with or without a key', async () => {
  for (const path of [
    '/nope',
    '/api',
    '/api/kalshi',
    '/api/kalshi/nope',
    '/api/kalshi/has/more',
    '//',
    '/v1/history/replay/',
  ]) {
    expectRefusal(await enabledWorld.get(path, { key: null }), 404, 'ROUTE_NOT_FOUND')
  }
})
