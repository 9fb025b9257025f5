// Pred's names for the catalog: a parent for each event, a child for each of its markets, both bytes32.
import type { CatalogEvent, CatalogMarket } from '../catalog/catalogEvent.ts'
import type { GridName } from '../engine/grid.ts'
import { digestHex } from '../prng.ts'

export interface PredChild {
  /** Engine id and catalog key. */
  key: string
  catalog: CatalogMarket
  parent: PredParent
  id: string
  grid: GridName
}

export interface PredParent {
  catalog: CatalogEvent
  id: string
  contract: string
  children: PredChild[]
}

export interface PredListing {
  parents: PredParent[]
  children: PredChild[]
  byParent: ReadonlyMap<string, PredParent>
  byChild: ReadonlyMap<string, PredChild>
}

export function listPred(catalog: readonly CatalogEvent[], seed: string): PredListing {
  const parents = catalog.map((event) => listParent(event, seed))
  const children = parents.flatMap((parent) => parent.children)
  return {
    parents,
    children,
    byParent: new Map(parents.map((parent) => [parent.id, parent])),
    byChild: new Map(children.map((child) => [child.id, child])),
  }
}

function listParent(catalog: CatalogEvent, seed: string): PredParent {
  const name = `${seed}/pred/${catalog.key}`
  const contract = `0x${digestHex(`${name}/contract`).slice(0, 40)}`
  const parent: PredParent = { catalog, id: `0x${digestHex(name)}`, contract, children: [] }
  parent.children = catalog.markets.map((market, n) => ({
    key: market.key,
    catalog: market,
    parent,
    id: `0x${digestHex(`${name}/${n}`)}`,
    grid: 'cent',
  }))
  return parent
}
