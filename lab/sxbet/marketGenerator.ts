// Sxbet's names for the catalog: fixtures, hashes of markets, leagues and sports. A question that is not a game is a tournament in which
// each outcome competes against the field.
import type { CatalogEvent, CatalogMarket } from '../catalog/catalogEvent.ts'
import type { GridName } from '../engine/grid.ts'
import { digestHex } from '../prng.ts'

export interface SxbetMarket {
  /** Engine id and catalog key. */
  key: string
  catalog: CatalogMarket
  event: SxbetEvent
  /** Increases through the listing; unique per market. */
  ordinal: number
  marketHash: string
  /** Cents are all on the venue's ladder of 0.00125. */
  grid: GridName
}

export interface SxbetEvent {
  catalog: CatalogEvent
  /** `L18000042`: the fixture. */
  sportXeventId: string
  sportId: number
  leagueId: number
  isGame: boolean
  markets: SxbetMarket[]
}

export interface SxbetListing {
  events: SxbetEvent[]
  markets: SxbetMarket[]
  byHash: ReadonlyMap<string, SxbetMarket>
}

const firstFixture = 18_000_000
const firstLeague = 200

export function listSxbet(catalog: readonly CatalogEvent[]): SxbetListing {
  const leagues = new Map<string, number>()
  const sports = new Map<string, number>()
  const numberIn = (numbers: Map<string, number>, name: string): number => {
    const number = numbers.get(name) ?? numbers.size
    numbers.set(name, number)
    return number
  }
  const events = catalog.map((entry) => {
    const event: SxbetEvent = {
      catalog: entry,
      sportXeventId: `L${firstFixture + entry.ordinal}`,
      sportId: 1 + numberIn(sports, entry.category),
      leagueId: firstLeague + numberIn(leagues, entry.series[1]),
      isGame: entry.markets.length === 1 && entry.markets[0]!.opposite !== 'No',
      markets: [],
    }
    event.markets = entry.markets.map((market) => ({
      key: market.key,
      catalog: market,
      event,
      ordinal: 0,
      marketHash: `0x${digestHex(`sxbet/${market.key}`)}`,
      grid: 'cent',
    }))
    return event
  })
  // The venue lists by market: those of one fixture are not adjacent.
  const markets = events.flatMap((event) => event.markets).sort((a, b) => (a.marketHash < b.marketHash ? -1 : 1))
  for (const [ordinal, market] of markets.entries()) market.ordinal = ordinal
  return { events, markets, byHash: new Map(markets.map((market) => [market.marketHash, market])) }
}
