// Opinion's names for the catalog: numbers of markets and of categorical heads, each with its own counter, slugs, and 77-digit tokens.
import type { CatalogEvent, CatalogMarket } from '../catalog/catalogEvent.ts'
import { slugify, tokenOf, uniqueSlug } from '../catalog/names.ts'
import type { GridName } from '../engine/grid.ts'

export interface OpinionMarket {
  /** Engine id and catalog key. */
  key: string
  catalog: CatalogMarket
  event: OpinionEvent
  id: number
  slug: string
  /** YES before NO; each has a book. */
  tokens: readonly [string, string]
  grid: GridName
}

export interface OpinionEvent {
  catalog: CatalogEvent
  /** A head's number, also when the event is a single market that has none. */
  id: number
  slug: string
  isCategorical: boolean
  markets: OpinionMarket[]
}

export interface OpinionListing {
  events: OpinionEvent[]
  markets: OpinionMarket[]
  byId: ReadonlyMap<string, OpinionMarket>
  headsById: ReadonlyMap<string, OpinionEvent>
  eventsBySlug: ReadonlyMap<string, OpinionEvent>
  byToken: ReadonlyMap<string, { market: OpinionMarket; side: 0 | 1 }>
}

/** Both counters begin here, so that a head and a market share a number. */
const firstId = 1_000

export function listOpinion(catalog: readonly CatalogEvent[]): OpinionListing {
  const taken = new Set<string>()
  const events: OpinionEvent[] = []
  const markets: OpinionMarket[] = []
  for (const each of catalog) {
    const slug = uniqueSlug(slugify(each.title), each.ordinal, taken)
    const event: OpinionEvent = {
      catalog: each,
      id: firstId + each.ordinal,
      slug,
      isCategorical: each.markets.length > 1,
      markets: [],
    }
    for (const market of each.markets) {
      const name = `opinion/${market.key}`
      event.markets.push({
        key: market.key,
        catalog: market,
        event,
        id: firstId + markets.length + event.markets.length,
        slug: event.isCategorical ? `${slug}-${slugify(market.label)}` : slug,
        tokens: [tokenOf(`${name}/yes`), tokenOf(`${name}/no`)],
        grid: market.grid,
      })
    }
    events.push(event)
    markets.push(...event.markets)
  }
  const heads = events.filter(({ isCategorical }) => isCategorical)
  return {
    events,
    markets,
    byId: new Map(markets.map((market) => [String(market.id), market])),
    headsById: new Map(heads.map((event) => [String(event.id), event])),
    eventsBySlug: new Map(events.map((event) => [event.slug, event])),
    byToken: new Map(
      markets.flatMap((market) => market.tokens.map((name, n) => [name, { market, side: n === 0 ? 0 : 1 }] as const)),
    ),
  }
}
