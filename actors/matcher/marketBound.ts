// Limits the markets that the matcher compares, each of which takes some 9 KB of its memory: of each venue the most active ones. Venues
// with few markets are compared completely; the others get equal numbers. The cutoffs are kept between full runs, since markets near them
// would otherwise enter and leave their clusters with every change of their volume.
import type { Log } from '#core/log'
import { type Cutoff, countActiveMarkets, countMarketsUpTo, findCutoff } from '#storage/postgres/matching/index'
import type { Pool } from '#storage/postgres/pool'

export interface MarketBoundOptions {
  pool: Pool
  venues: readonly string[]
  /** Of all venues together. */
  marketsMax: number
  log: Log
}

export class MarketBound {
  /** Active markets that are not compared. */
  leftOut = 0
  private readonly cutoffs = new Map<string, Cutoff>()
  private readonly options: MarketBoundOptions

  constructor(options: MarketBoundOptions) {
    this.options = options
  }

  /** Null: all markets of the venue are compared. */
  cutoff(venue: string): Cutoff | null {
    return this.cutoffs.get(venue) ?? null
  }

  /** Before each run; `renew`: the bound may move although the markets within it are not too many. */
  async review(renew: boolean): Promise<void> {
    const { pool, venues, marketsMax } = this.options
    const counts = await countActiveMarkets(pool, venues)
    const total = sum(counts.values())
    if (total <= marketsMax) {
      this.cutoffs.clear()
      this.leftOut = 0
      return
    }
    const within = renew || this.cutoffs.size === 0 ? Number.POSITIVE_INFINITY : await this.countWithin(counts)
    if (within > marketsMax) await this.cut(counts)
    else this.leftOut = total - within
  }

  private async countWithin(counts: ReadonlyMap<string, number>): Promise<number> {
    let within = 0
    for (const [venue, count] of counts) {
      const cutoff = this.cutoffs.get(venue)
      within += cutoff === undefined ? count : await countMarketsUpTo(this.options.pool, venue, cutoff)
    }
    return within
  }

  private async cut(counts: ReadonlyMap<string, number>): Promise<void> {
    const { pool, marketsMax, log } = this.options
    const share = equalShare([...counts.values()], marketsMax)
    this.cutoffs.clear()
    this.leftOut = 0
    for (const [venue, count] of counts) {
      if (count <= share) continue
      const cutoff = await findCutoff(pool, venue, share)
      if (cutoff !== null) this.cutoffs.set(venue, cutoff)
      this.leftOut += count - share
    }
    log.warn(
      { leftOut: this.leftOut, marketsMax, perVenue: share },
      'the catalog has more markets than the matcher compares: CROSSBOOK_MATCHER_MARKETS',
    )
  }
}

/** The largest number that, as a limit for each, keeps the sum within `max`. */
export function equalShare(counts: readonly number[], max: number): number {
  let left = max
  const sorted = [...counts].sort((a, b) => a - b)
  for (const [at, count] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - at))
    if (count > share) return share
    left -= count
  }
  return Number.POSITIVE_INFINITY
}

const sum = (values: Iterable<number>): number => {
  let total = 0
  for (const value of values) total += value
  return total
}
