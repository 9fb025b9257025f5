// Disabled features appear in no document and no list: no route, operation, frame, code, event or link mentions them.
// Enabled ones appear as usual.

import { describe, expect, it } from 'vitest'
import { routes } from '#roles/routes'
import { errorCodes } from '#schemas/errors'
import { streamChannels } from '#schemas/stream'
import { testEvent, webhookEvents } from '#schemas/webhooks'
import type { FeatureFlags } from '#server/http/featureFlags'
import { disabledResponses } from '#server/http/featureFlags'
import { codesOf as documentedCodes, operationsOf as documentedOperations } from '#test/support/openapiDocument'
import { createWorld, type World } from './world.ts'

const everything = Object.fromEntries(Object.keys(disabledResponses).map((family) => [family, true])) as FeatureFlags
const dark = createWorld({ families: {}, served: { channels: [], pendingTrades: null, webhookEvents: [] } })
const lit = createWorld({ families: everything, served: { pendingTrades: 'polymarket' } })

const openApi = async (world: World) => (await world.get('/openapi.json', { key: null })).json
const asyncApi = async (world: World) => (await world.get('/asyncapi.json', { key: null })).json
const codesOf = async (world: World): Promise<string[]> => (await openApi(world)).components.schemas.ErrorCode.enum

const operationsOf = async (world: World): Promise<string[]> =>
  (await asyncApi(world)).components.messages.clientOp.payload.oneOf.flatMap(
    ({ properties: { op } }: { properties: { op: { const?: string; enum?: string[] } } }) => op.enum ?? [op.const],
  )
const framesOf = async (world: World): Promise<string[]> => Object.keys((await asyncApi(world)).components.messages)

describe('OpenAPI', () => {
  it('lists no error code of disabled routes, and every code when all are enabled', async () => {
    expect((await codesOf(dark)).filter((code) => /^(FEEDS?|SPORTS|BRIDGE|TRADERS?|WEBHOOK)_/.test(code))).toEqual([])
    expect(await codesOf(lit)).toEqual(Object.keys(errorCodes))
    const sports = createWorld({ families: { sports: true } })
    expect((await codesOf(sports)).filter((code) => /^(FEEDS?|SPORTS|BRIDGE|TRADERS?)_/.test(code))).toEqual([
      'SPORTS_SCREEN_UNAVAILABLE',
      'SPORTS_FIXTURE_NOT_FOUND',
      'SPORTS_BLOCK_NOT_FOUND',
    ])
  })

  it('lists every error code that a served operation documents', async () => {
    for (const world of [dark, lit]) {
      const codes = await codesOf(world)
      for (const operation of documentedOperations(await openApi(world)))
        expect(codes).toEqual(expect.arrayContaining(documentedCodes(operation)))
    }
    expect(await codesOf(dark)).toContain('ROUTE_NOT_FOUND')
  })

  it('lists the webhooks that are sent here', async () => {
    expect((await openApi(dark)).webhooks).toEqual({})
    const jobs = createWorld({ served: { webhookEvents: ['ingest.run.completed'] } })
    expect(Object.keys((await openApi(jobs)).webhooks)).toEqual(['ingest.run.completed'])
    expect(Object.keys((await openApi(lit)).webhooks)).toEqual([...webhookEvents, testEvent])
  })
})

describe('AsyncAPI', () => {
  it('has the operations and frames of served channels only', async () => {
    const bare = ['auth', 'subscribe', 'unsubscribe', 'subscribeAll', 'unsubscribeAll']
    expect(await operationsOf(dark)).toEqual(bare)
    expect(await framesOf(dark)).toEqual(['clientOp', 'subscribed', 'book', 'trade', 'error', 'auth'])
    for (const channel of streamChannels) {
      const world = createWorld({ families: {}, served: { channels: [channel] } })
      const name = channel.charAt(0).toUpperCase() + channel.slice(1)
      const verbs =
        channel === 'replay' ? ['subscribe', 'pause', 'resume', 'unsubscribe'] : ['subscribe', 'unsubscribe']
      expect(await operationsOf(world)).toEqual([...bare, ...verbs.map((verb) => `${verb}${name}`)])
      expect(await framesOf(world)).toContain(channel)
      expect(await framesOf(world)).toHaveLength(7)
    }
    expect(await framesOf(lit)).toEqual(expect.arrayContaining([...streamChannels]))
  })

  it('names messages consistently in channels and operations', async () => {
    for (const world of [dark, lit]) {
      const { channels, operations, components } = await asyncApi(world)
      const messages = Object.keys(components.messages)
      expect(Object.keys(channels.stream.messages)).toEqual(messages)
      expect(operations.frames.messages.map(({ $ref }: { $ref: string }) => $ref.split('/').at(-1))).toEqual(
        messages.slice(1),
      )
    }
  })

  it('mentions pending trades and their filter only where they are watched', async () => {
    const words = /mempool|dropReason|seenAt|"filters"/
    const { messages } = (await asyncApi(lit)).components
    expect(JSON.stringify(messages)).toMatch(words)
    const withoutNode = createWorld({ families: everything })
    const { description: _, ...subscribed } = (await asyncApi(withoutNode)).components.messages.subscribed.payload
      .properties.disclosure
    const { trade, clientOp } = (await asyncApi(withoutNode)).components.messages
    expect(JSON.stringify([subscribed, trade, clientOp])).not.toMatch(words)
  })

  it('has the feed field in errors only where there are feeds', async () => {
    const propertiesOf = async (world: World) => (await asyncApi(world)).components.messages.error.payload.properties
    expect(await propertiesOf(dark)).not.toHaveProperty('feed')
    expect(await propertiesOf(lit)).toHaveProperty('feed')
  })
})

it('a venue has pending trades only where a node reports them, not because its manifest could read them', async () => {
  const pendingOf = async (world: World) =>
    (await world.get('/v1/venues')).json.data
      .filter(({ pendingTrades }: { pendingTrades: boolean }) => pendingTrades)
      .map(({ venue }: { venue: string }) => venue)
  expect(await pendingOf(dark)).toEqual([])
  expect(await pendingOf(lit)).toEqual(['polymarket'])
})

it('the root page links to no disabled feature', async () => {
  const paths = new Set(routes.filter(({ family }) => family === 'core').map(({ path }) => path))
  const { links } = (await dark.get('/', { key: null })).json.data
  // These are not operations: a socket, and two pages.
  for (const [name, path] of Object.entries(links))
    expect(['stream', 'dashboard', 'docs'].includes(name) || paths.has(path as string), name).toBe(true)
  expect((await lit.get('/', { key: null })).json.data.links).toHaveProperty('replay')
})

describe('operations that are not served at all', () => {
  const feeds = new Map([['binance', { name: 'binance', markets: new Map() } as never]])
  const world = createWorld({ families: everything, feeds })
  const unserved = routes.filter(({ served }) => !served)
  const filled = (path: string): string =>
    path.replace('{exchange}', 'kalshi').replace('{feed}', 'binance').replace('{verb}', 'fetchOHLCV')

  it.each(unserved.flatMap(({ path, methods }) => methods.map((method) => [method, path] as const)))(
    '%s %s explains by a 501 why it is not served',
    async (method, path) => {
      const reply = method === 'get' ? await world.get(filled(path)) : await world.post(filled(path), {})
      expect([reply.status, reply.json.error?.code], reply.text).toEqual([501, 'NOT_SUPPORTED'])
      expect(reply.json.error.message).toMatch(/: .{10}/)
    },
  )

  it('are not in the document', async () => {
    const operationIds = new Set(
      documentedOperations(await openApi(world)).map(({ operationId }) => operationId.split('_')[0]),
    )
    expect(unserved.length).toBeGreaterThan(0)
    for (const { operationId } of unserved) expect(operationIds).not.toContain(operationId)
  })
})
