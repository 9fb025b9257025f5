// The HTTP layer with everything real except its edges: the catalog, the tape and two venues are in memory.

import { randomUUID } from 'node:crypto'
import { BookCache } from '#core/books/bookCache'
import { complementCore, limitCore } from '#core/books/encode'
import { ManualClock } from '#core/clock'
import { createCursorCodec } from '#core/cursor'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import { createTapedSince } from '#history/recordingStart'
import { createMarkets, type MarketsPorts } from '#marketData/markets/index'
import { cancelConditional } from '#orders/conditional/cancelAndReport'
import { CredentialBreaker, createAlgorithmOrders, createExitBuilds } from '#orders/executions/index'
import type { Principal, Verification } from '#platform/auth/principal'
import { defaultPlans, plansWith } from '#platform/plans/plans'
import { createRateLimiter } from '#platform/rateLimit/limiter'
import { boxKeyBytes, createGuard, createSecretBox } from '#platform/webhooks/index'
import { type RouteDeps, routes } from '#roles/routes'
import { streamChannels } from '#schemas/stream'
import { webhookEvents } from '#schemas/webhooks'
import type { HttpAnswer, HttpCall, HttpHandler } from '#server/http/contract'
import type { Route } from '#server/http/defineRoute'
import type { EnabledFeatures } from '#server/http/enabledRoutes'
import { buildOpenApi } from '#server/http/openapi'
import { createHttpHandler } from '#server/http/pipeline'
import type { HttpDeps } from '#server/http/ports'
import { createTraders, type TradersPorts } from '#traders/index'
import { createDocumented } from './documented.ts'
import { FakeVenue } from './fakeVenue.ts'
import { MemoryMatches } from './memoryMatches.ts'
import { MemoryCatalog, MemoryTape } from './memoryStores.ts'
import { seed } from './rows.ts'

export { eventOf, liveBook, longId, longNoId, marketOf } from './rows.ts'

export const keys = {
  reader: 'key-reader',
  builder: 'key-builder',
  trader: 'key-trader',
  hurried: 'key-hurried',
} as const

const principals: Readonly<Record<string, Principal>> = {
  [keys.reader]: { accountId: 'a1', keyId: 'k1', plan: 'free', scopes: ['read'] },
  [keys.builder]: { accountId: 'a2', keyId: 'k2', plan: 'enterprise', scopes: ['read', 'trade', 'review', 'admin'] },
  [keys.trader]: { accountId: 'a3', keyId: 'k3', plan: 'enterprise', scopes: ['trade'] },
  [keys.hurried]: { accountId: 'a4', keyId: 'k4', plan: 'builder', scopes: ['read', 'trade', 'review', 'admin'] },
}

export interface World {
  handler: HttpHandler
  clock: ManualClock
  cache: BookCache
  catalog: MemoryCatalog
  tape: MemoryTape
  matches: MemoryMatches
  venues: Map<string, FakeVenue>
  held: string[]
  verifications: { next: Verification | null }
  call(method: string, path: string, options?: CallOptions): Promise<Reply>
  get(path: string, options?: CallOptions): Promise<Reply>
  post(path: string, body: unknown, options?: CallOptions): Promise<Reply>
}

const closedDocument = (all: readonly Route<never>[]) => buildOpenApi(all, { version: 'test', closed: true })
const everyRoute = createDocumented(closedDocument(routes))

const unreached = async (): Promise<never> => {
  throw new Error('no provider in this test')
}
const noProvider: RouteDeps['bridge']['provider'] = {
  name: 'nobody',
  quote: unreached,
  open: unreached,
  find: unreached,
  pay: unreached,
}

const noSuchPair = async (): Promise<never> => {
  throw new Fault('NOT_FOUND', 'no such template pair')
}
const noReview: RouteDeps['matchReview'] = {
  listOpen: async () => ({ pairs: [], total: 0 }),
  find: noSuchPair,
  decide: noSuchPair,
  withdraw: noSuchPair,
  listDecisions: async () => ({ decisions: [], nextBefore: null }),
  importDecisions: async () => ({ imported: 0, unchanged: 0, skipped: 0 }),
  listPriceDifferences: async () => ({ differences: [], next: null }),
  reviewPriceDifference: noSuchPair,
  cursors: createCursorCodec(Buffer.alloc(32, 13)),
}

const noEntries = {
  asOf: 0,
  entries: [],
  unexplained: [],
  unreadable: [],
  unreadableExchanges: [],
  settlementTimes: [],
  unavailable: [],
}
const noPortfolio: Pick<RouteDeps['portfolio'], 'reader' | 'imports'> = {
  reader: {
    read: async () => ({ ...noEntries, ledger: { positions: [], cash: [] }, positions: [] }),
    readEntries: async () => noEntries,
  },
  imports: {
    insertImport: async (entry) => ({ kind: 'inserted', row: { ...entry, id: '1' } }),
    listImports: async () => [],
  },
}

export interface CallOptions {
  key?: string | null
  body?: Buffer | string
  headers?: Record<string, string>
  /** Headers that were sent more than once, or sent but unreadable. */
  times?: Record<string, number>
}

export interface Reply {
  status: number
  headers: Record<string, string>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
  json: any
}

export interface WorldOptions {
  families?: HttpDeps['families']
  served?: Partial<EnabledFeatures>
  credits?: HttpDeps['credits']
  geofence?: HttpDeps['geofence']
  overrides?: Partial<MarketsPorts>
  log?: HttpDeps['log']
  funding?: RouteDeps['funding']
  executions?: Partial<RouteDeps['executions']>
  structures?: Partial<RouteDeps['structures']>
  matchReview?: Partial<RouteDeps['matchReview']>
  conditional?: Partial<RouteDeps['conditional']>
  brackets?: Partial<RouteDeps['brackets']>
  algorithms?: Partial<RouteDeps['algorithms']>
  accounts?: RouteDeps['accounts']
  verifier?: HttpDeps['verifier']
  plans?: HttpDeps['plans']
  routes?: readonly Route<RouteDeps>[]
  webhooks?: Partial<RouteDeps['webhooks']>
  traders?: Partial<TradersPorts>
  feeds?: RouteDeps['feeds']
  openOrders?: Partial<RouteDeps['openOrders']>
  venueMetrics?: RouteDeps['venueMetrics']
  bridge?: Partial<RouteDeps['bridge']>
  sports?: Partial<RouteDeps['sports']>
  history?: Partial<RouteDeps['history']>
  portfolio?: Partial<RouteDeps['portfolio']>
  exposure?: Partial<RouteDeps['exposure']>
  reconciliation?: Partial<RouteDeps['reconciliation']>
  risk?: Partial<RouteDeps['risk']>
  paper?: Partial<RouteDeps['paper']>
  router?: Partial<RouteDeps['router']>
}

/** A tape without coverage. */
const noCoverage: RouteDeps['history']['coverage'] = {
  watermark: async () => null,
  arbitrageExpired: async () => null,
  outcomesAfter: async () => [],
  find: async () => null,
  findAll: async () => [],
  gaps: async () => [],
}

export function createWorld(options: WorldOptions = {}): World {
  const clock = new ManualClock()
  const cache = new BookCache()
  const catalog = new MemoryCatalog(clock)
  const tape = new MemoryTape()
  const matches = new MemoryMatches(catalog)
  const held: string[] = []
  const venues = new Map<string, FakeVenue>([
    ['polymarket', new FakeVenue('polymarket', clock)],
    ['kalshi', new FakeVenue('kalshi', clock)],
  ])
  seed(catalog)
  const verifications: World['verifications'] = { next: null }
  const markets = createMarkets({
    catalog,
    tape,
    facts: null,
    matches,
    books: { get: (venue, id) => cache.get(venue, id), complement: complementCore, limit: limitCore },
    demand: { hold: (venue, bookId) => held.push(`${venue}:${bookId}`) },
    venues: new Map([...venues].map(([slug, venue]) => [slug, venue.reads])),
    cursors: createCursorCodec(Buffer.alloc(32, 7)),
    clock,
    log: silentLog,
    ...options.overrides,
  })
  const families = options.families ?? { history: true }
  const executions: RouteDeps['executions'] = {
    breaker: new CredentialBreaker(clock),
    // Without a database there are no executions; tests of them provide a store.
    store: undefined as unknown as RouteDeps['executions']['store'],
    knownLanes: [],
    lanes: new Map(),
    cursors: createCursorCodec(Buffer.alloc(32, 9)),
    clock,
    log: silentLog,
    newId: () => randomUUID(),
    ...options.executions,
  }
  const conditional: RouteDeps['conditional'] = {
    // The same as for executions.
    store: undefined as unknown as RouteDeps['conditional']['store'],
    orders: {
      examine: async () => {
        throw new Error('this world has no orders')
      },
    },
    books: { availability: async () => 'none' },
    seal: null,
    clock,
    newId: () => randomUUID(),
    ...options.conditional,
  }
  const deps: HttpDeps & RouteDeps = {
    verifier: options.verifier ?? {
      verify: (key) => {
        if (verifications.next !== null) return verifications.next
        const principal = principals[key]
        return principal === undefined ? { kind: 'invalid' } : { kind: 'valid', principal }
      },
    },
    plans:
      options.plans ??
      plansWith({
        free: { requestsPerMinute: 10_000_000 },
        // Every feature, so that only the rate limit rejects the hurried key.
        builder: { requestsPerMinute: 3, features: { conditionalOrders: true } },
        enterprise: { ...defaultPlans.enterprise, requestsPerMinute: 10_000_000 },
      }),
    rateLimiter: createRateLimiter(clock),
    geofence: options.geofence,
    ...(options.credits === undefined ? {} : { credits: options.credits }),
    families,
    served: { families, channels: streamChannels, pendingTrades: null, webhookEvents, ...options.served },
    log: options.log ?? silentLog,
    clock,
    system: {
      version: '0.0.0-test',
      lab: false,
      readiness: () => ({ ready: true, parts: { catalog: true } }),
      dependencies: () => ({ postgres: true }),
      metrics: () => ({ contentType: 'text/plain; version=0.0.4', text: 'up 1\n' }),
      job: () => null,
      drift: () => [],
      venueHealth: () => [
        {
          venue: 'kalshi',
          connection: 'connected',
          lastMessageAt: clock.now(),
          lagMs: 3,
          watchedBooks: 2,
          staleBooks: 1,
          staleReasons: { gap: 1 },
          sockets: 1,
          reason: null,
          legProofMs: 15_000,
          provenWithinMs: 20_000,
          oldestProofMs: 500,
          at: clock.now(),
        },
      ],
    },
    markets,
    structures: {
      view: null,
      served: [...venues.keys()],
      cursors: createCursorCodec(Buffer.alloc(32, 11)),
      ...options.structures,
    },
    matchReview: { ...noReview, ...options.matchReview },
    funding: options.funding ?? {
      spotBalance: async () => ({ coin: 'USDC', total: '100', hold: '40', spendable: '60' }),
    },
    executions,
    conditional,
    brackets: {
      // The same as for executions.
      store: undefined as unknown as RouteDeps['brackets']['store'],
      builds: createExitBuilds(executions),
      conditional,
      ...options.brackets,
    },
    algorithms: {
      // The same as for executions.
      store: undefined as unknown as RouteDeps['algorithms']['store'],
      orders: createAlgorithmOrders(executions),
      books: { read: async () => 'none' as const },
      seal: null,
      clock,
      newId: () => randomUUID(),
      log: silentLog,
      readVwap: async () => null,
      ...options.algorithms,
    },
    router: {
      clusters: matches,
      findRelations: async () => ({ relations: [] }),
      findMarkets: async (wanted) =>
        new Map(
          catalog.markets
            .filter((row) =>
              wanted.some(({ venue, marketId }) => venue === row.sourceExchange && marketId === row.marketId),
            )
            .map((row) => [`${row.sourceExchange}:${row.marketId}`, row]),
        ),
      venueOf: (venue) => {
        const served = venues.get(venue)
        return served === undefined ? undefined : { data: served.reads.data, synthetic: false }
      },
      books: { read: async (wanted) => wanted.map(() => null) },
      structures: null,
      executions,
      // The same as for executions.
      store: undefined as unknown as RouteDeps['router']['store'],
      cursors: createCursorCodec(Buffer.alloc(32, 14)),
      ...options.router,
    },
    cancelConditional: (caller, wanted) => cancelConditional(deps.conditional, caller, wanted),
    bridge: {
      provider: noProvider,
      // No sessions; tests of them provide a database.
      store: { insert: async () => true, agreedOf: async () => null },
      deposits: new Map(),
      clock,
      ...options.bridge,
    },
    webhooks: {
      // The same as for executions: tests of webhooks provide a database.
      store: undefined as unknown as RouteDeps['webhooks']['store'],
      guard: createGuard({ resolve: async () => [], allowed: new Set() }),
      box: createSecretBox(Buffer.alloc(boxKeyBytes, 5)),
      cursors: createCursorCodec(Buffer.alloc(32, 10)),
      clock,
      newId: () => randomUUID(),
      ...options.webhooks,
    },
    traders: createTraders({
      venues: new Map(
        [...venues].map(([slug, { reads }]) => [
          slug,
          { slug, traders: undefined, fetchMarket: reads.data.fetchMarket, context: reads.context },
        ]),
      ),
      catalog,
      record: null,
      cursors: createCursorCodec(Buffer.alloc(32, 11)),
      clock,
      log: silentLog,
      ...options.traders,
    }),
    feeds: options.feeds ?? new Map(),
    openOrders: {
      venues: new Map([...venues].map(([slug, { reads }]) => [slug, reads])),
      // None of its venues has account reads.
      reads: { read: () => Promise.reject(new Error('this world has no accounts of venues')) },
      findKnown: async () => new Set(),
      cursors: createCursorCodec(Buffer.alloc(32, 11)),
      ...options.openOrders,
    },
    venueMetrics: options.venueMetrics ?? { findLatest: async () => [] },
    sports: {
      mirror: { snapshot: () => null, entries: async () => new Map() },
      quotes: { read: () => null, hold: () => undefined },
      catalogs: [],
      clock,
      ...options.sports,
    },
    risk: {
      // No account has a limit, and none is known.
      store: {
        list: async () => [],
        readUse: async () => [],
        readOrderCounts: async () => [],
        findAccount: async () => null,
        findKey: async () => null,
        remove: async () => false,
      } as unknown as RouteDeps['risk']['store'],
      books: { read: async (instruments) => instruments.map(() => 'none' as const) },
      portfolio: noPortfolio.reader,
      isDollar: () => true,
      tradesOf: async (portfolio) => ({ ...portfolio, positions: [] }),
      portfolioReads: { run: async (_key, work) => work() },
      worstLoss: async () => '0',
      halt: async () => true,
      clock,
      log: silentLog,
      ...options.risk,
    },
    // Without a database there are no paper accounts; tests of them provide one.
    paper: {
      store: undefined as unknown as RouteDeps['paper']['store'],
      settings: { startCash: '10000' },
      cursors: createCursorCodec(Buffer.alloc(32, 14)),
      clock,
      newId: () => randomUUID(),
      ...options.paper,
    },
    portfolio: {
      ...noPortfolio,
      lanes: new Map(),
      catalog,
      cursors: createCursorCodec(Buffer.alloc(32, 12)),
      clock,
      ...options.portfolio,
    },
    reconciliation: {
      portfolio: noPortfolio.reader,
      venues: new Map(),
      unsupported: new Map(),
      findOrders: async () => [],
      catalog,
      clock,
      log: silentLog,
      ...options.reconciliation,
    },
    exposure: {
      portfolio: noPortfolio.reader,
      findMarkets: async () => new Map(),
      findRelations: async () => ({ relations: [], isCut: false }),
      cursors: createCursorCodec(Buffer.alloc(32, 13)),
      ...options.exposure,
    },
    // Without a database there are no accounts; tests of them provide one.
    accounts: options.accounts ?? (undefined as unknown as RouteDeps['accounts']),
    history: {
      tape,
      catalog,
      cursors: createCursorCodec(Buffer.alloc(32, 8)),
      serves: (venue) => ['kalshi', 'polymarket'].includes(venue),
      coverage: noCoverage,
      files: { find: async () => null, list: async () => [], pathOf: () => '/nowhere' },
      ...(options.overrides?.facts == null
        ? {}
        : { tapedSince: createTapedSince({ facts: options.overrides.facts, clock, log: silentLog }) }),
      ...options.history,
    },
  }
  const handler = createHttpHandler(options.routes ?? routes, deps)
  const documented = options.routes === undefined ? everyRoute : createDocumented(closedDocument(options.routes))
  const call: World['call'] = async (method, path, given = {}) => {
    const httpCall = callOf(method, path, given)
    const reply = await readAnswer(await handler(httpCall))
    documented({
      method: httpCall.method,
      path: httpCall.path,
      status: reply.status,
      contentType: reply.headers['content-type'] ?? null,
      text: reply.text,
    })
    return reply
  }
  return {
    handler,
    clock,
    cache,
    catalog,
    tape,
    matches,
    venues,
    held,
    verifications,
    call,
    get: (path, given) => call('GET', path, given),
    post: (path, body, given) => call('POST', path, { ...given, body: JSON.stringify(body) }),
  }
}

export function callOf(
  method: string,
  address: string,
  { key = keys.reader, body = '', headers = {}, times = {} }: CallOptions = {},
): HttpCall {
  const [path, query = ''] = address.split('?', 2)
  return {
    method,
    path: path!,
    query,
    headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
    timesOf: (name) => times[name] ?? (headers[name] === undefined ? 0 : 1),
    body: Buffer.from(body),
    remoteAddress: '127.0.0.1',
    signal: new AbortController().signal,
  }
}

export async function readAnswer(answer: HttpAnswer): Promise<Reply> {
  const text = await textOf(answer.body)
  const isJson = answer.headers['content-type']?.startsWith('application/json') ?? false
  return { status: answer.status, headers: answer.headers, text, json: isJson ? JSON.parse(text) : null }
}

async function textOf(body: HttpAnswer['body']): Promise<string> {
  if (typeof body === 'string') return body
  if (Buffer.isBuffer(body)) return body.toString()
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts).toString()
}
