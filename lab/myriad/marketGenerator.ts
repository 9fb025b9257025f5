// Myriad's names for the catalog: networks, numbers, slugs; pools on two networks, order books on one of them, those of one question in an event.
import type { CatalogEvent, CatalogMarket } from '../catalog/catalogEvent.ts'
import type { GridName } from '../engine/grid.ts'
import { stableUuid } from '../prng.ts'

export interface MyriadMarket {
  /** Engine id and catalog key. */
  key: string
  catalog: CatalogMarket
  event: MyriadEvent
  networkId: 56 | 2741
  model: 'amm' | 'ob'
  /** Pools and order books are numbered separately. */
  id: number
  slug: string
  outcomeIndex: number
  grid: GridName
}

export interface MyriadEvent {
  catalog: CatalogEvent
  /** Null for a standalone market. */
  uuid: string | null
  slug: string
  markets: MyriadMarket[]
}

export interface MyriadListing {
  events: MyriadEvent[]
  markets: MyriadMarket[]
  /** By `56:ob:730`. */
  byName: ReadonlyMap<string, MyriadMarket>
}

/** One in this many standalone markets is a pool's. */
const poolEvery = 3

export const nameOf = ({ networkId, model, id }: MyriadMarket): string => `${networkId}:${model}:${id}`

export function listMyriad(catalog: readonly CatalogEvent[]): MyriadListing {
  let [alone, pools, books] = [0, 0, 0]
  const events = catalog.map((entry) => {
    const isGroup = entry.markets.length > 1
    const isPool = !isGroup && ++alone % poolEvery === 0
    const slug = `${words(entry.title)}-${entry.ordinal}`
    const uuid = isGroup ? stableUuid(`myriad/${entry.key}`) : null
    const event: MyriadEvent = { catalog: entry, uuid, slug, markets: [] }
    event.markets = entry.markets.map((market, outcomeIndex) => ({
      key: market.key,
      catalog: market,
      event,
      networkId: isPool && pools % 2 === 1 ? 2741 : 56,
      model: isPool ? 'amm' : 'ob',
      id: isPool ? ++pools : ++books,
      slug: isGroup ? `${slug}-${words(market.label)}` : slug,
      outcomeIndex,
      grid: 'cent',
    }))
    return event
  })
  const markets = events.flatMap((event) => event.markets)
  return { events, markets, byName: new Map(markets.map((market) => [nameOf(market), market])) }
}

const words = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80)
