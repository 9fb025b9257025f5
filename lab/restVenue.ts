// A lab venue: combines engine, faults, counters, port and, if it has one, the feed.
import type { IncomingMessage } from 'node:http'
import type { CatalogMarket } from './catalog/catalogEvent.ts'
import { type CounterSnapshot, Counters } from './counters.ts'
import { Engine } from './engine/engine.ts'
import type { GridName } from './engine/grid.ts'
import type { EngineMarket, MarketListener, MarketTruth } from './engine/market.ts'
import { Faults } from './faults.ts'
import { type LabSocket, socketFaults } from './socket.ts'
import type { LabVenueOptions } from './venueOptions.ts'
import { type LabReply, type LabRoute, type SocketHandler, startHost } from './venueServer.ts'

export interface VenueCore {
  engine: Engine
  faults(): Faults
  nowMs(): number
  /** False when a fault makes the venue deny the market. */
  isKnown(key: string): boolean
  /** The book to show: the current one, or an old one under a fault. */
  shown(key: string): MarketTruth
}

/** The messages of the venue's sockets, in both directions. */
export interface LabFeed {
  listener: MarketListener
  isPath(path: string): boolean
  /** Null accepts the connection. */
  refuse?(request: IncomingMessage): LabReply | null
  open(socket: LabSocket): SocketHandler
  /** Announces a market's outcome, if the venue's sockets do. */
  resolved?(market: EngineMarket): void
}

export interface RestVenue {
  base: string
  /** The same port for sockets. */
  socketBase: string
  engine: Engine
  faults: Faults
  counters(): CounterSnapshot
  truth(key: string): MarketTruth
  stop(): Promise<void>
}

/** Whole contracts. */
const lotHundredths = 100

const ignore = (): undefined => undefined
const noListener: MarketListener = { level: ignore, trade: ignore, flush: ignore }

export async function startRestVenue(
  options: LabVenueOptions,
  venue: {
    name: string
    markets: readonly { key: string; catalog: CatalogMarket; grid: GridName }[]
    engineId(publicId: string): string | null
    routes(core: VenueCore): LabRoute[]
    /** Called once the venue is built. */
    feed?(core: () => VenueCore, counters: Counters): LabFeed
    refusalBody(status: number): unknown
    notFound(path: string): LabReply
  },
): Promise<RestVenue> {
  const { clock } = options
  const counters = new Counters()
  const specs = venue.markets.map(({ key, catalog, grid }) => ({ ...catalog, id: key, grid }))
  const seed = `${options.seed}/${venue.name}`
  const feed = venue.feed?.(() => core, counters)
  const engine = new Engine(specs, { ...options, seed, lotHundredths, listener: feed?.listener ?? noListener })
  const faults: Faults = new Faults({
    clock,
    engine,
    staleVia: feed === undefined ? 'rest' : 'both',
    overflowFrame: null,
    engineId: (publicId) => venue.engineId(publicId),
    ...socketFaults(() => host.sockets),
    announce: (kind, market) => (kind === 'resolved' ? feed?.resolved?.(market) : undefined),
  })
  const truth = (key: string): MarketTruth => engine.market(key)!.truth()
  const core: VenueCore = {
    engine,
    faults: () => faults,
    nowMs: () => clock.now(),
    isKnown: (key) => faults.denies(key) === null,
    shown: (key) => faults.staleTruth(key, 'rest') ?? truth(key),
  }
  const host = await startHost({
    clock,
    counters,
    faults: () => faults,
    port: options.port,
    sendQueueMaxBytes: options.sendQueueMaxBytes,
    routes: venue.routes(core),
    refusalBody: (status) => venue.refusalBody(status),
    isSocketPath: (path) => feed?.isPath(path) === true,
    refuseUpgrade: (request) => feed?.refuse?.(request) ?? null,
    open: (socket) => feed?.open(socket) ?? { message: ignore, closed: ignore },
    notFound: (path) => venue.notFound(path),
  })
  return {
    base: `http://127.0.0.1:${host.port}`,
    socketBase: `ws://127.0.0.1:${host.port}`,
    engine,
    faults,
    counters: () => counters.snapshot(),
    truth,
    async stop() {
      faults.stop()
      engine.stop()
      await host.stop()
    },
  }
}
