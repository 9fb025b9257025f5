// The stream as a whole: sockets in, bus in, frames out. main.ts starts it together with the gateway.
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { ThrottledLog } from '#core/throttledLog'
import { planNames } from '#platform/plans/plans'
import type { Bus } from '#storage/bus/bus'
import type { AccountRow, HubTotals } from './deliveryStats.ts'
import { DemandKeeper } from './demand.ts'
import { Hub } from './hub.ts'
import { KeyRing } from './keyCache.ts'
import type { MessageRate } from './messageLimiter.ts'
import { PendingTradesChannel } from './pendingTradesChannel.ts'
import type { BookReader, LimitsOf, PendingTrades, StreamAuth, StreamCatalog, StreamChannels } from './ports.ts'
import { closeGoingAway } from './protocol.ts'
import { Session, type SessionDeps } from './session.ts'
import type { StreamServer } from './socket.ts'

/** How often every key is re-verified. */
export const reauthMs = 60_000

/** A thousand subscriptions may be sent at once; after that a steady rate. */
export const clientMessages: MessageRate = { burst: 1_000, perSecond: 100, patience: 200 }

export interface StreamOptions {
  bus: Pick<Bus, 'publish' | 'subscribe'>
  clock: Clock
  log: Log
  auth: StreamAuth
  catalog: StreamCatalog
  books: BookReader
  limitsOf: LimitsOf
  /** Unique per running gateway. */
  gatewayId: string
  /** Venues of this deployment, whose demand is sent even when empty. */
  venues?: readonly string[]
  channels?: StreamChannels
  /** Absent: no mempool is watched here. */
  pendingTrades?: PendingTrades
  tickMs?: number
  slowConsumerMs?: number
  bucket?: MessageRate
  defer?: (run: () => void) => void
}

export interface Stream extends StreamServer {
  /** Keeps a market watched for an HTTP read; false when too many are held. */
  hold(venue: string, marketId: string, ms: number): boolean
  /** What this gateway currently wants from a venue. */
  demandOf(venue: string): string[]
  accounts(): AccountRow[]
  totals(): HubTotals
  /** Runs one tick now. */
  flush(): void
}

export async function startStream(options: StreamOptions): Promise<Stream> {
  const { bus, clock, log, auth, catalog, books, limitsOf, gatewayId, channels = {} } = options
  const demand = new DemandKeeper({ bus, clock, gatewayId, venues: options.venues })
  const { tickMs, slowConsumerMs, defer } = options
  const hub = new Hub({ clock, books, watch: demand, tickMs, slowConsumerMs, defer })
  const { pendingTrades } = options
  const pending = pendingTrades === undefined ? undefined : new PendingTradesChannel(hub, pendingTrades, clock)
  const keyRing = new KeyRing(auth)
  const lines = new ThrottledLog(log, clock)
  const sessions = new Set<Session>()
  const deps: SessionDeps = {
    hub,
    catalog,
    channels,
    ...(pending !== undefined && { pending }),
    limitsOf,
    clock,
    auth,
    keyRing,
    bucket: options.bucket ?? clientMessages,
    subscriptionsMax: Math.max(...planNames.map((plan) => limitsOf(plan).subscriptionsPerConnection)),
    now: () => clock.now(),
    onCatalogFailure: (cause) => lines.warn({ err: cause }, 'stream: the catalog could not be queried'),
    onClosed: (session) => sessions.delete(session),
  }
  const unsubscribe = await Promise.all([
    bus.subscribe('books', (update) => hub.book(update)),
    bus.subscribe('trades', (update) => hub.trade(update)),
  ])
  const recheck = clock.every(reauthMs, () => void keyRing.recheckAll())
  let stopping: Promise<void> | null = null

  const stop = async (): Promise<void> => {
    recheck.cancel()
    for (const session of [...sessions]) session.close(closeGoingAway, 'server stops')
    hub.stop()
    pending?.stop()
    demand.stop()
    await Promise.all(unsubscribe.map((end) => end()))
  }

  return {
    open(socket, bearer) {
      const session = new Session(deps, socket)
      if (stopping !== null) {
        session.close(closeGoingAway, 'server stops')
        return session
      }
      sessions.add(session)
      session.start(bearer)
      return session
    },
    stop() {
      stopping ??= stop()
      return stopping
    },
    hold: (venue, marketId, ms) => demand.hold(venue, marketId, ms),
    demandOf: (venue) => demand.marketIds(venue),
    accounts: () => hub.accounts(),
    totals: () => hub.sum(),
    flush: () => hub.flush(),
  }
}
