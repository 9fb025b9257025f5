// Creates the venues of this deployment: each manifest with the context for its functions.
import type { Config } from '#config'
import type { Clock } from '#lib/clock'
import type { Log } from '#lib/log'
import { createHttpClient, type OwnedHttpClient } from '#net/httpClient'
import { manifests } from '#venues/registry'
import { nodesOf } from '#venues/shared/evm'
import type { VenueContext, VenueManifest } from '#venues/venue'
import { type Budgets, openBudgets } from './budgets.ts'
import type { Metrics } from './metrics.ts'
import { sayWrongNodes } from './nodes.ts'

export interface RunningVenue {
  manifest: VenueManifest
  context: VenueContext
}

export interface RunningVenues {
  list: RunningVenue[]
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
  const losses = new Losses()
  if (metrics !== null) losses.measure(metrics)
  const list = manifests
    .filter((manifest) => config.venues.includes(manifest.slug))
    .map((manifest) => {
      const { slug } = manifest
      const http = createHttpClient({ venue: slug, budgets: budgets(slug), contactUrl: config.contactUrl })
      clients.push(http)
      const urls = urlsOf(manifest, config)
      const { chainTrades, optionPrices } = manifest.data
      const chainId = (chainTrades ?? optionPrices?.chain)?.chainId
      const node = chainId === undefined ? undefined : config.venueSetting(slug, 'RPC_URL')
      const context: VenueContext = {
        venue: slug,
        http,
        clock,
        log: log.child({ venue: slug }),
        urls: node === undefined ? urls : { ...urls, RPC: node },
        credentials: credentialsOf(manifest, config),
        signal: abort.signal,
        leftOut: (rows) => losses.rows(slug, rows),
        lostField: (field) => losses.field(slug, field),
      }
      if (node !== undefined) {
        void sayWrongNodes(nodesOf(context, slug, chainId!), context.log, abort.signal)
      }
      return { manifest, context }
    })
  return {
    list,
    abort: () => abort.abort(),
    async close() {
      abort.abort()
      await Promise.all(clients.map((client) => client.close()))
    },
  }
}

/** Different fields counted by name for each venue; the names are those of our own schemas. */
const fieldsMax = 500

/** What could not be read of the venues' answers, since the process started. */
class Losses {
  private readonly unreadable = new Map<string, number>()
  private readonly fields = new Map<string, Map<string, number>>()

  rows(venue: string, count: number): void {
    this.unreadable.set(venue, (this.unreadable.get(venue) ?? 0) + count)
  }

  field(venue: string, name: string): void {
    const counts = this.fields.get(venue) ?? new Map<string, number>()
    this.fields.set(venue, counts)
    const field = counts.has(name) || counts.size < fieldsMax ? name : 'other'
    counts.set(field, (counts.get(field) ?? 0) + 1)
  }

  measure(metrics: Pick<Metrics, 'counter'>): void {
    metrics.counter('venue_rows_unreadable', 'Rows of a venue that could not be read', ['venue'], () =>
      [...this.unreadable].map(([venue, value]) => ({ labels: { venue }, value })),
    )
    metrics.counter('venue_fields_unreadable', 'Fields of rows that had an unexpected form', ['venue', 'field'], () =>
      [...this.fields].flatMap(([venue, counts]) =>
        [...counts].map(([field, value]) => ({ labels: { venue, field }, value })),
      ),
    )
  }
}

/** Base addresses by the names of the manifest, each as configured or the venue's own. */
export const urlsOf = ({ slug, urls }: VenueManifest, config: Pick<Config, 'venueSetting'>): Record<string, string> =>
  Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, config.venueSetting(slug, `${name}_URL`) ?? url]))

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
