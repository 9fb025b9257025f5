// Disabled venues on every route and every stream operation, found automatically: a new route or parameter that names a venue is tested
// once it is listed. And the sandbox: served at its own address only.
import { describe, expect, it } from 'vitest'
import { arbitrageChannel } from '#arbitrage/channel'
import { unknownVenue } from '#arbitrage/filter'
import { structuresChannel } from '#arbitrage/structures/view'
import { silentLog } from '#core/log'
import { routes } from '#roles/routes'
import { createStreamCatalog } from '#roles/streamCatalog'
import { ClientOp } from '#schemas/stream'
import { disabledVenues } from '#schemas/venues'
import { disabledResponses } from '#server/http/featureFlags'
import { buildOpenApi } from '#server/http/openapi'
import { startStream } from '#stream/server'
import { FakeVenue } from '#test/src/server/http/fakeVenue'
import { createWorld, eventOf, keys, marketOf } from '#test/src/server/http/world'
import { type Frame, KeyStore, MemoryBus, principal } from '#test/src/stream/support'
import { operationsOf } from '#test/support/openapiDocument'
import { kalshiDemo } from '#venues/kalshi/demo'
import { kalshi } from '#venues/kalshi/index'
import { lanes, manifests } from '#venues/registry'

const families = Object.fromEntries(Object.keys(disabledResponses).map((family) => [family, true]))
/** A surface without rows that validates its filters. */
const arbitrage = { unknownVenue, validContracts: () => true } as never
const enabledWorld = createWorld({ families, overrides: { arbitrage } })

interface Place {
  operationId: string
  method: string
  path: string
  name: string
  in: 'path' | 'query'
}

/** Routes that are not served also refuse a disabled venue first. */
const document = buildOpenApi(
  routes.map((route) => ({ ...route, served: true })),
  { version: 'test' },
)
const places: Place[] = operationsOf(document).flatMap(({ operationId, method, path, parameters }) =>
  parameters
    .filter(({ name }) => /venue|exchange/i.test(name))
    .map(({ name, in: where }) => ({ operationId, method, path, name, in: where as Place['in'] })),
)

/** Each parameter, and how a disabled venue in it is refused. A filter of rows lists served venues and refuses with a message. */
const refusedAs: Readonly<Record<string, readonly [status: number, code: string]>> = {
  'path exchange': [404, 'EXCHANGE_NOT_AVAILABLE'],
  'path venue': [404, 'EXCHANGE_NOT_AVAILABLE'],
  'query exchange': [404, 'EXCHANGE_NOT_AVAILABLE'],
  'query venue': [404, 'EXCHANGE_NOT_AVAILABLE'],
  'query sourceExchange': [404, 'EXCHANGE_NOT_AVAILABLE'],
  'query venues': [400, 'VALIDATION_ERROR'],
}
/** The other parameters of a valid call. */
const requiredQuery: Readonly<Record<string, string>> = {
  fetchMarket_get: 'marketId=1',
  fetchEvent_get: 'eventId=1',
  replayHistory: 'outcomeId=1&kind=tob&since=2026-11-01&until=2026-11-02',
  replayArbitrage: 'since=2026-11-01&until=2026-11-02',
}
const bodies: Readonly<Record<string, string>> = { resolveExecution: '{"outcome":"failed","reason":"r"}' }

const request = ({ operationId, method, path, name, in: where }: Place, venue: string) => {
  const address = path
    .replace(where === 'path' ? `{${name}}` : '{}', venue)
    .replace('{exchange}', 'router')
    .replaceAll(/\{\w+Id\}/g, '00000000-0000-4000-8000-000000000000')
  const query = [where === 'query' ? `${name}=${venue}` : '', requiredQuery[operationId] ?? '']
    .filter(Boolean)
    .join('&')
  return enabledWorld.call(method, query === '' ? address : `${address}?${query}`, {
    key: keys.builder,
    headers: { 'idempotency-key': 'k' },
    body: bodies[operationId] ?? '{}',
  })
}

describe('dark', () => {
  it('every parameter that names a venue is known here', () => {
    expect([...new Set(places.map((place) => `${place.in} ${place.name}`))].sort()).toEqual(
      Object.keys(refusedAs).sort(),
    )
    expect(places.length).toBeGreaterThan(100)
    const checkedOperations = new Set(places.map(({ operationId }) => operationId.replace(/_(get|post)$/, '')))
    // Every route whose path begins with a venue is included.
    for (const { operationId, path } of routes) {
      if (/\{(venue|exchange)\}/.test(path)) expect(checkedOperations).toContain(operationId)
    }
  })

  it.each(disabledVenues.flatMap((venue) => [venue, venue.toUpperCase()]))(
    '%s is refused by all of them',
    async (venue) => {
      for (const place of places) {
        const reply = await request(place, venue)
        const what = `${place.method} ${place.path} ${place.name}`
        expect([what, reply.status, reply.json.error?.code]).toEqual([what, ...refusedAs[`${place.in} ${place.name}`]!])
      }
    },
  )

  it('is in no list: no adapter, no row, no id that the router accepts', async () => {
    const dark: readonly string[] = disabledVenues
    expect(manifests.filter(({ slug }) => dark.includes(slug))).toEqual([])
    expect(Object.keys(lanes).filter((slug) => dark.includes(slug))).toEqual([])
    for (const venue of dark) {
      const reply = await enabledWorld.get(`/api/router/fetchOrderBook?outcomeId=${venue}:1`)
      expect(reply.status).toBe(400)
    }
  })

  it.each(disabledVenues)('%s is refused by every operation of the stream that names a venue', async (venue) => {
    const responses = await streamResponses((op) => naming(op, venue))
    for (const { op, code } of responses) expect([op, code]).toEqual([op, streamRefusals[op]])
  })
})

/** A valid message of each operation; the compiler requires a line for each new one. */
const ops: Readonly<Record<ClientOp['op'], object>> = {
  auth: { apiKey: 'good' },
  subscribe: { channel: 'orderbook', marketId: 'KXTEST-26-A' },
  unsubscribe: { channel: 'trades', marketId: 'KXTEST-26-A' },
  subscribeAll: { channel: 'orderbook' },
  unsubscribeAll: { channel: 'orderbook' },
  subscribeFeedTicker: { feed: 'binance', symbol: 'BTC' },
  unsubscribeFeedTicker: { feed: 'binance', symbol: 'BTC' },
  subscribePrice: { marketId: '1', marketAddress: '0x1' },
  unsubscribePrice: { marketId: '1', marketAddress: '0x1' },
  subscribeArbitrage: {},
  unsubscribeArbitrage: {},
  subscribeStructures: {},
  unsubscribeStructures: {},
  subscribeOrders: {},
  unsubscribeOrders: {},
  subscribePortfolio: {},
  unsubscribePortfolio: {},
  subscribeReplay: { markets: [{ venue: 'kalshi', marketId: 'KXTEST-26-A' }], since: 1, until: 2 },
  pauseReplay: {},
  resumeReplay: {},
  unsubscribeReplay: {},
}
/** Names the venue in whichever fields the operation has for one. */
function naming(message: { op: string }, venue: string): { op: string } {
  const { shape } = ClientOp.options.find((option) => option.shape.op.safeParse(message.op).success)!
  return { ...message, ...('venue' in shape && { venue }), ...('venues' in shape && { venues: [venue] }) }
}
const streamRefusals: Readonly<Record<string, string>> = {
  subscribe: 'EXCHANGE_NOT_AVAILABLE',
  unsubscribe: 'NOT_SUBSCRIBED',
  subscribeAll: 'EXCHANGE_NOT_AVAILABLE',
  unsubscribeAll: 'NOT_SUBSCRIBED',
  // No venue has its own prices here.
  subscribePrice: 'NOT_SUPPORTED',
  unsubscribePrice: 'NOT_SUBSCRIBED',
  subscribeArbitrage: 'BAD_MESSAGE',
  subscribeStructures: 'BAD_MESSAGE',
}

/** The response to each operation that names a venue, on a stream of Kalshi and its sandbox. */
async function streamResponses(
  named: (message: { op: string }) => object,
): Promise<{ op: string; code: string | undefined }[]> {
  const keyStore = new KeyStore()
  keyStore.keys.set('good', principal({ plan: 'enterprise' }))
  const book = async (_: unknown, bookId: string) => ({
    ...{ bookId, bids: [], asks: [], eventTs: null, recvTs: 0 },
    ...{ lastTradeMicros: null, isNegRisk: null, tickMicros: null },
  })
  const venues = [kalshi, kalshiDemo].map((manifest) => ({
    manifest: { ...manifest, data: { ...manifest.data, fetchOrderBook: book } },
    context: {} as never,
  }))
  const stream = await startStream({
    bus: new MemoryBus(),
    clock: enabledWorld.clock,
    log: silentLog,
    auth: keyStore,
    catalog: createStreamCatalog(
      venues,
      { findOutcomes: async () => [], findMarketNamed: async () => null },
      enabledWorld.clock,
    ),
    books: { get: () => undefined },
    limitsOf: () => ({ subscriptionsPerConnection: 20, streamConnections: 1 }),
    gatewayId: 'dark',
    channels: {
      arbitrage: arbitrageChannel({ add: () => undefined, remove: () => undefined }, () => true, ['kalshi']),
      structures: structuresChannel({ add: () => undefined, remove: () => undefined }, () => true, ['kalshi']),
    },
  })
  const frames: Frame[] = []
  const connection = stream.open(
    {
      id: 1,
      send(bytes) {
        frames.push(JSON.parse(String(bytes)) as Frame)
        return 'sent'
      },
      cork: (run) => run(),
      bufferedAmount: () => 0,
      close: () => undefined,
    },
    'good',
  )
  const responses: { op: string; code: string | undefined }[] = []
  for (const [op, rest] of Object.entries(ops)) {
    const message = named({ op, ...rest })
    const parsed = ClientOp.parse(message)
    if (!('venue' in parsed || 'venues' in parsed)) continue
    frames.length = 0
    connection.message(Buffer.from(JSON.stringify(message)), false)
    await expect.poll(() => frames.length).toBeGreaterThan(0)
    responses.push({ op, code: frames[0]!.code })
  }
  await stream.stop()
  return responses
}

describe('the sandbox', () => {
  const sandboxed = (() => {
    const world = createWorld({ families })
    const demo = new FakeVenue('kalshi-demo', world.clock)
    const venues = new Map([...world.venues, ['kalshi-demo', demo] as const].map(([slug, { reads }]) => [slug, reads]))
    const whole = createWorld({ families, overrides: { venues, arbitrage } })
    whole.catalog.events.push(
      eventOf('kalshi-demo', [marketOf('kalshi-demo', 'KXPAPER-26', ['KXPAPER-26', 'KXPAPER-26-NO'])]),
    )
    return whole
  })()

  it('is served at its own address', async () => {
    const { json } = await sandboxed.get('/api/kalshi-demo/fetchMarkets')
    expect(json.data.map(({ marketId }: { marketId: string }) => marketId)).toEqual(['KXPAPER-26'])
    expect((await sandboxed.get('/api/Kalshi-Demo/has')).status).toBe(200)
  })

  it('is in no router response, whatever the query', async () => {
    for (const verb of [
      'fetchMarkets',
      'fetchEvents',
      'fetchMarketsPaginated',
      'fetchEventsPaginated',
      'fetchSeries',
    ]) {
      const reply = await sandboxed.get(`/api/router/${verb}?q=KXPAPER`)
      expect(reply.text, verb).not.toContain('KXPAPER')
      expect(reply.text, verb).not.toContain('kalshi-demo')
    }
    const narrowed = await sandboxed.get('/api/router/fetchMarkets?sourceExchange=kalshi-demo')
    expect([narrowed.status, narrowed.json.error.code]).toEqual([404, 'EXCHANGE_NOT_AVAILABLE'])
    for (const verb of ['fetchOrderBook?outcomeId', 'fetchMarket?marketId', 'fetchTrades?outcomeId']) {
      const reply = await sandboxed.get(`/api/router/${verb}=kalshi-demo:KXPAPER-26`)
      expect(reply.status, verb).toBeGreaterThanOrEqual(400)
    }
    const filtered = await sandboxed.get('/api/router/fetchArbitrage?venues=kalshi-demo', { key: keys.builder })
    expect([filtered.status, filtered.json.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('accepts no orders', () => {
    expect(kalshiDemo).not.toHaveProperty('exec')
    expect(Object.keys(lanes)).not.toContain('kalshi-demo')
  })

  it('streams under its own name, and is not a leg of the surface', async () => {
    const responses = await streamResponses((op) => naming(op, 'kalshi-demo'))
    const of = new Map(responses.map(({ op, code }) => [op, code]))
    expect([of.get('subscribe'), of.get('subscribeArbitrage')]).toEqual([undefined, 'BAD_MESSAGE'])
  })
})
