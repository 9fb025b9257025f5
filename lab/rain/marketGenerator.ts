// Rain's names for the catalog: a pool's contract and database id, its options counted from 1.
import type { CatalogEvent, CatalogMarket } from '../catalog/catalogEvent.ts'
import type { GridName } from '../engine/grid.ts'
import { digestHex } from '../prng.ts'

export interface RainOption {
  /** Engine id and catalog key. */
  key: string
  catalog: CatalogMarket
  pool: RainPool
  option: number
  grid: GridName
}

export interface RainPool {
  catalog: CatalogEvent
  id: string
  address: string
  options: RainOption[]
}

export interface RainListing {
  pools: RainPool[]
  options: RainOption[]
  /** By lower-case address. */
  byAddress: ReadonlyMap<string, RainPool>
  byId: ReadonlyMap<string, RainPool>
}

export function listRain(catalog: readonly CatalogEvent[]): RainListing {
  const pools = catalog.map((event): RainPool => {
    const digest = digestHex(`rain/pool/${event.key}`)
    const pool: RainPool = {
      catalog: event,
      id: digest.slice(0, 24),
      address: `0x${digest.slice(24, 64)}`,
      options: [],
    }
    pool.options = event.markets.map((market, n) => ({
      key: market.key,
      catalog: market,
      pool,
      option: n + 1,
      grid: 'milli',
    }))
    return pool
  })
  return {
    pools,
    options: pools.flatMap(({ options }) => options),
    byAddress: new Map(pools.map((pool) => [pool.address, pool])),
    byId: new Map(pools.map((pool) => [pool.id, pool])),
  }
}
