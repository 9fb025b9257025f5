// Observes the prices of verified pairs between runs, and returns the pairs whose band is lowered because their prices have differed for an hour.
import type { Clock } from '#core/clock'
import { type Demotions, pairKeyOf } from '#matching/decide/priceReview/demote'
import { excessOf, type PriceGap, stepGap } from '#matching/decide/priceReview/priceGap'
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

export class PriceReview {
  private readonly pool: Pool
  private readonly clock: Pick<Clock, 'now' | 'monotonic'>
  private observedAt = Number.NEGATIVE_INFINITY

  constructor(pool: Pool, clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.pool = pool
    this.clock = clock
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
    for (const pair of page) {
      const row = known.get(pairKeyOf(pair))
      const before = row === undefined ? null : gapOf(row)
      const excess = excessOf({ bid: pair.a_bid, ask: pair.a_ask }, { bid: pair.b_bid, ask: pair.b_ask }, pair.polarity)
      const gap = stepGap(before, excess, now)
      if (gap === before) continue
      if (gap === null) gone.push(sidesOf(pair))
      else changed.push({ ...sidesOf(pair), ...storedOf(gap) })
    }
    await writePriceGaps(this.pool, changed)
    await deletePriceGaps(this.pool, gone)
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
