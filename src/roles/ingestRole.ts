// The ingest role: one supervised actor for each venue, or part of one, that this process owns, with demand from gateways and the always-taped markets
// from the catalog. Several ingest processes split the venues, and the markets of those that are divided.

import { type ChainTape, spawnChainTape } from '#actors/chainTape/chainTapeActor'
import type { ReadBlock } from '#actors/chainTape/position'
import { DemandRegistry } from '#actors/ingest/demandRegistry'
import type { Ingest, IngestCounters } from '#actors/ingest/ingestActor'
import {
  type LeaseTerm,
  singleProcessLeases,
  startVenueOwner,
  type VenueLeases,
} from '#actors/ingest/owner/venueLeaseManager'
import { maintainPinnedMarkets, type Pins } from '#actors/ingest/pinnedMarkets'
import { polledBooksMax } from '#actors/ingest/pollerPool'
import { type Supervisor, superviseRole, superviseVenue } from '#actors/system'
import type { Config } from '#config'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { createChainNode } from '#net/chainNode'
import { createHttpClient, type OwnedHttpClient } from '#net/httpClient'
import { createRpc } from '#net/rpc'
import { createSocketOpener } from '#net/socket'
import { countParts, listLeases, parseLease } from '#schemas/parts'
import type { BusHealth } from '#storage/bus/busHealth'
import { findChainPosition, writeChainPosition } from '#storage/postgres/chainPositions'
import type { Pool } from '#storage/postgres/pool'
import {
  deregisterIngest,
  holdVenues,
  registerIngest,
  releaseVenues,
  venueLeaseMs,
} from '#storage/postgres/venueLeases'
import { nodesOf } from '#venues/shared/evm'
import { defaultRequestsPerSecond, readsChain, type VenueManifest } from '#venues/venue'
import { openPartBudgets } from './budgets.ts'
import type { Metrics } from './metrics.ts'
import { captureIngests } from './rawCapture.ts'
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
  actors: Supervisor
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
  venue: string
  branch: Supervisor
  ingest: Ingest
  /** Null when the venue's trades are not read from a chain. */
  chainTape: ChainTape | null
  pins: Pins
  leaseTerm: LeaseTerm
  /** Of a part, which has a request budget of its own. */
  http: OwnedHttpClient | null
}

export async function runIngest({
  actors,
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
  /** In one process every venue is fed whole. */
  const partsPlanned = (venue: string): number => (busMode === 'local' ? 1 : (config.ingestParts.get(venue) ?? 1))
  for (const { manifest, context } of venues) {
    if (partsPlanned(manifest.slug) > 1 && readsChain(manifest, context))
      throw new Error(
        `CROSSBOOK_INGEST_PARTS: ${manifest.slug} cannot be split while its trades are read from its chain`,
      )
  }
  const role = superviseRole(actors, 'ingest', { clock, log })
  const catalog = createPostgresCatalog(pool, { clock })
  const known = new Map<string, RunningVenue>(venues.map((venue) => [venue.manifest.slug, venue]))
  /** By lease. */
  const feeding = new Map<string, Feeding>()
  const feeds = (venue: string): Feeding[] => [...feeding.values()].filter((each) => each.venue === venue)
  const demands = new DemandRegistry(clock)
  const spawn = captureIngests(config.rawCapture, { metrics, clock, log })
  const unsubscribe = await bus.subscribe('demand', (demand) => {
    demands.take(demand)
    for (const { ingest } of feeds(demand.venue)) ingest.actor.send({ kind: 'demand', ...demand })
  })

  async function begin(lease: string, leaseTerm: LeaseTerm): Promise<void> {
    const { venue, part } = parseLease(lease)
    const { manifest, context: whole } = known.get(venue)!
    let over = false
    void leaseTerm.over.then(() => {
      over = true
    })
    await Promise.race([bus.fence(venue, leaseTerm), leaseTerm.over])
    if (over) return
    const http = part === undefined ? null : openPart(manifest, countParts(part))
    const context = http === null ? whole : { ...whole, http }
    const branch = superviseVenue(role, `${lease} ${leaseTerm.epoch}`, { clock, log })
    const ingest = spawn(branch, {
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
      lease: leaseTerm,
    })
    const pin = (bookIds: readonly string[]): void => ingest.actor.send({ kind: 'pin', bookIds })
    const { data } = manifest
    const isPolled = data.stream === undefined || data.stream.connect(context) === null
    const booksMax = isPolled ? polledBooksMax(data, data.requestsPerSecond ?? defaultRequestsPerSecond) : Infinity
    const limit = config.pinnedMarkets
    const pins = maintainPinnedMarkets({ venue: manifest, catalog, limit, booksMax, clock, log, pin })
    feeding.set(lease, {
      venue,
      branch,
      ingest,
      chainTape: readChain(branch, known.get(venue)!, ingest, leaseTerm),
      pins,
      leaseTerm,
      http,
    })
    for (const demand of demands.of(venue)) ingest.actor.send({ kind: 'demand', ...demand })
  }

  const openPart = (manifest: VenueManifest, parts: number): OwnedHttpClient =>
    createHttpClient({
      venue: manifest.slug,
      budgets: openPartBudgets(manifest, config, parts),
      contactUrl: config.contactUrl,
    })

  function readChain(
    branch: Supervisor,
    { manifest, context }: RunningVenue,
    { trades }: Ingest,
    { epoch }: LeaseTerm,
  ): ChainTape | null {
    const { slug, data } = manifest
    if (data.chainTrades === undefined || !readsChain(manifest, context)) return null
    const { chainId } = data.chainTrades
    const giveUp = new AbortController()
    const signal = AbortSignal.any([context.signal, giveUp.signal])
    const rpc = createRpc(nodesOf(context, slug, chainId), signal)
    const tape = spawnChainTape(branch, {
      venue: slug,
      epoch,
      chain: data.chainTrades,
      node: createChainNode(rpc, slug),
      store: {
        load: () => findChainPosition<ReadBlock>(pool, slug, chainId),
        save: (position) => writeChainPosition(pool, { venue: slug, chainId, epoch }, position),
      },
      publisher: trades,
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

  async function end(lease: string): Promise<void> {
    const ended = feeding.get(lease)
    if (ended === undefined) return
    feeding.delete(lease)
    const { venue, branch, ingest, chainTape, pins, leaseTerm, http } = ended
    pins.stop()
    const stopped = Promise.resolve(chainTape?.stop())
      .then(() => ingest.stop())
      .then(() => bus.fence(venue, leaseTerm))
    await new Promise<void>((resolve, reject) => {
      const late = clock.after(farewellMs, resolve)
      Promise.race([stopped, leaseTerm.over])
        .finally(() => late.cancel())
        .then(resolve, reject)
    })
    branch.stop()
    await http?.close()
  }

  const leases: VenueLeases =
    busMode === 'local'
      ? singleProcessLeases(clock)
      : {
          leaseMs: venueLeaseMs,
          register: (process) => registerIngest(pool, process),
          hold: (id, wanted, renewed) => holdVenues(pool, id, wanted, renewed),
          release: (id, held) => releaseVenues(pool, id, held),
          leave: (id) => deregisterIngest(pool, id),
        }
  const owner = await startVenueOwner({
    leases,
    // Unique per run: a process that restarts under the same name has nothing its predecessor held.
    id: `${config.gatewayId}.${Math.random().toString(36).slice(2, 8)}`,
    venues: [...known.keys()].flatMap((venue) => listLeases(venue, partsPlanned(venue))),
    isAble: () => busHealth.isProven(),
    clock,
    log,
    begin,
    end,
  })

  /** One figure for each venue fed here, whatever its parts. */
  const sums = (figureOf: (ingest: Ingest) => number) => {
    const byVenue = new Map<string, number>()
    for (const { venue, ingest } of feeding.values()) byVenue.set(venue, (byVenue.get(venue) ?? 0) + figureOf(ingest))
    return [...byVenue].map(([venue, value]) => ({ labels: { venue }, value }))
  }
  const counter = (name: keyof IngestCounters) => () => sums((ingest) => ingest.counters()[name])
  metrics.gauge('ingest_owned', 'Share of each venue that this process feeds: 1 for all of it', ['venue'], () => {
    const held = [...owner.held().keys()].map(parseLease)
    return [...known.keys()].map((venue) => {
      const own = held.filter((lease) => lease.venue === venue)
      return { labels: { venue }, value: own.length / countParts(own[0]?.part) }
    })
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
    sums((ingest) => ingest.health().staleBooks),
  )
  metrics.gauge(
    'ingest_stale_books_by_reason',
    'Watched books that are not live, by reason',
    ['venue', 'reason'],
    () => {
      const books = new Map<string, { labels: { venue: string; reason: string }; value: number }>()
      for (const { venue, ingest } of feeding.values())
        for (const [reason, count] of Object.entries(ingest.health().staleReasons ?? {})) {
          const key = `${venue} ${reason}`
          const value = (books.get(key)?.value ?? 0) + count
          books.set(key, { labels: { venue, reason }, value })
        }
      return [...books.values()]
    },
  )
  return {
    catalogChanged(venue) {
      for (const { pins } of feeds(venue)) pins.refresh()
    },
    async stop() {
      await unsubscribe()
      await owner.stop()
      role.stop()
    },
  }
}
