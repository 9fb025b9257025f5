// Xo's names for the catalog: numbers of markets and outcomes, and a token for each outcome.
import type { CatalogEvent, CatalogMarket } from '../catalog/catalogEvent.ts'
import { tokenOf } from '../catalog/names.ts'
import type { GridName } from '../engine/grid.ts'

export interface XoMarket {
  /** Engine id and catalog key. */
  key: string
  catalog: CatalogMarket
  event: CatalogEvent
  id: number
  /** The first is the engine's YES. */
  tokens: readonly [string, string]
  /** Some have null names, like the venue's up/down markets. */
  isNamed: boolean
  grid: GridName
}

export interface XoListing {
  markets: XoMarket[]
  byId: ReadonlyMap<number, XoMarket>
  byToken: ReadonlyMap<string, XoMarket>
}

const firstId = 2_000
const marketsPerEvent = 100

export function listXo(catalog: readonly CatalogEvent[]): XoListing {
  const markets = catalog.flatMap((event) =>
    event.markets.map((market, n): XoMarket => {
      const id = firstId + event.ordinal * marketsPerEvent + n
      return {
        key: market.key,
        catalog: market,
        event,
        id,
        tokens: [tokenOf(`xo/token/${id}/0`), tokenOf(`xo/token/${id}/1`)],
        isNamed: event.ordinal % 5 !== 4,
        grid: market.grid === 'cent' ? 'cent' : 'milli',
      }
    }),
  )
  return {
    markets,
    byId: new Map(markets.map((market) => [market.id, market])),
    byToken: new Map(markets.flatMap((market) => market.tokens.map((token) => [token, market]))),
  }
}
