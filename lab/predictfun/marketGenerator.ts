// Predictfun's names for the catalog: slugs of categories, numbers of markets, 77-digit tokens.
import type { CatalogEvent, CatalogMarket } from '../catalog/catalogEvent.ts'
import { slugify, tokenOf, uniqueSlug } from '../catalog/names.ts'
import type { GridName } from '../engine/grid.ts'

export interface PredictMarket {
  /** Engine id and catalog key. */
  key: string
  catalog: CatalogMarket
  category: PredictCategory
  id: number
  /** Of index sets 1 and 2. */
  tokens: readonly [string, string]
  grid: GridName
}

export interface PredictCategory {
  catalog: CatalogEvent
  id: number
  slug: string
  markets: PredictMarket[]
}

export interface PredictListing {
  categories: PredictCategory[]
  markets: PredictMarket[]
  byId: ReadonlyMap<string, PredictMarket>
  bySlug: ReadonlyMap<string, PredictCategory>
}

const firstMarketId = 1_700_001
const firstCategoryId = 405_001

export function listPredict(catalog: readonly CatalogEvent[]): PredictListing {
  const taken = new Set<string>()
  const categories: PredictCategory[] = []
  const markets: PredictMarket[] = []
  for (const each of catalog) {
    const category: PredictCategory = {
      catalog: each,
      id: firstCategoryId + each.ordinal,
      slug: uniqueSlug(slugify(each.title, 120), each.ordinal, taken),
      markets: [],
    }
    for (const market of each.markets) {
      const name = `predictfun/${market.key}`
      category.markets.push({
        key: market.key,
        catalog: market,
        category,
        id: firstMarketId + markets.length + category.markets.length,
        tokens: [tokenOf(`${name}/1`), tokenOf(`${name}/2`)],
        grid: market.grid,
      })
    }
    categories.push(category)
    markets.push(...category.markets)
  }
  return {
    categories,
    markets,
    byId: new Map(markets.map((market) => [String(market.id), market])),
    bySlug: new Map(categories.map((category) => [category.slug, category])),
  }
}
