// The kalshi lab: combines catalog, engine, authentication, faults and port, and provides controls for tests.
import { buildCatalog } from '../catalog/catalog.ts'
import { relatedEvents } from '../catalog/related.ts'
import { type CounterSnapshot, Counters } from '../counters.ts'
import { Engine } from '../engine/engine.ts'
import type { MarketTruth } from '../engine/market.ts'
import { Faults } from '../faults.ts'
import { socketFaults } from '../socket.ts'
import type { LabVenueOptions } from '../venueOptions.ts'
import { startHost } from '../venueServer.ts'
import { createKalshiAuth } from './auth.ts'
import { type KalshiListing, listKalshi } from './marketGenerator.ts'
import { orderRoutes } from './orders.ts'
import { kalshiRoutes, REST_PATH } from './rest.ts'
import { KalshiStream } from './stream.ts'

const WS_PATH = '/trade-api/ws/v2'
const HEARTBEAT_MS = 10_000

export interface KalshiLab {
  urls: { REST: string; WS: string }
  credentials: { API_KEY_ID: string; PRIVATE_KEY_PEM: string }
  faults: Faults
  engine: Engine
  listing: KalshiListing
  /** The ticker's true book on the YES scale, best first, prices in micros. Null for unknown tickers. */
  book(ticker: string): MarketTruth | null
  counters(): CounterSnapshot
  openTickers(): string[]
  stop(): Promise<void>
}

export async function startKalshiLab(options: LabVenueOptions): Promise<KalshiLab> {
  const { clock, seed } = options
  const listing = listKalshi(
    buildCatalog('kalshi', {
      seed,
      nowMs: clock.now(),
      markets: options.markets,
      related: options.related === true ? relatedEvents.higher : [],
      recorded: options.recorded,
    }),
    seed,
  )
  const auth = await createKalshiAuth(seed, () => clock.now())
  const counters = new Counters()
  const stream = new KalshiStream({ listing, counters, faults: () => faults, engine: () => engine })
  const engine = new Engine(
    listing.markets.map(({ key, catalog }) => ({ id: key, ...catalog })),
    { ...options, seed: `${seed}/kalshi`, listener: stream },
  )
  const faults: Faults = new Faults({
    clock,
    engine,
    staleVia: 'rest',
    overflowFrame: JSON.stringify({ type: 'error', msg: { code: 25, msg: 'Subscription buffer overflow' } }),
    engineId: (publicId) => listing.byTicker.get(publicId)?.key ?? null,
    ...socketFaults(() => host.sockets),
    announce: (kind, market) => stream.announce(kind, market),
  })
  const host = await startHost({
    clock,
    counters,
    faults: () => faults,
    port: options.port,
    sendQueueMaxBytes: options.sendQueueMaxBytes,
    routes: [
      ...kalshiRoutes({ listing, engine, faults: () => faults, auth, nowMs: () => clock.now() }),
      ...orderRoutes({ prefix: REST_PATH, listing, engine, faults: () => faults, auth, nowMs: () => clock.now() }),
    ],
    refusalBody: (status) => ({
      error: status === 429 ? 'too many requests' : { code: 'internal_server_error', message: 'internal server error' },
    }),
    isSocketPath: (path) => path === WS_PATH,
    refuseUpgrade: (request) => auth.refuse(request.headers, 'GET', WS_PATH),
    open: (socket) => stream.open(socket),
    notFound: () => ({ status: 404, body: { error: { code: 'not_found', message: 'not found' } } }),
  })
  const heartbeat = clock.every(HEARTBEAT_MS, () => stream.heartbeat())
  return {
    urls: { REST: `http://127.0.0.1:${host.port}${REST_PATH}`, WS: `ws://127.0.0.1:${host.port}${WS_PATH}` },
    credentials: { API_KEY_ID: auth.apiKeyId, PRIVATE_KEY_PEM: auth.privateKeyPem },
    faults,
    engine,
    listing,
    book(ticker) {
      const market = listing.byTicker.get(ticker)
      return market === undefined ? null : engine.market(market.key)!.truth()
    },
    counters: () => counters.snapshot(),
    openTickers: () => listing.markets.filter(({ key }) => engine.statusOf(key) === 'open').map(({ ticker }) => ticker),
    async stop() {
      faults.stop()
      heartbeat.cancel()
      engine.stop()
      await host.stop()
    },
  }
}
