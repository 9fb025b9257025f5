// The compute role: the matcher's pairs, priced from the books of all venues. In a single process the gateway reads the result directly;
// in a cluster several such processes split the clusters, and one of them is the sequencer for all gateways.
import { type Arbitrage, spawnArbitrage } from '#actors/arbitrage/arbitrageActor'
import { CooperativeReads } from '#actors/arbitrage/cooperativeReads'
import { startSequencer } from '#actors/arbitrage/sequencer'
import { answerSizes } from '#actors/arbitrage/sizedQueryClient'
import { type StructureFeeder, startStructureFeeder } from '#actors/arbitrage/structureInputs'
import { startSurfaceFeed } from '#actors/arbitrage/surfaceInputs'
import { type SurfaceMember, startSurfaceShard } from '#actors/arbitrage/surfaceShard'
import { type Supervisor, superviseRole } from '#actors/system'
import type { ClusterInput } from '#arbitrage/cluster'
import { arbitrageRowsAt } from '#arbitrage/fetchArbitrage'
import { ArbitrageRecords } from '#arbitrage/opportunityHistory'
import { SizedSurfaces } from '#arbitrage/sizedQuery'
import type { SurfaceView } from '#arbitrage/surfaceView'
import type { Config } from '#config'
import { createArena } from '#core/books/shared/index'
import { BookFeed } from '#core/books/sharedBookPublisher'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { Pool } from '#storage/postgres/pool'
import { holdSurfaceLease, releaseSurfaceLease } from '#storage/postgres/surfaceLease'
import { structureEngine } from '#workers/structureEngine'
import { workerEngine } from '#workers/surfaceEngine'
import { type ClusterSourceOptions, watchClusters } from './clusterSource.ts'
import type { Metrics } from './metrics.ts'
import { watchSilence } from './silence.ts'
import type { Stores } from './stores.ts'
import { type StructureSourceOptions, watchStructures } from './structureSource.ts'
import { startVenueStatus } from './venueStatus.ts'
import type { RunningVenue } from './venues.ts'

/** Maximum rows published. */
export const surfaceRowsMax = 50_000
/** Books of structures that are in no cluster: extra slots in addition to `slots`. */
const structureBooksMax = 10_000
/** In a single process there is no other leader. */
const soleTerm = 1

export interface ComputeRoleOptions {
  actors: Supervisor
  config: Config
  bus: Stores['bus']
  busMode: Stores['busMode']
  pool: Pool
  venues: readonly RunningVenue[]
  matches: ClusterSourceOptions['matches']
  relations: StructureSourceOptions['relations']
  metrics: Metrics
  clock: Clock
  log: Log
}

export interface ComputeRole {
  /** For a gateway of the same process; null when gateways get the surface over the bus. */
  view: SurfaceView | null
  stop(): Promise<void>
}

export async function runCompute(options: ComputeRoleOptions): Promise<ComputeRole> {
  const { config, bus, busMode, pool, venues, matches, relations, metrics, clock, log } = options
  const { intervalMs, contracts, slots } = config.arbitrage
  const stops: (() => Promise<void> | void)[] = []
  const actors = superviseRole(options.actors, 'compute', { clock, log })
  stops.push(() => actors.stop())
  const allSlots = slots + structureBooksMax
  const arena = createArena(allSlots)
  /** Runs alongside the surface, on the same books and its own thread. */
  const companion: { structures: StructureFeeder | null } = { structures: null }
  const touched = (slot: number): void => {
    arbitrage.touch(slot)
    companion.structures?.touch(slot)
  }
  const feed = new BookFeed(arena, touched, clock)
  /** When this process is one of several. */
  const spread: { member: SurfaceMember | null } = { member: null }
  const arbitrage: Arbitrage = spawnArbitrage(actors, {
    intervalMs,
    contracts,
    limit: surfaceRowsMax,
    isFollowed: busMode === 'kafka',
    createEngine: workerEngine({ arena, slots: allSlots, clock }),
    slotOf: feed.slotOf,
    clock,
    log,
    *onRows(changed) {
      spread.member?.published(changed)
      yield* records.published(changed, clock.now())
    },
    onWithheld: () => {
      spread.member?.withheld()
      records.withheld()
    },
  })
  const reads = new CooperativeReads(clock)
  const sizes = new SizedSurfaces(arena)
  stops.push(() => reads.stop())
  const records = new ArbitrageRecords(arbitrage.publication.rows, (record) =>
    bus.publish('arbitrageRecords', record.rowId, record),
  )
  stops.push(async () => {
    await arbitrage.stop()
    records.withheld()
  })
  // Unique per run: a process that restarts under the same name must not take its predecessor's place in the sequence.
  const memberId = `${config.gatewayId}.${Math.random().toString(36).slice(2, 8)}`
  const slugs = venues.map(({ manifest }) => manifest.slug)
  const status = await startVenueStatus(bus, slugs, clock)
  stops.push(() => status.stop())
  const { owners } = status
  const surface = await startSurfaceFeed({
    bus,
    feed,
    arbitrage,
    otherUsers: {
      needs: (venue, bookId) => companion.structures?.needs(venue, bookId) === true,
      flush: () => companion.structures?.flush(),
      slotsFreed: () => companion.structures?.slotsFreed(),
    },
    clock,
    demandId: `surface-${memberId}`,
    owners,
  })
  stops.push(() => surface.stop())
  let term = (): number | null => soleTerm
  if (busMode === 'kafka') {
    const sequencer = await startSequencer({
      bus,
      clock,
      log,
      memberId,
      lease: {
        hold: (id, seq) => holdSurfaceLease(pool, id, seq),
        release: (id) => releaseSurfaceLease(pool, id),
      },
      intervalMs,
      contracts,
      limit: surfaceRowsMax,
    })
    stops.push(() => sequencer.stop())
    term = () => sequencer.term()
    const member = await startSurfaceShard({
      bus,
      clock,
      log,
      memberId,
      arbitrage,
      surface,
      limit: surfaceRowsMax,
      term: () => sequencer.term(),
    })
    stops.push(() => member.stop())
    stops.push(
      await answerSizes(bus, log, memberId, async (size, query) => {
        const { surface: compiled, withheld } = arbitrage.publisher
        return compiled === null || withheld ? null : reads.read(arbitrageRowsAt(compiled, sizes, size, query))
      }),
    )
    spread.member = member
  }
  async function take(clusters: readonly ClusterInput[]): Promise<void> {
    if (spread.member !== null) {
      spread.member.setClusters(clusters)
      return
    }
    const dropped = await surface.setClusters(clusters)
    log.info({ clusters: clusters.length, dropped }, 'the surface has new clusters')
  }
  // An empty surface is published, too: its subscribers then know that there is nothing.
  await take([])
  const source = watchClusters({ pool, matches, venues, clock, log, onClusters: take })
  stops.push(() => source.stop())

  const structures = await startStructureFeeder({
    bus,
    feed,
    createEngine: structureEngine({ arena, slots: allSlots, clock }),
    clock,
    log,
    memberId,
    term,
    booksMax: structureBooksMax,
    booksChanged: () => surface.otherUsersChanged(),
  })
  companion.structures = structures
  stops.push(() => structures.stop())
  const structureSource = watchStructures({ pool, relations, venues, clock, log, onSets: structures.setSets })
  stops.push(() => structureSource.stop())

  const watchdog = watchSilence(status, surface, clock)
  stops.push(() => watchdog.cancel())

  const { publication, publisher } = arbitrage
  const rows = (): number => publication.rows.count
  metrics.gauge('arbitrage_rows', 'Rows of the surface computed here', [], () => [{ value: rows() }])
  metrics.gauge('arbitrage_withheld', '1 while rows computed here may not be shown', [], () => [
    { value: publisher.withheld ? 1 : 0 },
  ])
  metrics.counter('arbitrage_malformed_books', 'Updates of books that our encoder did not write', [], () => [
    { value: feed.malformed },
  ])
  metrics.counter('arbitrage_refused_books', 'Books that found no room in shared memory', [], () => [
    { value: feed.refused },
  ])
  metrics.counter('arbitrage_invalid_match_score', 'Rows dropped for an impossible match score', [], () => [
    { value: publication.counts.invalidMatchScore + (publisher.surface?.dropped.invalidMatchScore ?? 0) },
  ])
  metrics.gauge(
    'arbitrage_venues_left_out',
    'Members of clusters with more than ten venues that have no rows, and second markets of one venue',
    [],
    () => [{ value: publisher.surface?.dropped.members ?? 0 }],
  )
  metrics.gauge('structures', 'Current structures found here', [], () => [{ value: structures.rows }])
  return {
    view: busMode === 'kafka' ? null : viewOf(arbitrage, sizes, contracts, clock, reads),
    async stop() {
      for (const shut of stops.splice(0).reverse()) await shut()
    },
  }
}

const viewOf = (
  { publication, publisher }: Arbitrage,
  sizes: SizedSurfaces,
  contracts: number,
  clock: Clock,
  reads: CooperativeReads,
): SurfaceView => ({
  audience: publisher,
  contracts,
  rows: () =>
    publisher.withheld
      ? null
      : {
          rows: publication.rows,
          computedAt: publisher.computedAt,
          venuesLeftOut: publisher.surface?.dropped.members ?? null,
        },
  run: (read) => reads.read(read),
  async rowsAt(size, query) {
    const { surface, withheld } = publisher
    if (surface === null || withheld) return null
    const rows = await reads.read(arbitrageRowsAt(surface, sizes, size, query))
    return rows === null ? null : { rows, computedAt: clock.now() }
  },
})
