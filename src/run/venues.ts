// Creates the venues of this deployment: each manifest with the context for its functions.
import type { Config } from '#config'
import type { Clock } from '#lib/clock'
import type { Log } from '#lib/log'
import { createHttpClient, type OwnedHttpClient } from '#net/httpClient'
import { manifests } from '#venues/registry'
import { nodesOf } from '#venues/shared/evm'
import type { VenueContext, VenueManifest } from '#venues/venue'
import { type Budgets, openBudgets } from './budgets.ts'
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
  { clock, log, budgets = openBudgets(config) }: { clock: Clock; log: Log; budgets?: Budgets },
): RunningVenues {
  const abort = new AbortController()
  const clients: OwnedHttpClient[] = []
  const list = manifests
    .filter((manifest) => config.venues.includes(manifest.slug))
    .map((manifest) => {
      const { slug } = manifest
      const http = createHttpClient({ venue: slug, budgets: budgets(slug) })
      clients.push(http)
      const urls = Object.fromEntries(
        Object.entries(manifest.urls).map(([name, url]) => [name, config.venueSetting(slug, `${name}_URL`) ?? url]),
      )
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

/** Partial ones are rejected when the configuration is read. */
function credentialsOf({ slug, credentialNames }: VenueManifest, config: Config): Record<string, string> | null {
  const given = credentialNames.flatMap((name) => {
    const value = config.venueSetting(slug, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return given.length === 0 ? null : Object.fromEntries(given)
}
