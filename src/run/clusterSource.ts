// Where the surface's clusters come from: what the matcher stored last, looked at every few seconds and taken whole when there is a new run.
import type { ClusterInput } from '#arbitrage/cluster'
import { clusterInput, type SurfaceVenue } from '#arbitrage/fromMatches'
import type { Clock } from '#lib/clock'
import type { Log } from '#lib/log'
import { inTurns } from '#lib/turns'
import type { Market } from '#schemas/market'
import type { MarketRef, StoredCluster } from '#schemas/matches'
import { venueCapabilities } from '#schemas/venues'
import { findMarketsByIds } from '#storage/postgres/catalog/findMarketsByIds'
import type { Pool } from '#storage/postgres/pool'
import type { RunningVenue } from './venues.ts'

const pollMs = 2_000
/** Fees and outcomes of a market may change although its matches do not. */
const refreshMs = 300_000
/** Parsed at once, so that the event loop is never held for long; so many clusters are put together in one go. */
const marketsPerRead = 100
const clustersPerTurn = 25

export interface ClusterSourceOptions {
  pool: Pool
  /** The matcher's storage. */
  matches: {
    /** Null before the first run. */
    latestRunId(pool: Pool): Promise<string | null>
    findClusters(pool: Pool): Promise<{ runId: string | null; clusters: StoredCluster[] }>
  }
  venues: readonly RunningVenue[]
  clock: Clock
  log: Log
  onClusters(clusters: ClusterInput[]): void
}

export function watchClusters(options: ClusterSourceOptions): { stop(): void } {
  const { pool, matches, venues, clock, log, onClusters } = options
  const served = new Map<string, SurfaceVenue>(venues.map(({ manifest }) => [manifest.slug, surfaceVenue(manifest)]))
  let runId: string | null = null
  let takenAt = Number.NEGATIVE_INFINITY
  let looking = false
  let failing = false
  let stopped = false

  async function look(): Promise<void> {
    const latest = await matches.latestRunId(pool)
    if (latest === null || (latest === runId && clock.now() - takenAt < refreshMs)) return
    const found = await matches.findClusters(pool)
    const markets = await marketsOf(pool, found.clusters)
    if (stopped) return
    runId = found.runId
    takenAt = clock.now()
    const sources = {
      venueOf: (venue: string) => served.get(venue),
      marketOf: (venue: string, marketId: string) => markets.get(`${venue}:${marketId}`),
    }
    // Where room is short the surest pairs have it.
    const scored = found.clusters.map((cluster) => ({ cluster, score: bestScore(cluster) }))
    const surestFirst = scored.sort((a, b) => b.score - a.score).map(({ cluster }) => cluster)
    const inputs: ClusterInput[] = []
    await inTurns(surestFirst, clustersPerTurn, (cluster) => inputs.push(clusterInput(cluster, sources)))
    if (!stopped) onClusters(inputs)
  }

  const poll = (): void => {
    if (looking || stopped) return
    looking = true
    look()
      .then(
        () => {
          failing = false
        },
        (error: unknown) => {
          // The surface goes on with the clusters it has.
          if (!failing && !stopped) log.warn({ err: error }, 'the matches cannot be read; still trying')
          failing = true
        },
      )
      .finally(() => {
        looking = false
      })
  }
  const timer = clock.every(pollMs, poll)
  poll()
  return {
    stop() {
      stopped = true
      timer.cancel()
    },
  }
}

const bestScore = ({ pairs }: StoredCluster): number =>
  pairs.reduce((best, { score }) => Math.max(best, score ?? -1), -1)

const capabilities: Readonly<Record<string, { book: string } | undefined>> = venueCapabilities

const surfaceVenue = ({ slug, data }: RunningVenue['manifest']): SurfaceVenue => ({
  data,
  synthetic: capabilities[slug]?.book === 'emulated',
})

async function marketsOf(pool: Pool, clusters: readonly StoredCluster[]): Promise<Map<string, Market>> {
  const refs = clusters.flatMap(({ members }): MarketRef[] => members)
  const markets = new Map<string, Market>()
  for (let from = 0; from < refs.length; from += marketsPerRead) {
    for (const { venue, id, doc } of await findMarketsByIds<Market>(pool, refs.slice(from, from + marketsPerRead)))
      markets.set(`${venue}:${id}`, doc)
  }
  return markets
}
