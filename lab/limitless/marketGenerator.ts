// Limitless' names for the catalog: slugs ending in the creation time, a pair of tokens for a CLOB, an address for a pool. A question with several
// answers is a group of markets.
import type { CatalogEvent, CatalogMarket } from '../catalog/catalogEvent.ts'
import type { GridName } from '../engine/grid.ts'
import { digestHex } from '../prng.ts'

export interface LimitlessMarket {
  /** Engine id and catalog key. */
  key: string
  catalog: CatalogMarket
  event: LimitlessEvent
  id: number
  slug: string
  tokens: { yes: string; no: string }
  conditionId: string
  /** Of its pool; null when it has a book. */
  pool: string | null
  /** Takers pay their fee in USDC through this contract; null where buyers pay it in shares. */
  feeModule: string | null
  /** The venue has a single step. */
  grid: GridName
}

export interface LimitlessEvent {
  catalog: CatalogEvent
  id: number
  /** Its only market's, when it is not a group. */
  slug: string
  isGroup: boolean
  markets: LimitlessMarket[]
}

export interface LimitlessListing {
  events: LimitlessEvent[]
  markets: LimitlessMarket[]
  eventBySlug: ReadonlyMap<string, LimitlessEvent>
  /** By slug, and by the address of a pool. */
  byName: ReadonlyMap<string, LimitlessMarket>
}

export function listLimitless(catalog: readonly CatalogEvent[]): LimitlessListing {
  let alone = 0
  const events = catalog.map((event) => {
    const isGroup = event.markets.length > 1
    return listEvent(event, !isGroup && ++alone % poolEvery === 0)
  })
  const markets = events.flatMap((event) => event.markets)
  return {
    events,
    markets,
    eventBySlug: new Map(events.map((event) => [event.slug, event])),
    byName: new Map(
      markets.flatMap((market) => [market.slug, market.pool ?? market.slug].map((name) => [name, market] as const)),
    ),
  }
}

/** One event in this many is of the kind whose takers pay in USDC. */
const feeModuleEvery = 4
const feeModules = {
  single: `0x${digestHex('limitless/fee-module/single').slice(0, 40)}`,
  group: `0x${digestHex('limitless/fee-module/group').slice(0, 40)}`,
}
/** Markets per event. */
const marketsMax = 100
/** One in this many standalone markets is a pool's. */
const poolEvery = 3

function listEvent(catalog: CatalogEvent, isPool: boolean): LimitlessEvent {
  const isGroup = catalog.markets.length > 1
  const id = 100_000 + catalog.ordinal * marketsMax
  const event: LimitlessEvent = {
    catalog,
    id,
    slug: slugOf(catalog.title, catalog.createdMs + id),
    isGroup,
    markets: [],
  }
  event.markets = catalog.markets.map((market, n) => ({
    key: market.key,
    catalog: market,
    event,
    id: id + n + 1,
    slug: isGroup ? slugOf(market.label, catalog.createdMs + id + n + 1) : event.slug,
    tokens: { yes: tokenOf(market.key, 'yes'), no: tokenOf(market.key, 'no') },
    conditionId: `0x${digestHex(`limitless/condition/${market.key}`).slice(0, 64)}`,
    feeModule:
      isPool || catalog.ordinal % feeModuleEvery !== feeModuleEvery - 1
        ? null
        : isGroup
          ? feeModules.group
          : feeModules.single,
    pool: isPool ? `0x${digestHex(`limitless/pool/${market.key}`).slice(0, 40)}` : null,
    grid: 'milli',
  }))
  return event
}

/** No two items were created in the same millisecond. */
const slugOf = (text: string, createdMs: number): string =>
  `${text
    .toLowerCase()
    .replaceAll('$', 'dollar')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 120)}-${createdMs}`

const tokenOf = (key: string, side: string): string =>
  BigInt(`0x7${digestHex(`limitless/token/${key}/${side}`).slice(0, 63)}`).toString()
