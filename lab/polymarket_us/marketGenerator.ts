// Polymarket_us's names for the catalog: slugs of events and markets, numeric ids, the tick of each market.
import type { CatalogEvent, CatalogMarket } from '../catalog/catalogEvent.ts'
import { slugify, uniqueSlug } from '../catalog/names.ts'
import type { GridName } from '../engine/grid.ts'

export interface UsMarket {
  /** Engine id and catalog key. */
  key: string
  catalog: CatalogMarket
  event: UsEvent
  id: number
  slug: string
  grid: GridName
}

export interface UsEvent {
  catalog: CatalogEvent
  id: number
  slug: string
  markets: UsMarket[]
}

export interface UsListing {
  events: UsEvent[]
  markets: UsMarket[]
  bySlug: ReadonlyMap<string, UsMarket>
}

export function listPolymarketUs(catalog: readonly CatalogEvent[]): UsListing {
  const taken = new Set<string>()
  const events = catalog.map((event) => listEvent(event, taken))
  const markets = events.flatMap((event) => event.markets)
  return { events, markets, bySlug: new Map(markets.map((market) => [market.slug, market])) }
}

function listEvent(catalog: CatalogEvent, taken: Set<string>): UsEvent {
  const event: UsEvent = {
    catalog,
    id: 700 + catalog.ordinal,
    slug: uniqueSlug(slugify(catalog.title), catalog.ordinal, taken),
    markets: [],
  }
  event.markets = catalog.markets.map((market, n) => ({
    key: market.key,
    catalog: market,
    event,
    id: 9_000 + catalog.ordinal * 20 + n,
    slug: uniqueSlug(slugify(market.question), catalog.ordinal, taken),
    grid: market.grid === 'cent' ? 'cent' : 'milli',
  }))
  return event
}
