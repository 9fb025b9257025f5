// Source of the market sets that structures are searched in: the relations of the matcher's last run, and the catalog's and venues' data on
// the related markets. Checked every few seconds; irrelevant markets are not read.

import type { Relation } from '#arbitrage/structures/index'
import { type FactSources, type StructureVenue, structureFacts } from '#arbitrage/structures/marketFacts'
import { linkedMarkets, type StructureSets, structureSets } from '#arbitrage/structures/sets'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { Market } from '#schemas/market'
import { hasSyntheticBooks, type VenueSlug } from '#schemas/venues'
import { findMarketsByIds } from '#storage/postgres/catalog/findMarketsByIds'
import type { Pool } from '#storage/postgres/pool'
import { checkPeriodically } from './periodicCheck.ts'
import type { RunningVenue } from './venues.ts'

const pollMs = 2_000
/** Fees, sizes and states of a market may change although its relations do not. */
const refreshMs = 60_000
/** Parsed in one go, so that the event loop is never held for long. */
const marketsPerRead = 100

export interface StructureSourceOptions {
  pool: Pool
  relations: {
    /** Null before the first run. */
    latestRunId(pool: Pool): Promise<string | null>
    readRelations(pool: Pool): Promise<{ runId: string | null; relations: Relation[] }>
  }
  venues: readonly Pick<RunningVenue, 'manifest'>[]
  clock: Clock
  log: Log
  onSets(sets: StructureSets): void
}

export function watchStructures(options: StructureSourceOptions): { stop(): void } {
  const { pool, relations, venues, clock, log, onSets } = options
  const served = new Map<string, StructureVenue>(
    venues.map(({ manifest: { slug, data } }) => [slug, { data, synthetic: hasSyntheticBooks(slug) }]),
  )
  let runId: string | null = null
  let known: readonly Relation[] = []
  let takenAt = Number.NEGATIVE_INFINITY
  let stopped = false

  async function look(): Promise<void> {
    const latest = await relations.latestRunId(pool)
    if (latest === null || (latest === runId && clock.monotonic() - takenAt < refreshMs)) return
    if (latest !== runId) {
      const read = await relations.readRelations(pool)
      known = read.relations
      // Only set once its markets are read, too: otherwise the next check reads them again.
      takenAt = Number.NEGATIVE_INFINITY
      runId = read.runId
    }
    const markets = await marketsOf(
      pool,
      linkedMarkets(known).sets.flatMap(({ markets }) => markets),
    )
    if (stopped) return
    takenAt = clock.monotonic()
    const sources: FactSources = { venueOf: (venue) => served.get(venue), marketOf: (key) => markets.get(key) }
    onSets(structureSets(known, (key) => structureFacts(key, sources)))
  }

  const looks = checkPeriodically({
    clock,
    everyMs: pollMs,
    look,
    // The search continues with the markets it has.
    failed: (error) => log.warn({ err: error }, 'failed to read relations between markets; retrying'),
  })
  return {
    stop() {
      stopped = true
      looks.stop()
    },
  }
}

async function marketsOf(pool: Pool, keys: readonly string[]): Promise<Map<string, Market>> {
  const refs = keys.map((key) => {
    const colon = key.indexOf(':')
    return { venue: key.slice(0, colon) as VenueSlug, marketId: key.slice(colon + 1) }
  })
  const markets = new Map<string, Market>()
  for (let from = 0; from < refs.length; from += marketsPerRead)
    for (const { venue, id, doc } of await findMarketsByIds<Market>(pool, refs.slice(from, from + marketsPerRead)))
      markets.set(`${venue}:${id}`, doc)
  return markets
}
