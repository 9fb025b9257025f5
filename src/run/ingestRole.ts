// The ingest role: one supervised actor for each venue this process owns, with demand from gateways and the always-taped markets from the
// catalog. Several ingest processes split the venues.

import { type ChainTape, spawnChainTape } from '#actors/chainTape/chainTapeActor'
import type { ReadBlock } from '#actors/chainTape/position'
import { DemandBoard } from '#actors/ingest/demandBoard'
import { type Ingest, type IngestCounters, spawnIngest } from '#actors/ingest/ingestActor'
import { soleLeases, startVenueOwner, type Tenure, type VenueLeases } from '#actors/ingest/owner/venueOwner'
import { keepPins, type Pins } from '#actors/ingest/pins'
import { polledBooksMax } from '#actors/ingest/polling'
import { start, stop } from '#actors/system'
import { createPostgresCatalog } from '#catalog/postgresCatalog'
import type { Config } from '#config'
import type { Clock } from '#lib/clock'
import type { Log } from '#lib/log'
import { createChainNode } from '#net/chainNode'
import { createRpc } from '#net/rpc'
import { createSocketOpener } from '#net/socket'
import type { BusHealth } from '#storage/bus/busHealth'
import { findChainPosition, writeChainPosition } from '#storage/postgres/chainPositions'
import type { Pool } from '#storage/postgres/pool'
import { holdVenues, leaveIngest, presentIngest, releaseVenues, venueLeaseMs } from '#storage/postgres/venueLeases'
import { nodesOf } from '#venues/shared/evm'
import { defaultRequestsPerSecond, readsChain } from '#venues/venue'
import type { Metrics } from './metrics.ts'
import type { Stores } from './stores.ts'
import type { RunningVenue } from './venues.ts'

/** Time for the last rows of a handed-over venue to reach the bus. */
const farewellMs = 3_000

export interface IngestRole {
  /** The catalog of a venue has changed: check again what is to be taped. */
  catalogChanged(venue: string): void
  stop(): Promise<void>
}

export interface IngestRoleOptions {
  config: Config
  bus: Stores['bus']
  busMode: Stores['busMode']
  busHealth: Pick<BusHealth, 'isProven'>
  pool: Pool
  venues: readonly RunningVenue[]
  metrics: Metrics
  clock: Clock
  log: Log
}

interface Feeding {
  ingest: Ingest
  /** Null when the venue's trades are not read from a chain. */
  chainTape: ChainTape | null
  pins: Pins
  tenure: Tenure
}

export async function runIngest({
  config,
  bus,
  busMode,
  busHealth,
  pool,
  venues,
  metrics,
  clock,
  log,
}: IngestRoleOptions): Promise<IngestRole> {
  const system = start()
  const catalog = createPostgresCatalog(pool, { clock })
  const known = new Map<string, RunningVenue>(venues.map((venue) => [venue.manifest.slug, venue]))
  const feeding = new Map<string, Feeding>()
  const demands = new DemandBoard(clock)
  const unsubscribe = await bus.subscribe('demand', (demand) => {
    demands.take(demand)
    feeding.get(demand.venue)?.ingest.actor.tell({ kind: 'demand', ...demand })
  })

  async function begin(venue: string, tenure: Tenure): Promise<void> {
    const { manifest, context } = known.get(venue)!
    let over = false
    void tenure.over.then(() => {
      over = true
    })
    await Promise.race([bus.fence(venue, tenure.epoch), tenure.over])
    if (over) return
    const ingest = spawnIngest(system, {
      venue: manifest,
      context,
      bus,
      clock,
      log,
      openSocket: createSocketOpener(config.contactUrl),
      random: Math.random,
      tickMs: config.tickMs,
      idleUnwatchMs: config.idleUnwatchMs,
      bookSnapshotMs: config.bookSnapshotMs,
      recordsTraders: config.traders.enabled,
      tapesDepth: config.history.depthVenues.includes(venue),
      tenure,
    })
    const pin = (bookIds: readonly string[]): void => ingest.actor.tell({ kind: 'pin', bookIds })
    const { data } = manifest
    const isPolled = data.stream === undefined || data.stream.connect(context) === null
    const booksMax = isPolled ? polledBooksMax(data, data.requestsPerSecond ?? defaultRequestsPerSecond) : Infinity
    const limit = config.pinnedMarkets
    const pins = keepPins({ venue: manifest, catalog, limit, booksMax, clock, log, pin })
    feeding.set(venue, { ingest, chainTape: readChain(known.get(venue)!, ingest, tenure), pins, tenure })
    for (const demand of demands.of(venue)) ingest.actor.tell({ kind: 'demand', ...demand })
  }

  function readChain({ manifest, context }: RunningVenue, { trades }: Ingest, { epoch }: Tenure): ChainTape | null {
    const { slug, data } = manifest
    if (data.chainTrades === undefined || !readsChain(manifest, context)) return null
    const { chainId } = data.chainTrades
    const giveUp = new AbortController()
    const signal = AbortSignal.any([context.signal, giveUp.signal])
    const rpc = createRpc(nodesOf(context, slug, chainId), signal)
    const tape = spawnChainTape(system, {
      venue: slug,
      epoch,
      chain: data.chainTrades,
      node: createChainNode(rpc, slug),
      store: {
        load: () => findChainPosition<ReadBlock>(pool, slug, chainId),
        save: (position) => writeChainPosition(pool, { venue: slug, chainId, epoch }, position),
      },
      teller: trades,
      async findMarket(bookId) {
        const [row] = await catalog.findOutcomes(slug, bookId)
        return row?.market ?? catalog.findMarket(slug, bookId)
      },
      random: Math.random,
      clock,
      log,
    })
    return {
      actor: tape.actor,
      stop() {
        giveUp.abort()
        return tape.stop()
      },
    }
  }

  async function end(venue: string): Promise<void> {
    const ended = feeding.get(venue)
    if (ended === undefined) return
    feeding.delete(venue)
    const { ingest, chainTape, pins, tenure } = ended
    pins.stop()
    const said = Promise.resolve(chainTape?.stop())
      .then(() => ingest.stop())
      .then(() => bus.fence(venue, tenure.epoch))
    await new Promise<void>((resolve, reject) => {
      const late = clock.after(farewellMs, resolve)
      Promise.race([said, tenure.over])
        .finally(() => late.cancel())
        .then(resolve, reject)
    })
  }

  const leases: VenueLeases =
    busMode === 'local'
      ? soleLeases(clock)
      : {
          leaseMs: venueLeaseMs,
          present: (process) => presentIngest(pool, process),
          hold: (id, wanted) => holdVenues(pool, id, wanted),
          release: (id, held) => releaseVenues(pool, id, held),
          leave: (id) => leaveIngest(pool, id),
        }
  const owner = await startVenueOwner({
    leases,
    // Unique per run: a process that restarts under the same name has nothing its predecessor held.
    id: `${config.gatewayId}.${Math.random().toString(36).slice(2, 8)}`,
    venues: [...known.keys()],
    isAble: () => busHealth.isProven(),
    clock,
    log,
    begin,
    end,
  })

  const counter = (name: keyof IngestCounters) => () =>
    [...feeding].map(([venue, { ingest }]) => ({ labels: { venue }, value: ingest.counters()[name] }))
  metrics.gauge('ingest_owned', '1 for each venue this process feeds', ['venue'], () => {
    const held = owner.held()
    return [...known.keys()].map((venue) => ({ labels: { venue }, value: held.has(venue) ? 1 : 0 }))
  })
  metrics.counter('ingest_frames', 'Venue frames received', ['venue'], counter('frames'))
  metrics.counter('ingest_malformed', 'Venue frames of an unknown shape', ['venue'], counter('malformed'))
  metrics.counter('ingest_books_published', 'Books handed to the bus', ['venue'], counter('published'))
  metrics.counter('ingest_resyncs', 'Snapshots requested after a book broke', ['venue'], counter('resyncs'))
  metrics.counter(
    'ingest_tape_rows_lost',
    'Tape rows lost because the bus accepted none for too long',
    ['venue'],
    counter('tapeRowsLost'),
  )
  metrics.gauge('ingest_stale_books', 'Watched books that are not live', ['venue'], () =>
    [...feeding].map(([venue, { ingest }]) => ({ labels: { venue }, value: ingest.health().staleBooks })),
  )
  return {
    catalogChanged: (venue) => feeding.get(venue)?.pins.refresh(),
    async stop() {
      await unsubscribe()
      await owner.stop()
      stop(system)
    },
  }
}
