// The polymarket lab: combines catalog, engine, faults and port, and provides controls for tests.
import { buildCatalog } from '../catalog/catalog.ts'
import { relatedEvents } from '../catalog/related.ts'
import { type CounterSnapshot, Counters } from '../counters.ts'
import { Engine } from '../engine/engine.ts'
import type { MarketTruth } from '../engine/market.ts'
import { Faults } from '../faults.ts'
import { socketFaults } from '../socket.ts'
import type { LabVenueOptions } from '../venueOptions.ts'
import { startHost } from '../venueServer.ts'
import { clobRoutes } from './clob.ts'
import { dataRoutes } from './data.ts'
import { gammaRoutes } from './gamma.ts'
import { catalogStyle, listPolymarket, type PolyListing } from './marketGenerator.ts'
import { orderRoutes } from './orders.ts'
import { positionRoutes } from './positions.ts'
import { type PolygonLab, startPolygonLab } from './settlements.ts'
import { PolymarketStream } from './stream.ts'
import { traderRoutes } from './traders.ts'
import { Wallets } from './wallets.ts'

export interface PolymarketLab {
  urls: { CLOB: string; GAMMA: string; DATA: string; WS: string }
  faults: Faults
  engine: Engine
  listing: PolyListing
  /** Publishes its trades as they happen, for the chain that settles them. */
  trades: PolymarketStream
  startChain(options: { port: number }): Promise<PolygonLab>
  /** The token's true book, best first, prices in micros of that token. Null for unknown ids. */
  book(tokenId: string): MarketTruth | null
  counters(): CounterSnapshot
  /** First token of every open market, catalog order. */
  openTokens(): string[]
  /** Sends `new_market` to every client that subscribed to it. */
  announceNew(tokenId: string): void
  stop(): Promise<void>
}

export async function startPolymarketLab(options: LabVenueOptions): Promise<PolymarketLab> {
  const { clock, seed } = options
  const listing = listPolymarket(
    buildCatalog('polymarket', {
      seed,
      nowMs: clock.now(),
      markets: options.markets,
      related: options.related === true ? relatedEvents.lower : [],
      recorded: options.recorded,
      ...catalogStyle,
    }),
    seed,
  )
  const counters = new Counters()
  const stream = new PolymarketStream({ listing, counters, faults: () => faults, engine: () => engine })
  const engine = new Engine(
    listing.markets.map(({ key, catalog }) => ({ id: key, ...catalog })),
    { ...options, seed: `${seed}/polymarket`, listener: stream },
  )
  const marketOf = (id: string) =>
    listing.byToken.get(id)?.market ?? listing.byCondition.get(id) ?? listing.byId.get(id)
  const faults: Faults = new Faults({
    clock,
    engine,
    staleVia: 'both',
    overflowFrame: null,
    engineId: (publicId) => marketOf(publicId)?.key ?? null,
    ...socketFaults(() => host.sockets),
    announce: (kind, market, oldStepMicros) => stream.announce(kind, market, oldStepMicros),
  })
  const wallets = new Wallets(seed, () => clock.now())
  const routes = [
    ...gammaRoutes(listing, engine, () => faults),
    ...dataRoutes(listing, engine, () => clock.now()),
    ...traderRoutes(listing, engine),
    ...positionRoutes(engine),
    ...clobRoutes(
      listing,
      engine,
      () => faults,
      () => clock.now(),
    ),
    ...orderRoutes({ listing, engine, faults: () => faults, wallets, nowMs: () => clock.now() }),
  ]
  const host = await startHost({
    clock,
    counters,
    faults: () => faults,
    port: options.port,
    sendQueueMaxBytes: options.sendQueueMaxBytes,
    routes,
    refusalBody: (status) => ({ error: status === 429 ? 'Too Many Requests' : 'Internal server error' }),
    isSocketPath: (path) => path.endsWith('/ws/market'),
    refuseUpgrade: () => null,
    open: (socket) => stream.open(socket),
    notFound: () => ({ status: 404, body: { error: 'not found' } }),
  })
  const base = `http://127.0.0.1:${host.port}`
  return {
    urls: {
      CLOB: `${base}/clob`,
      GAMMA: `${base}/gamma`,
      DATA: `${base}/data`,
      WS: `ws://127.0.0.1:${host.port}/ws/market`,
    },
    faults,
    engine,
    listing,
    trades: stream,
    startChain: ({ port }) => startPolygonLab({ clock, seed, port, trades: stream }),
    book(tokenId) {
      const found = listing.byToken.get(tokenId)
      if (found === undefined) return null
      const truth = engine.market(found.market.key)!.truth()
      return found.side === 0 ? truth : mirrored(truth)
    },
    counters: () => counters.snapshot(),
    openTokens: () =>
      listing.markets.filter(({ key }) => engine.statusOf(key) === 'open').map(({ tokens }) => tokens[0]),
    announceNew(tokenId) {
      const market = marketOf(tokenId)
      if (market !== undefined) stream.announceNew(market, clock.now())
    },
    async stop() {
      faults.stop()
      engine.stop()
      await host.stop()
    },
  }
}

/** The NO side: its bids are 1 − the YES asks. */
function mirrored({ bids, asks, eventTs }: MarketTruth): MarketTruth {
  const flip = (levels: MarketTruth['bids']) =>
    levels.map(([price, size]): [number, number] => [1_000_000 - price, size])
  return { bids: flip(asks), asks: flip(bids), eventTs }
}
