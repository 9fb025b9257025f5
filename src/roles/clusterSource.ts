// Source of the surface's clusters: the matcher's last stored result, checked every few seconds and read in full after a new run.
import { isDeepStrictEqual } from 'node:util'
import type { ClusterInput } from '#arbitrage/cluster'
import { clusterInput, type SurfaceVenue } from '#arbitrage/pairsFromMatches'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { Market } from '#schemas/market'
import type { MarketRef, StoredCluster } from '#schemas/matches'
import { hasSyntheticBooks } from '#schemas/venues'
import { findMarketsByIds } from '#storage/postgres/catalog/findMarketsByIds'
import type { Pool, Queryable } from '#storage/postgres/pool'
import { checkPeriodically } from './periodicCheck.ts'
import type { RunningVenue } from './venues.ts'

const pollMs = 2_000
/** Fees and outcomes of a market may change although its matches do not. */
const refreshMs = 300_000
/** Parsed in one go, so that the event loop is never held for long. */
const marketsPerRead = 100

export interface ClusterSourceOptions {
  pool: Pool
  /** The matcher's storage. */
  matches: {
    /** Null before the first run. */
    latestRunId(pool: Pool): Promise<string | null>
    /** Page by page; returns the run they belong to. */
    readClusters(pool: Pool, take: (page: StoredCluster[], db: Queryable) => Promise<void>): Promise<string | null>
  }
  venues: readonly RunningVenue[]
  clock: Clock
  log: Log
  /** All clusters, when any of them has changed. An unchanged one is the same object as before. */
  onClusters(clusters: ClusterInput[]): Promise<void> | void
}

interface Found {
  input: ClusterInput
  score: number
}

export function watchClusters(options: ClusterSourceOptions): { stop(): void } {
  const { pool, matches, venues, clock, log, onClusters } = options
  const served = new Map<string, SurfaceVenue>(venues.map(({ manifest }) => [manifest.slug, surfaceVenue(manifest)]))
  let runId: string | null = null
  let takenAt = Number.NEGATIVE_INFINITY
  /** The last ones taken, by cluster id and in the order given. */
  let kept = new Map<string, Found>()
  let stopped = false

  async function look(): Promise<void> {
    const latest = await matches.latestRunId(pool)
    if (latest === null || (latest === runId && clock.monotonic() - takenAt < refreshMs)) return
    // Only the parts of a page that the surface needs are kept: markets with all their text would fill the memory and slow down
    // garbage collection.
    const found: Found[] = []
    const of = await matches.readClusters(pool, async (page, db) => {
      const markets = await marketsOf(db, page)
      const sources = {
        venueOf: (venue: string) => served.get(venue),
        marketOf: (venue: string, marketId: string) => markets.get(`${venue}:${marketId}`),
      }
      for (const cluster of page) {
        const now = { input: clusterInput(cluster, sources), score: bestScore(cluster) }
        const before = kept.get(cluster.clusterId)
        found.push(before !== undefined && isDeepStrictEqual(before, now) ? before : now)
      }
    })
    if (stopped) return
    runId = of
    takenAt = clock.monotonic()
    // When slots are short, the most certain pairs get them.
    found.sort((a, b) => b.score - a.score)
    const before = [...kept.values()]
    const same = found.length === before.length && found.every((cluster, i) => cluster === before[i])
    kept = new Map(found.map((cluster) => [cluster.input.clusterId, cluster]))
    if (same) return
    try {
      await onClusters(found.map(({ input }) => input))
    } catch (error) {
      // Passed on again with the next run or refresh, changed or not.
      kept = new Map()
      if (!stopped)
        log.error({ err: error }, 'failed to load the clusters of a run; the surface keeps the previous ones')
    }
  }

  const looks = checkPeriodically({
    clock,
    everyMs: pollMs,
    look,
    // The surface continues with the clusters it has.
    failed: (error) => log.warn({ err: error }, 'failed to read matches; retrying'),
  })
  return {
    stop() {
      stopped = true
      looks.stop()
    },
  }
}

const bestScore = ({ pairs }: StoredCluster): number =>
  pairs.reduce((best, { score }) => Math.max(best, score ?? -1), -1)

const surfaceVenue = ({ slug, data }: RunningVenue['manifest']): SurfaceVenue => ({
  data,
  synthetic: hasSyntheticBooks(slug),
})

async function marketsOf(db: Queryable, clusters: readonly StoredCluster[]): Promise<Map<string, Market>> {
  const refs = clusters.flatMap(({ members }): MarketRef[] => members)
  const markets = new Map<string, Market>()
  for (let from = 0; from < refs.length; from += marketsPerRead) {
    for (const { venue, id, doc } of await findMarketsByIds<Market>(db, refs.slice(from, from + marketsPerRead)))
      markets.set(`${venue}:${id}`, doc)
  }
  return markets
}
