// Every example in the document is valid: it fits its schema, and posting it succeeds or fails only for external reasons.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { surfaceReads } from '#arbitrage/surfaceView'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import { routes } from '#roles/routes'
import { positionIntents } from '#schemas/executions'
import type { Route } from '#server/http/defineRoute'
import { disabledResponses } from '#server/http/featureFlags'
import { buildOpenApi } from '#server/http/openapi'
import { publishedView } from '#test/src/arbitrage/published'
import { createWorld, keys, liveBook, type Reply, type World } from '#test/src/server/http/world'
import { market as xoMarket } from '#test/src/venues/xo/exec/world'
import { heldRows } from '#test/support/execution/heldRows'
import { armRealLanes } from '#test/support/execution/realLanes'
import { laneCases, madeRows } from '#test/support/laneCases'
import { type ListedOperation, operationsOf, type Parameter, resolve } from '#test/support/openapiDocument'
import { type LaneVenue, lanes } from '#venues/registry'

type Schema = Readonly<Record<string, unknown>>

const document = buildOpenApi(routes, { version: 'test' })
const operations = operationsOf(document)
const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false })
addFormats.default(ajv)
ajv.addSchema(document, 'document')
const complaints = (schema: Schema, value: unknown): unknown => {
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')))
  return validate(value) ? [] : validate.errors
}

/** Each with the part of the schema that it is an example of. */
function examplesIn(schema: Schema): { name: string; schema: Schema; example: unknown }[] {
  const found = resolve<Schema>(document, schema)
  const name = String(schema.$ref ?? '').replace(/.*\//, '')
  const own = (found.examples ?? []) as unknown[]
  if (own.length > 0) return own.map((example) => ({ name, schema: found, example }))
  return ((found.anyOf ?? []) as Schema[]).flatMap(examplesIn)
}

const withBody = operations.flatMap((operation) => {
  const schema = operation.requestBody?.content['application/json']?.schema
  return schema === undefined ? [] : [{ operation, examples: examplesIn(schema) }]
})

it('every operation with a body has one that fits its schema', () => {
  for (const { operation, examples } of withBody) {
    expect(examples, operation.operationId).not.toEqual([])
    for (const { schema, example } of examples) expect(complaints(schema, example), operation.operationId).toEqual([])
  }
})

const hasForm = ({ schema = {} }: Parameter): boolean => {
  const found = resolve<Schema>(document, schema)
  const parts = [found, ...((found.anyOf ?? []) as Schema[]), (found.items ?? {}) as Schema]
  return parts.some((part) => {
    const { enum: words, format } = resolve<Schema>(document, part)
    return words !== undefined || format !== undefined
  })
}

it('every parameter with a closed set of values or a form has one that fits its schema', () => {
  for (const { operationId, parameters } of operations) {
    for (const parameter of parameters) {
      const { name, schema = {}, example } = parameter as Parameter & { example?: unknown }
      if (hasForm(parameter) && schema.contentSchema === undefined)
        expect(example, `${operationId} ${name}`).toBeDefined()
      if (example !== undefined) expect(complaints(schema, example), `${operationId} ${name}`).toEqual([])
    }
  }
})

const held = heldRows()
let world: World
let close: () => Promise<void>
/** The venues' responses about the markets that were made for them. */
let venueResponse: (seen: { method: string; path: string; text: string }) => unknown = () => undefined

beforeAll(async () => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '' } = request
      response.end(JSON.stringify(venueResponse({ method, path, text: Buffer.concat(chunks).toString() }) ?? {}))
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const real = armRealLanes(url, { ...madeRows, xo: xoMarket() }, silentLog)
  world = createWorld({
    families: Object.fromEntries(Object.keys(disabledResponses).map((name) => [name, true])),
    overrides: { arbitrage: surfaceReads(publishedView(7).view) },
    executions: {
      store: empty({
        ...(held.store as Storage),
        readCancelAfter: async () => ({ armed: null, lastLapse: null }),
      }),
      knownLanes: real.known,
      lanes: real.armed,
      statusLanes: real.status,
    },
    conditional: {
      store: empty({ report: async () => ({ kind: 'not_found' }) }),
      orders: {
        examine: async () => {
          throw new Fault('EXECUTION_NOT_FOUND', 'no such execution')
        },
      },
    },
    brackets: { store: empty({ cancel: async () => ({ kind: 'not_found' }) }) },
    algorithms: {
      store: empty(),
      orders: {
        lane: () => {
          throw new Fault('VENUE_NOT_SUPPORTED', 'no such lane')
        },
      } as never,
    },
    router: { store: empty(), structures: { state: () => ({ rows: [] }) as never } },
    webhooks: {
      store: empty({ insertEndpoint: async (row: object) => ({ ...row, active: true, created_at: new Date() }) }),
    },
  })
  world.cache.apply(liveBook('kalshi', 'KXBTC-26', { bids: [[0.41, 5]], asks: [[0.44, 2]] }))
  close = async () => {
    await real.close()
    await new Promise((done) => server.close(done))
  }
})
afterAll(() => close())

type Storage = Readonly<Record<string, (...given: never[]) => Promise<unknown>>>
/** An empty storage that accepts every write. */
const empty = (has: Storage = {}) =>
  new Proxy({ halt: async () => true, listHalts: async () => [], ...has } as Storage, {
    get: (target, name) => (typeof name === 'string' && name in target ? target[name] : async () => null),
  }) as never

const id = '6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11'
let count = 0
function post({ path }: ListedOperation, inPath: Readonly<Record<string, string>>, body: unknown): Promise<Reply> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => inPath[name] ?? id)
  return world.post(filled, body, { key: keys.builder, headers: { 'idempotency-key': `example-${count++}` } })
}
const describeReply = ({ status, text }: Reply): string => `${status} ${text}`

const routeOf = ({ operationId }: ListedOperation): Route<never> =>
  routes.find((route) => route.operationId === operationId.replace(/_.*/, ''))! as Route<never>
const ofVerbs = withBody.filter(({ operation }) => operation.path.startsWith('/api/'))
const ofLanes = withBody.filter(({ operation }) => routeOf(operation).laneVerb !== null)
const others = withBody.filter((each) => !ofVerbs.includes(each) && !ofLanes.includes(each))

const ofVerb = (verb: string) =>
  ofLanes.find(({ operation }) => operation.operationId === `${verb}Execution`)!.operation
const builds = ofVerb('build')
/**
 * A valid body gets a response, or reaches the claim, which comes too late here, or fails because its key is unknown. A refresh may also
 * find the venue unavailable.
 */
const answers: Readonly<Record<string, RegExp>> = {
  submit: /"(IDEMPOTENCY_CONFLICT|VENUE_CREDENTIAL_REJECTED)"|the chain shows no such transaction yet/,
  cancel: /^200 /,
  modify: /^200 /,
  // The example's key is not a real one: an adapter that parses it before its request reports that.
  refresh: /^200 |"(NETWORK_ERROR|VENUE_CREDENTIAL_REJECTED)"/,
}

describe('posted unchanged', () => {
  it.each(ofVerbs.map(({ operation, examples }) => [operation.operationId, operation, examples] as const))(
    '%s succeeds',
    async (_, operation, examples) => {
      for (const { example } of examples) {
        const replies: Reply[] = []
        for (const exchange of ['kalshi', 'polymarket', 'router'])
          replies.push(await post(operation, { exchange }, example))
        expect(
          replies.map(({ status }) => status),
          replies.map(describeReply).join('\n'),
        ).toContain(200)
      }
    },
  )

  it.each(others.map(({ operation, examples }) => [operation.operationId, operation, examples] as const))(
    '%s is accepted, or names something that does not exist',
    async (_, operation, examples) => {
      for (const { example } of examples) {
        const venue = operation.operationId === 'scheduleVenueCancel' ? 'hyperliquid' : 'kalshi'
        const reply = await post(operation, { venue }, example)
        expect(['VALIDATION_ERROR', 'ROUTE_NOT_FOUND'], describeReply(reply)).not.toContain(reply.json.error?.code)
        expect(reply.status, describeReply(reply)).toBeLessThan(500)
      }
    },
  )

  it.each(Object.values(lanes).map((lane) => [lane.slug, lane] as const))(
    '%s builds its order',
    async (venue, lane) => {
      const made = Object.hasOwn(laneCases, venue) ? laneCases[venue as keyof typeof laneCases].made : undefined
      venueResponse = (seen) => {
        const reply = made?.reads?.({ ...seen, headers: {} })
        return reply === undefined || reply === 'cut' ? undefined : reply.body
      }
      const operation = ofLanes.find(({ operation }) => operation.operationId === 'buildExecution')!.operation
      const [example] = (lane.order.body.meta()?.examples ?? []) as object[]
      const reply = await post(operation, { venue }, { ...example, dryRun: true })
      expect(reply.status, describeReply(reply)).toBe(200)
      expect(reply.json.data.intent).toBe('order')
    },
  )

  const sent = Object.values(lanes).filter(({ submit }) => submit !== undefined)
  it.each(sent.map((lane) => [lane.slug as LaneVenue, lane] as const))(
    '%s accepts the bodies of its other verbs',
    async (venue, lane) => {
      const { made, words, signed } = laneCases[venue]
      venueResponse = (seen) => {
        const reply = made.reads?.({ ...seen, headers: {} })
        return reply === undefined || reply === 'cut' ? undefined : reply.body
      }
      const built = await post(builds, { venue }, made.order)
      expect(built.status, describeReply(built)).toBe(200)
      const { executionId, unsigned } = built.json.data
      const row = held.rows.get(executionId)!
      const signature = await signed(unsigned, 'order')
      for (const verb of ['submit', 'cancel', 'modify', 'refresh'] as const) {
        const body = lane[verb]?.body
        if (body === undefined) continue
        if (verb !== 'submit') Object.assign(row, { status: 'acked', venue_ref: words.ref, submitted_artifact: {} })
        const examples = (body.meta()?.examples ?? []) as object[]
        expect(examples, verb).not.toEqual([])
        for (const example of examples) {
          // The example's signature is of an unknown key; this one is of this order.
          const given = verb === 'submit' && 'signature' in example ? { ...example, ...signature } : example
          const reply = await post(ofVerb(verb), { venue, executionId }, given)
          expect(describeReply(reply), verb).toMatch(answers[verb]!)
        }
      }
    },
  )

  const exchanging = Object.values(lanes).flatMap((lane) =>
    positionIntents.flatMap((intent) => {
      const verb = lane[intent]
      return verb === undefined ? [] : [[lane.slug, intent, verb] as const]
    }),
  )
  it.each(exchanging)('%s accepts its %s body', async (venue, intent, { body }) => {
    for (const example of body.meta()!.examples as object[]) {
      const reply = await post(builds, { venue }, { ...example, intent, dryRun: true })
      // The example's market is unknown, or of no event.
      const code = reply.json.error?.code
      if (!['OUTCOME_NOT_FOUND', 'MARKET_NOT_FOUND', 'CATALOG_UNAVAILABLE'].includes(code)) {
        expect(describeReply(reply)).toMatch(/^200 /)
      }
    }
  })

  const redeeming = Object.values(lanes).filter(({ redeem }) => redeem !== undefined)
  it.each(redeeming.map((lane) => [lane.slug, lane] as const))('%s accepts its redeem body', async (venue, lane) => {
    for (const example of lane.redeem!.body.meta()!.examples as object[]) {
      const reply = await post(builds, { venue }, { ...example, intent: 'redeem', dryRun: true })
      // The example's market is unknown or still open.
      const isThere = reply.json.error?.code !== 'OUTCOME_NOT_FOUND'
      if (isThere) expect(describeReply(reply)).toMatch(/^200 |this market still trades/)
    }
  })
})
