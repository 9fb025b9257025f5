// Pascal's names for the catalog: symbols of an event and an outcome, 32 bytes at most.
import type { CatalogEvent, CatalogMarket } from '../catalog/catalogEvent.ts'
import type { GridName } from '../engine/grid.ts'

export interface PascalMarket {
  /** Engine id and catalog key. */
  key: string
  catalog: CatalogMarket
  event: PascalEvent
  symbol: string
  grid: GridName
}

export interface PascalEvent {
  catalog: CatalogEvent
  /** Prefix of its symbols. */
  code: string
  markets: PascalMarket[]
}

export interface PascalListing {
  events: PascalEvent[]
  markets: PascalMarket[]
  bySymbol: ReadonlyMap<string, PascalMarket>
}

export function listPascal(catalog: readonly CatalogEvent[]): PascalListing {
  const events = catalog.map((each) => {
    // The ordinal separates two of one series.
    const code = `${tidy(each.series[0].replace(/^KX/, '')).slice(0, 10)}_${each.ordinal}`
    const event: PascalEvent = { catalog: each, code, markets: [] }
    event.markets = each.markets.map((market) => ({
      key: market.key,
      catalog: market,
      event,
      symbol: `${code}.${tidy(market.code).slice(0, 12)}`,
      grid: market.grid === 'cent' ? 'cent' : 'milli',
    }))
    return event
  })
  const markets = events.flatMap((event) => event.markets)
  return { events, markets, bySymbol: new Map(markets.map((market) => [market.symbol, market])) }
}

const tidy = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]+/g, '_')
