// Every route refuses an unknown parameter and names the one that was probably meant: a new route is tested once it is listed.
import { expect, it } from 'vitest'
import { z } from 'zod'
import { parseBody } from '#orders/executions/parseBody'
import { type RouteDeps, routes } from '#roles/routes'
import type { Route } from '#server/http/defineRoute'
import { disabledResponses } from '#server/http/featureFlags'
import { createWorld, keys, type Reply } from '#test/src/server/http/world'
import type { ExecutionAdapter } from '#venues/lane'
import { lanes } from '#venues/registry'

const world = createWorld({
  families: Object.fromEntries(Object.keys(disabledResponses).map((family) => [family, true])),
  overrides: { arbitrage: { unknownVenue: () => null, validContracts: () => true } as never },
})

/** Unserved routes answer every call with that. */
const isServed = ({ served }: Route<RouteDeps>) => served
const served = routes.filter(isServed)

const addressOf = (route: Route<RouteDeps>, exchange: string) =>
  route.path
    .replace('{exchange}', exchange)
    .replace('{venue}', 'kalshi')
    .replace('{date}', '2026-11-01')
    .replace('{kind}', 'tob')
    .replace('{period}', '2026-11')
    .replaceAll(/\{(\w+Id|id)\}/g, '00000000-0000-4000-8000-000000000000')
    .replaceAll(/\{\w+\}/g, 'x')

/** The names an object accepts; null where any name is accepted, or where it is not an object. */
function namesOf(schema: z.ZodType | null): string[] | null {
  if (schema === null) return null
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const isOpen = described.additionalProperties !== undefined && described.additionalProperties !== false
  return described.properties === undefined || isOpen ? null : Object.keys(described.properties)
}

/** At the first exchange that has the verb. */
async function request(route: Route<RouteDeps>, method: string, query: string, body?: object): Promise<Reply> {
  let reply: Reply | undefined
  for (const exchange of ['polymarket', 'kalshi', 'router']) {
    reply = await world.call(method, `${addressOf(route, exchange)}${query}`, {
      key: keys.builder,
      headers: { 'idempotency-key': 'k' },
      body: body === undefined ? '' : JSON.stringify(body),
    })
    if (reply.status !== 501) break
  }
  return reply!
}

const expectNamed = (reply: Reply, nearest: string | undefined, what: string) => {
  expect([what, reply.status, reply.json?.error?.code]).toEqual([what, 400, 'VALIDATION_ERROR'])
  const hint =
    nearest === undefined ? 'is not known; no fields are accepted here' : `is not known; did you mean ${nearest}?`
  expect(reply.json.error.message, what).toContain(hint)
}

/** A typing error: the second letter repeated. */
const mistyped = (name: string) => name.slice(0, 2) + name.slice(1)

it('in a query', async () => {
  let checked = 0
  for (const route of served) {
    const names = namesOf(route.documented?.query ?? route.query)
    for (const method of route.methods) {
      // Parameters of a POST are in its body.
      const nearest = method === 'get' ? names?.[0] : undefined
      const wrong = nearest === undefined ? 'limt' : mistyped(nearest)
      expectNamed(await request(route, method.toUpperCase(), `?${wrong}=1`, {}), nearest, `${method} ${route.path}`)
      checked++
    }
  }
  expect(checked).toBeGreaterThan(60)
})

it('in a body', async () => {
  let checked = 0
  for (const route of served) {
    if (!route.methods.includes('post')) continue
    const verb = route.path.startsWith('/api/')
    // Each adapter checks its own fields: test/src/venues/lanes.test.ts.
    const names = namesOf(verb ? route.documented!.query : route.body)
    if (names === null || names.length === 0) continue
    const body = { [mistyped(names[0]!)]: 'x' }
    expectNamed(await request(route, 'POST', '', body), names[0]!, `post ${route.path}`)
    checked++
  }
  expect(checked).toBeGreaterThan(25)
})

it.each([
  ['marketId', 'market_id'],
  ['outcomeId', 'OUTCOMEID'],
  ['limit', 'limti'],
  ['sort', 'sortt'],
])('suggests %s for %s', async (meant, typed) => {
  const reply = await world.get(`/api/router/fetchMarkets?${typed}=1`)
  expectNamed(reply, meant, typed)
})

it('next to args', async () => {
  const reply = await world.post('/api/router/fetchMarkets', { args: [{ limit: 1 }], limit: 2, credentials: null })
  expect([reply.status, reply.json.error?.code]).toEqual([400, 'VALIDATION_ERROR'])
  expect(reply.json.error.message).toMatch(/^limit: is not accepted next to args/)
})

it.each(Object.values<ExecutionAdapter>(lanes).map((lane) => [lane.slug, lane] as const))(
  'in an order’s body at %s: suggests the nearest name, never a credential',
  (_, { order }) => {
    const names = namesOf(order.body) ?? []
    const name = names.find((known) => known.length > 3)
    if (name === undefined) return
    expect(() => parseBody(order.body, { [mistyped(name)]: 1 })).toThrow(new RegExp(`did you mean ${name}\\?$`))
    expect(() => parseBody(order.body, { privateKey: '0x1' })).toThrow(/^(?!.*did you mean)/)
  },
)

it('within a filter', async () => {
  const filter = encodeURIComponent('{"volume24":{"min":1}}')
  expectNamed(await world.get(`/api/router/fetchMarkets?filter=${filter}`), 'volume24h', 'filter')
  const body = { markets: [], criteria: { price: { outcome: 'yes', mim: 1 } } }
  const reply = await world.post('/api/router/filterMarkets', body)
  expectNamed(reply, 'min', 'criteria')
  expect(reply.json.error.message).toMatch(/^criteria\.price\.mim: /)
})
