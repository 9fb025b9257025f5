// Predictstreet's names for the catalog: slugs and UUIDs of events and markets, the symbols that books are requested by, token ids.
import type { CatalogEvent, CatalogMarket } from '../catalog/catalogEvent.ts'
import { tokenOf } from '../catalog/names.ts'
import type { GridName } from '../engine/grid.ts'
import { digestHex, stableUuid } from '../prng.ts'

export interface StreetMarket {
  /** Engine id and catalog key. */
  key: string
  catalog: CatalogMarket
  event: StreetEvent
  id: string
  symbol: string
  slug: string
  conditionId: string
  questionId: string
  /** YES before NO. */
  tokens: readonly [string, string]
  grid: GridName
}

export interface StreetEvent {
  catalog: CatalogEvent
  id: string
  slug: string
  markets: StreetMarket[]
}

export interface StreetListing {
  events: StreetEvent[]
  markets: StreetMarket[]
  bySymbol: ReadonlyMap<string, StreetMarket>
  bySlug: ReadonlyMap<string, StreetMarket>
}

export function listPredictStreet(catalog: readonly CatalogEvent[], seed: string): StreetListing {
  const events = catalog.map((event) => listEvent(event, seed))
  const markets = events.flatMap((event) => event.markets)
  return {
    events,
    markets,
    bySymbol: new Map(markets.map((market) => [market.symbol, market])),
    bySlug: new Map(markets.map((market) => [market.slug, market])),
  }
}

function listEvent(catalog: CatalogEvent, seed: string): StreetEvent {
  const name = `${seed}/predictstreet/${catalog.key}`
  const event: StreetEvent = {
    catalog,
    id: stableUuid(name),
    slug: `${words(catalog.title)}-${catalog.ordinal}`,
    markets: [],
  }
  const day = new Date(catalog.endMs).toISOString().slice(0, 10).replaceAll('-', '')
  event.markets = catalog.markets.map((market, n) => ({
    key: market.key,
    catalog: market,
    event,
    id: stableUuid(`${name}/${n}`),
    symbol: `E${catalog.ordinal}-${words(market.code).toUpperCase()}-${n}-${day}`,
    slug: `${event.slug}-${words(market.label)}-${n}`,
    conditionId: `0x${digestHex(`${name}/${n}/condition`)}`,
    questionId: `0x${digestHex(`${name}/${n}/question`)}`,
    tokens: [tokenOf(`${name}/${n}/yes`), tokenOf(`${name}/${n}/no`)],
    grid: 'cent',
  }))
  return event
}

const words = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80)
