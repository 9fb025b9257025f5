// Creates the venues of this deployment: each manifest with the context for its functions.
import type { Config } from '#config'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { createHttpClient, type OwnedHttpClient } from '#net/httpClient'
import { manifests } from '#venues/registry'
import { hasNodes, nodesOf } from '#venues/shared/evm'
import { readChainId, type VenueManifest } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'
import { type Budgets, openBudgets } from './budgets.ts'
import type { Metrics } from './metrics.ts'
import { warnMisconfiguredNodes } from './nodes.ts'
import { VenueDrift } from './venueDrift.ts'

export interface RunningVenue {
  manifest: VenueManifest
  context: VenueContext
}

export interface RunningVenues {
  list: RunningVenue[]
  /** How their answers differ from what is known of them. */
  drift: VenueDrift
  /** Aborts all requests to venues: stopping never waits for a silent venue. */
  abort(): void
  close(): Promise<void>
}

export function openVenues(
  config: Config,
  {
    clock,
    log,
    budgets = openBudgets(config),
    metrics = null,
  }: { clock: Clock; log: Log; budgets?: Budgets; metrics?: Pick<Metrics, 'counter'> | null },
): RunningVenues {
  const abort = new AbortController()
  const clients: OwnedHttpClient[] = []
  const drift = new VenueDrift({ clock, log })
  const rowsLost = new Map<string, number>()
  if (metrics !== null) {
    drift.measure(metrics)
    metrics.counter('venue_rows_unreadable', 'Rows of a venue that could not be read', ['venue'], () =>
      [...rowsLost].map(([venue, value]) => ({ labels: { venue }, value })),
    )
  }
  const list = manifests
    .filter((manifest) => config.venues.includes(manifest.slug))
    .map((manifest) => {
      const { slug } = manifest
      const http = createHttpClient({ venue: slug, budgets: budgets(slug), contactUrl: config.contactUrl })
      clients.push(http)
      const urls = venueUrls(manifest, config)
      const context: VenueContext = {
        venue: slug,
        http,
        clock,
        log: log.child({ venue: slug }),
        urls,
        credentials: credentialsOf(manifest, config),
        signal: abort.signal,
        leftOut: (rows) => void rowsLost.set(slug, (rowsLost.get(slug) ?? 0) + rows),
        lostField: (field) => drift.note(slug, field, 'unreadable'),
      }
      const chainId = readChainId(manifest)
      if (chainId !== undefined && hasNodes(context)) {
        void warnMisconfiguredNodes(nodesOf(context, slug, chainId), context.log, abort.signal)
      }
      return { manifest, context }
    })
  return {
    list,
    drift,
    abort: () => abort.abort(),
    async close() {
      abort.abort()
      await Promise.all(clients.map((client) => client.close()))
    },
  }
}

/** Base addresses by the names of the manifest, each as configured or the venue's own, and `RPC`: the configured nodes of a chain that it reads. */
export function venueUrls(manifest: VenueManifest, config: Pick<Config, 'venueSetting'>): Record<string, string> {
  const { slug, urls } = manifest
  const own = Object.entries(urls).map(([name, url]) => [name, config.venueSetting(slug, `${name}_URL`) ?? url])
  const nodes = readChainId(manifest) === undefined ? undefined : config.venueSetting(slug, 'RPC_URL')
  return { ...Object.fromEntries(own), ...(nodes === undefined ? {} : { RPC: nodes }) }
}

/** Partial ones are rejected when the configuration is read. */
export function credentialsOf(
  { slug, credentialNames }: VenueManifest,
  config: Pick<Config, 'venueSetting'>,
): Record<string, string> | null {
  const given = credentialNames.flatMap((name) => {
    const value = config.venueSetting(slug, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return given.length === 0 ? null : Object.fromEntries(given)
}
