// Pairs that the last run demoted because their prices differ, with their quotes now.
import { priceDifferenceKind } from '#schemas/matches'
import type { Queryable } from '../pool.ts'
import { type PairSides, type QuotedPair, type StoredPriceGap, withQuotes } from './priceGaps.ts'

export interface DemotedPair extends QuotedPair, StoredPriceGap {
  demoted_at: Date
}

/** Where a page ended. */
export interface DemotedPairPosition extends PairSides {
  /** ISO. */
  demoted_at: string
}

const sides = (table: string): string =>
  `(${table}.a_venue, ${table}.a_market_id, ${table}.b_venue, ${table}.b_market_id)`

/** An override counts at once, although the pairs are renewed by the next run only. */
const isOverridden = `(SELECT o.action <> 'withdraw' FROM match_overrides o
  WHERE ${sides('o')} = ${sides('g')} ORDER BY o.id DESC LIMIT 1)`

/** Those that no operator has pinned or forbidden, the last demoted first. */
export async function findDemotedPairs(
  db: Queryable,
  after: DemotedPairPosition | null,
  limit: number,
): Promise<DemotedPair[]> {
  const { rows } = await db.query<DemotedPair>(
    withQuotes(
      `SELECT g.*, p.polarity FROM match_price_gaps g JOIN match_pairs p ON ${sides('p')} = ${sides('g')}
       WHERE g.demoted_at IS NOT NULL AND p.differences @> $1 AND ${isOverridden} IS NOT TRUE
         AND ($2::timestamptz IS NULL OR g.demoted_at < $2
           OR (g.demoted_at = $2 AND ${sides('g')} > ($3, $4, $5, $6)))
       ORDER BY g.demoted_at DESC, g.a_venue, g.a_market_id, g.b_venue, g.b_market_id LIMIT $7`,
      'p.since, p.seen_at, p.excess, p.demoted_at',
      'p.demoted_at DESC, ',
    ),
    [
      JSON.stringify([{ kind: priceDifferenceKind }]),
      after?.demoted_at ?? null,
      after?.a_venue ?? '',
      after?.a_market_id ?? '',
      after?.b_venue ?? '',
      after?.b_market_id ?? '',
      limit,
    ],
  )
  return rows
}

/** The polarity of a pair whose prices differ, also if an operator has decided on it since; null: there is no such pair. */
export async function findDemotedPolarity(db: Queryable, pair: PairSides): Promise<QuotedPair['polarity'] | null> {
  const { rows } = await db.query<Pick<QuotedPair, 'polarity'>>(
    `SELECT p.polarity FROM match_price_gaps g JOIN match_pairs p ON ${sides('p')} = ${sides('g')}
     WHERE g.demoted_at IS NOT NULL AND ${sides('g')} = ($1, $2, $3, $4)`,
    [pair.a_venue, pair.a_market_id, pair.b_venue, pair.b_market_id],
  )
  return rows[0]?.polarity ?? null
}
