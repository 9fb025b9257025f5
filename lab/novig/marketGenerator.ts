// Novig's names for the catalog: a UUID for each event, market and outcome.
import type { CatalogEvent, CatalogMarket } from '../catalog/catalogEvent.ts'
import type { GridName } from '../engine/grid.ts'
import { stableUuid } from '../prng.ts'

export interface NovigMarket {
  /** Engine id and catalog key. */
  key: string
  catalog: CatalogMarket
  event: NovigEvent
  id: string
  /** The first is the engine's YES. */
  outcomes: readonly [string, string]
  /** Every price in cents is on the venue's grid. */
  grid: GridName
}

export interface NovigEvent {
  catalog: CatalogEvent
  id: string
  markets: NovigMarket[]
}

export interface NovigListing {
  events: NovigEvent[]
  markets: NovigMarket[]
  byOutcome: ReadonlyMap<string, NovigMarket>
}

export function listNovig(catalog: readonly CatalogEvent[]): NovigListing {
  const events = catalog.map((each) => {
    const event: NovigEvent = { catalog: each, id: stableUuid(`novig/event/${each.key}`), markets: [] }
    event.markets = each.markets.map((market) => ({
      key: market.key,
      catalog: market,
      event,
      id: stableUuid(`novig/market/${market.key}`),
      outcomes: [stableUuid(`novig/outcome/${market.key}/0`), stableUuid(`novig/outcome/${market.key}/1`)],
      grid: 'cent',
    }))
    return event
  })
  const markets = events.flatMap((event) => event.markets)
  return {
    events,
    markets,
    byOutcome: new Map(markets.flatMap((market) => market.outcomes.map((id) => [id, market]))),
  }
}
