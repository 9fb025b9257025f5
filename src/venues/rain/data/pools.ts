// Pools in which orders may rest, and the block that created each: before it there is nothing to look for. The list is long and changes slowly, so it
// is cached for a while; the block does not change, and is cached for good.
import type { ChainNode } from '#net/chainNode'
import type { HttpClient } from '#net/http'
import { unreadable } from '../../shared/data/rest.ts'
import type { Hex } from '../../shared/exec/typedOrder.ts'
import type { VenueContext } from '../../venueContext.ts'
import { isPool } from '../ids.ts'
import { RainPool } from '../wire.ts'
import { poolPages } from './endpoints.ts'
import { decimalsOf, statusOf } from './normalize.ts'

export interface LivePool {
  /** As listed by the venue: its markets are named by it. */
  address: Hex
  /** Of its base token; null when the row does not say. */
  decimals: number | null
  /** The transaction that created it; null when the row does not say. */
  madeBy: string | null
}

interface Known {
  pools: Promise<LivePool[]> | null
  /** Monotonic. */
  untilMs: number
  /** By address. */
  bornAt: Map<string, number>
}

const keptMs = 300_000
/** The cache outlives the single call that a context is made for. */
const known = new WeakMap<HttpClient, Known>()

function knownOf({ http }: Pick<VenueContext, 'http'>): Known {
  const found = known.get(http) ?? { pools: null, untilMs: 0, bornAt: new Map() }
  known.set(http, found)
  return found
}

/** Those that have not ended. */
export function livePools(context: VenueContext): Promise<LivePool[]> {
  const mine = knownOf(context)
  const now = context.clock.monotonic()
  if (mine.pools !== null && now < mine.untilMs) return mine.pools
  const reading = readPools(context)
  mine.pools = reading
  mine.untilMs = now + keptMs
  // A failed read is retried.
  reading.catch(() => {
    if (mine.pools === reading) mine.pools = null
  })
  return reading
}

async function readPools(context: VenueContext): Promise<LivePool[]> {
  const pools: LivePool[] = []
  for await (const rows of poolPages(context)) {
    for (const row of rows) {
      const { data } = RainPool.safeParse(row)
      // An order may rest in a pool that cannot be read.
      if (data === undefined || !isPool(data.contractAddress))
        throw unreadable(context, '/pools/public-pools', 'a pool')
      if (statusOf(data) === 'resolved') continue
      const { contractAddress, poolTrxHash } = data
      pools.push({ address: contractAddress as Hex, decimals: decimalsOf(data), madeBy: poolTrxHash ?? null })
    }
  }
  return pools
}

/** Throws NETWORK_ERROR when unknown. */
export async function createdAt(context: VenueContext, node: ChainNode, pool: LivePool): Promise<number> {
  const { bornAt: births } = knownOf(context)
  const before = births.get(pool.address)
  if (before !== undefined) return before
  const receipt = pool.madeBy === null ? null : await node.receipt(pool.madeBy)
  if (receipt === null)
    throw unreadable(context, '/pools/public-pools', `the creation block of ${pool.address} is unknown`)
  births.set(pool.address, receipt.blockNumber)
  return receipt.blockNumber
}
