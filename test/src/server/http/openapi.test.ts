import { expect, it } from 'vitest'
import { routes } from '#roles/routes'
import { testEvent, webhookEvents } from '#schemas/webhooks'
import type { FeatureFlags } from '#server/http/featureFlags'
import { buildOpenApi } from '#server/http/openapi'
import { codesOf, operationsOf, resolve } from '#test/support/openapiDocument'
import { createWorld } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is read by path
const document = buildOpenApi(routes, { version: '1.2.3' }) as any

const operations = new Map(
  operationsOf(document).map((operation) => [`${operation.method} ${operation.path}`, operation]),
)

it('documents every served route with its errors, scope, plan and credits, and no other', () => {
  for (const route of routes) {
    for (const method of route.methods) {
      const operation = operations.get(`${method.toUpperCase()} ${route.path}`)
      expect(operation !== undefined, route.path).toBe(route.served)
      if (operation === undefined) continue
      expect(codesOf(operation)).toEqual(expect.arrayContaining([...route.errors]))
      for (const name of route.path.matchAll(/\{(\w+)\}/g)) {
        expect(operation.parameters).toContainEqual(
          expect.objectContaining({ name: name[1], in: 'path', required: true }),
        )
      }
      if (route.access === 'public') expect(operation.security).toEqual([])
      else {
        expect(operation['x-scope']).toBe(route.access.scope)
        expect(operation['x-credits']).toBe(route.access.credits)
        expect(operation['x-rows-per-credit']).toBe(route.access.rowsPerCredit)
        expect(operation['x-credits-per-item']).toBe(route.access.itemsIn === undefined ? undefined : true)
        const headers = operation.responses.default!.headers!
        for (const name of ['X-Credits-Charged', 'X-Credits-Balance'])
          expect(headers[name] !== undefined).toBe(route.access.credits > 0)
        expect(operation['x-plan-feature']).toBe(route.access.feature)
        expect(codesOf(operation)).toContain('UNAUTHORIZED')
      }
    }
  }
})

it('has unique operation ids and survives JSON', () => {
  const paths: Record<string, Record<string, { operationId: string }>> = document.paths
  const ids = Object.values(paths).flatMap((path) => Object.values(path).map((operation) => operation.operationId))
  expect(new Set(ids).size).toBe(ids.length)
  expect(JSON.parse(JSON.stringify(document)).openapi).toBe('3.1.0')
})

it('shows a verb’s arguments on GET and both body forms on POST', () => {
  const get = operations.get('GET /api/{exchange}/fetchOrderBook')!
  const post = operations.get('POST /api/{exchange}/fetchOrderBook')!
  expect(get.parameters.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['exchange', 'outcomeId', 'limit', 'since']),
  )
  const body = post.requestBody!.content['application/json']!.schema
  expect(body.anyOf).toEqual([
    { $ref: '#/components/schemas/FetchOrderBookArguments' },
    { $ref: '#/components/schemas/PositionalArguments' },
  ])
  expect(operations.get('GET /v1/history/replay')!.responses['200']!.content).toHaveProperty('application/x-ndjson')
})

it('documents webhook payloads with their signature headers', () => {
  expect(Object.keys(document.webhooks)).toEqual([...webhookEvents, testEvent])
  const { post } = document.webhooks['execution.status.changed']
  expect(post.parameters.map((header: { name: string }) => resolve<{ name: string }>(document, header).name)).toEqual([
    'X-Service-Event',
    'X-Service-Timestamp',
    'X-Service-Signature',
    'X-Service-Delivery',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ])
  const { properties } = resolve<{ properties: object }>(document, post.requestBody.content['application/json'].schema)
  expect(Object.keys(properties)).toEqual(['executionId', 'venue', 'status', 'previousStatus', 'occurredAt'])
})

it('serves both documents', async () => {
  const world = createWorld()
  expect((await world.get('/openapi.json', { key: null })).json.paths).toHaveProperty('/v1/history/replay')
  const stream = (await world.get('/asyncapi.json', { key: null })).json
  expect(stream.asyncapi).toBe('3.0.0')
  expect(JSON.stringify(stream)).toContain('subscribeArbitrage')
})

it('omits routes that are switched off', async () => {
  const pathsOf = async (families: FeatureFlags) =>
    Object.keys((await createWorld({ families }).get('/openapi.json', { key: null })).json.paths)
  const dark = await pathsOf({})
  for (const { path, family, served } of routes) expect(dark.includes(path), path).toBe(served && family === 'core')
  const lit = await pathsOf({ sports: true })
  expect(lit.filter((path) => !dark.includes(path))).toEqual(
    routes.filter(({ family }) => family === 'sports').map(({ path }) => path),
  )
})

it('documents the shape of its own JSON responses without an envelope, correctly', async () => {
  const world = createWorld()
  const bare = routes.filter((route) => route.data === null && route.contentType === 'application/json')
  expect(bare.map(({ operationId }) => operationId)).toEqual(['getOpenApi', 'getAsyncApi'])
  for (const route of bare) {
    const { json } = await world.get(route.path, { key: null })
    expect(route.raw?.safeParse(json).error, route.operationId).toBeUndefined()
  }
  const { paths } = (await world.get('/openapi.json', { key: null })).json
  expect(paths['/openapi.json'].get.responses['200'].content['application/json'].schema).toMatchObject({
    type: 'object',
    required: ['openapi', 'info', 'paths'],
  })
})
