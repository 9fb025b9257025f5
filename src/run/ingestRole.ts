// The ingest role: one supervised actor per venue, told by gateways what is wanted and by the catalog what is always taped.

import { type Ingest, type IngestCounters, spawnIngest } from '#actors/ingest/ingestActor'
import { keepPins, type Pins } from '#actors/ingest/pins'
import { polledBooksMax } from '#actors/ingest/polling'
import { start, stop } from '#actors/system'
import { createPostgresCatalog } from '#catalog/postgresCatalog'
import type { Config } from '#config'
import type { Clock } from '#lib/clock'
import type { Log } from '#lib/log'
import { openSocket } from '#net/socket'
import type { Bus } from '#storage/bus/bus'
import type { Pool } from '#storage/postgres/pool'
import { defaultRequestsPerSecond } from '#venues/venue'
import type { Metrics } from './metrics.ts'
import type { RunningVenue } from './venues.ts'

export interface IngestRole {
  /** The catalog of a venue has changed: look again at what is to be taped. */
  catalogChanged(venue: string): void
  stop(): Promise<void>
}

export interface IngestRoleOptions {
  config: Config
  bus: Bus
  pool: Pool
  venues: readonly RunningVenue[]
  metrics: Metrics
  clock: Clock
  log: Log
}

export async function runIngest({
  config,
  bus,
  pool,
  venues,
  metrics,
  clock,
  log,
}: IngestRoleOptions): Promise<IngestRole> {
  const system = start()
  const catalog = createPostgresCatalog(pool, { clock })
  const ingests = new Map<string, Ingest>()
  const pins = new Map<string, Pins>()
  for (const { manifest, context } of venues) {
    const ingest = spawnIngest(system, {
      venue: manifest,
      context,
      bus,
      clock,
      log,
      openSocket,
      random: Math.random,
      tickMs: config.tickMs,
      idleUnwatchMs: config.idleUnwatchMs,
      bookSnapshotMs: config.bookSnapshotMs,
      epoch: clock.now(),
    })
    ingests.set(manifest.slug, ingest)
    const pin = (bookIds: readonly string[]): void => ingest.actor.tell({ kind: 'pin', bookIds })
    const { data } = manifest
    const isPolled = data.stream === undefined || data.stream.connect(context) === null
    const booksMax = isPolled ? polledBooksMax(data, data.requestsPerSecond ?? defaultRequestsPerSecond) : Infinity
    const limit = config.pinnedMarkets
    pins.set(manifest.slug, keepPins({ venue: manifest, catalog, limit, booksMax, clock, log, pin }))
  }
  const unsubscribe = await bus.subscribe('demand', ({ venue, gatewayId, marketIds, purpose, near }) =>
    ingests.get(venue)?.actor.tell({ kind: 'demand', gatewayId, marketIds, purpose, near }),
  )
  const counter = (name: keyof IngestCounters) => () =>
    [...ingests].map(([venue, { counters }]) => ({ labels: { venue }, value: counters()[name] }))
  metrics.gauge('ingest_frames', 'Venue frames received', ['venue'], counter('frames'))
  metrics.gauge('ingest_malformed', 'Venue frames that fit nothing we know', ['venue'], counter('malformed'))
  metrics.gauge('ingest_books_published', 'Books handed to the bus', ['venue'], counter('published'))
  metrics.gauge('ingest_resyncs', 'Snapshots asked for after a book broke', ['venue'], counter('resyncs'))
  metrics.gauge(
    'ingest_tape_rows_lost',
    'Tape rows lost because the bus took none for too long',
    ['venue'],
    counter('tapeRowsLost'),
  )
  metrics.gauge('ingest_stale_books', 'Watched books that are not live', ['venue'], () =>
    [...ingests].map(([venue, ingest]) => ({ labels: { venue }, value: ingest.health().staleBooks })),
  )
  return {
    catalogChanged: (venue) => pins.get(venue)?.refresh(),
    async stop() {
      await unsubscribe()
      for (const keeper of pins.values()) keeper.stop()
      await Promise.all([...ingests.values()].map((ingest) => ingest.stop()))
      stop(system)
    },
  }
}
