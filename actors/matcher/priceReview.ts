// Observes the prices of verified pairs between runs, and returns the pairs whose band is lowered because their prices have differed for an hour
// by more than the spreads and the taker fees of both markets.
import { takerFeeAt } from '#arbitrage/takerFee'
import type { Clock } from '#core/clock'
import { type Demotions, pairKeyOf } from '#matching/decide/priceReview/demote'
import { oppositePurchases, type PriceGap, stepGap } from '#matching/decide/priceReview/priceGap'
import type { FeeModel } from '#schemas/fees'
import type { Market } from '#schemas/market'
import { findMarketsByIds } from '#storage/postgres/catalog/findMarketsByIds'
import {
  deleteGonePriceGaps,
  deletePriceGaps,
  findQuotedPairs,
  findWalkedVenues,
  listPriceGaps,
  type PairSides,
  type QuotedPair,
  type StoredPriceGap,
  writePriceGaps,
} from '#storage/postgres/matching/index'
import type { Pool } from '#storage/postgres/pool'

const everyMs = 5 * 60_000
/** Quotes of a venue whose list was not read for this long are not compared. */
const walkedWithinMs = 15 * 60_000
const pairsPerRead = 500

/** What a taker pays in a market, by its venue's own schedule. */
export type FeeOf = (venue: string, market: Pick<Market, 'sourceMetadata'>) => FeeModel

export class PriceReview {
  private readonly pool: Pool
  private readonly clock: Pick<Clock, 'now' | 'monotonic'>
  private readonly feeOf: FeeOf
  private observedAt = Number.NEGATIVE_INFINITY

  constructor(pool: Pool, clock: Pick<Clock, 'now' | 'monotonic'>, feeOf: FeeOf) {
    this.pool = pool
    this.clock = clock
    this.feeOf = feeOf
  }

  /** Observes at most every five minutes. */
  async demotions(): Promise<Demotions> {
    const { pool, clock } = this
    if (clock.monotonic() - this.observedAt >= everyMs) {
      await this.observe()
      this.observedAt = clock.monotonic()
    }
    const demoted = (await listPriceGaps(pool)).filter(({ demoted_at }) => demoted_at !== null)
    return new Map(demoted.map((row) => [pairKeyOf(row), row.since.getTime()]))
  }

  private async observe(): Promise<void> {
    const { pool } = this
    const now = this.clock.now()
    await deleteGonePriceGaps(pool)
    const known = new Map((await listPriceGaps(pool)).map((row) => [pairKeyOf(row), row]))
    const venues = await findWalkedVenues(pool, now - walkedWithinMs)
    for (let after: PairSides | null = null; ; ) {
      const page: QuotedPair[] = await findQuotedPairs(pool, venues, after, pairsPerRead)
      await this.record(page, known, now)
      if (page.length < pairsPerRead) return
      after = page.at(-1)!
    }
  }

  private async record(
    page: readonly QuotedPair[],
    known: ReadonlyMap<string, StoredPriceGap>,
    now: number,
  ): Promise<void> {
    const changed: StoredPriceGap[] = []
    const gone: PairSides[] = []
    const excesses = await this.excessesOf(page)
    for (const [at, pair] of page.entries()) {
      const row = known.get(pairKeyOf(pair))
      const before = row === undefined ? null : gapOf(row)
      const excess = excesses[at]!
      const gap = stepGap(before, excess, now)
      if (gap === before) continue
      if (gap === null) gone.push(sidesOf(pair))
      else changed.push({ ...sidesOf(pair), ...storedOf(gap) })
    }
    await writePriceGaps(this.pool, changed)
    await deletePriceGaps(this.pool, gone)
  }

  /** By how much prices differ beyond spreads and fees; null: unknown. Markets are read only where the spreads do not explain the difference. */
  private async excessesOf(page: readonly QuotedPair[]): Promise<(number | null)[]> {
    const purchases = page.map(({ a_bid, a_ask, b_bid, b_ask, polarity }) =>
      oppositePurchases({ bid: a_bid, ask: a_ask }, { bid: b_bid, ask: b_ask }, polarity),
    )
    const differing = page.filter((_, at) => (purchases[at]?.gain ?? 0) > 0)
    const refs = differing.flatMap((pair) => [
      { venue: pair.a_venue, marketId: pair.a_market_id },
      { venue: pair.b_venue, marketId: pair.b_market_id },
    ])
    const found = await findMarketsByIds<Market>(this.pool, refs)
    const fees = new Map(found.map(({ venue, id, doc }) => [`${venue}:${id}`, this.feeOf(venue, doc)]))
    return page.map((pair, at) => {
      const bought = purchases[at]!
      if (bought === null || bought.gain <= 0) return bought?.gain ?? null
      const a = fees.get(`${pair.a_venue}:${pair.a_market_id}`)
      const b = fees.get(`${pair.b_venue}:${pair.b_market_id}`)
      if (a === undefined || b === undefined) return null
      return bought.gain - takerFeeAt(a, bought.a) - takerFeeAt(b, bought.b)
    })
  }
}

const sidesOf = ({ a_venue, a_market_id, b_venue, b_market_id }: PairSides): PairSides => {
  return { a_venue, a_market_id, b_venue, b_market_id }
}

const gapOf = ({ since, seen_at, excess, demoted_at }: StoredPriceGap): PriceGap => ({
  since: since.getTime(),
  seenAt: seen_at.getTime(),
  excess,
  demotedAt: demoted_at?.getTime() ?? null,
})

const storedOf = ({ since, seenAt, excess, demotedAt }: PriceGap): Omit<StoredPriceGap, keyof PairSides> => ({
  since: new Date(since),
  seen_at: new Date(seenAt),
  excess,
  demoted_at: demotedAt === null ? null : new Date(demotedAt),
})
