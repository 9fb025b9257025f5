// Compared pairs as requested by readers: those of some markets, or the best ones. Forbidden pairs and markets that no longer trade are
// left out.
import type { MatchRelation } from '#schemas/matches'
import { Parameters } from '../catalog/selection.ts'
import type { Queryable } from '../pool.ts'
import { type MatchPairRow, pairColumns } from './matchRow.ts'

/** A pair with the last known price of each side's Yes, probability; null if unknown. */
export interface PricedPairRow extends MatchPairRow {
  a_price: number | null
  b_price: number | null
  /** Price difference for the same answer; null if either is unknown. */
  difference: number | null
}

export interface PairSelection {
  /** From a to b; with `of`, from the other market to the requested one. */
  relations: readonly MatchRelation[]
  /** 0 to 100. */
  minScore: number
  /** Both sides are on one of these. */
  venues: readonly string[]
  /** Only pairs of these markets. */
  of?: readonly { venue: string; marketId: string }[]
  /** Over the titles of both sides, as a tsquery: one of them matches. */
  titleQuery?: string
  /** Of one side, case-folded like the catalog. */
  category?: string
  /** Minimum difference of the two prices, probability. */
  minDifference?: number
  sort: 'confidence' | 'volume' | 'priceDifference'
  limit: number
}

/** Highest-scored pairs considered under other sort orders: none of the rest has a higher score. */
export const pairsScannedMax = 5_000

const orders: Readonly<Record<PairSelection['sort'], string>> = {
  confidence: 'p.score DESC NULLS LAST, p.a_venue, p.a_market_id, p.b_venue, p.b_market_id',
  // Ranks are minus the volume, infinite if unknown.
  volume: `nullif(a.volume_rank, 'Infinity') + nullif(b.volume_rank, 'Infinity') ASC NULLS LAST,
    p.a_venue, p.a_market_id, p.b_venue, p.b_market_id`,
  priceDifference: 'difference DESC NULLS LAST, p.a_venue, p.a_market_id, p.b_venue, p.b_market_id',
}

/** Of the outcome called Yes, else of the first. */
export const yesPrice = (doc: string): string => `(
  SELECT (o.value->>'price')::float8 FROM jsonb_array_elements(${doc}->'outcomes') WITH ORDINALITY AS o(value, place)
  ORDER BY lower(o.value->>'label') = 'yes' DESC, place LIMIT 1)`

export async function findPairs(db: Queryable, selection: PairSelection): Promise<PricedPairRow[]> {
  const parameters = new Parameters()
  const { rows } = await db.query<PricedPairRow>(
    `SELECT ${pairColumns
      .split(', ')
      .map((column) => `p.${column}`)
      .join(', ')}, prices.a_price, prices.b_price, prices.difference
     FROM (${candidates(selection, parameters)}) p
     JOIN catalog_markets a ON a.venue = p.a_venue AND a.id = p.a_market_id
     JOIN catalog_markets b ON b.venue = p.b_venue AND b.id = p.b_market_id
     CROSS JOIN LATERAL (SELECT ${yesPrice('a.doc')} AS a_price, ${yesPrice('b.doc')} AS b_price OFFSET 0) yes
     CROSS JOIN LATERAL (SELECT yes.a_price, yes.b_price,
       abs(yes.a_price - CASE p.polarity WHEN 'inverse' THEN 1 - yes.b_price ELSE yes.b_price END) AS difference) prices
     ${selection.minDifference === undefined ? '' : `WHERE prices.difference >= ${parameters.add(selection.minDifference, 'float8')}`}
     ORDER BY ${orders[selection.sort]}
     LIMIT ${parameters.add(selection.limit, 'bigint')}`,
    parameters.values,
  )
  return rows
}

function candidates(selection: PairSelection, parameters: Parameters): string {
  const { relations, minScore, venues, of, titleQuery, category } = selection
  const served = parameters.add(venues, 'text[]')
  const conditions = [
    `c.override IS DISTINCT FROM 'forbidden'`,
    `${of === undefined ? 'c.relation' : 'c.seen'} = ANY(${parameters.add(relations, 'text[]')})`,
    `coalesce(c.score, 0) >= ${parameters.add(minScore, 'float8')}`,
    `c.a_venue = ANY(${served})`,
    `c.b_venue = ANY(${served})`,
    'x.active AND y.active',
  ]
  if (category !== undefined) {
    const named = parameters.add(category, 'text')
    conditions.push(`(x.category = ${named} OR y.category = ${named})`)
  }
  if (titleQuery !== undefined) {
    const query = parameters.add(titleQuery, 'tsquery')
    const titleMatches = `SELECT w.venue, w.id FROM catalog_titles w WHERE w.kind = 'm' AND w.title @@ ${query}`
    conditions.push(
      `((c.a_venue, c.a_market_id) IN (${titleMatches}) OR (c.b_venue, c.b_market_id) IN (${titleMatches}))`,
    )
  }
  return `SELECT c.* FROM ${of === undefined ? 'match_pairs' : pairsOf(of, parameters)} c
    JOIN catalog_markets x ON x.venue = c.a_venue AND x.id = c.a_market_id
    JOIN catalog_markets y ON y.venue = c.b_venue AND y.id = c.b_market_id
    WHERE ${conditions.join(' AND ')}
    ORDER BY c.score DESC NULLS LAST, c.a_venue, c.a_market_id, c.b_venue, c.b_market_id
    LIMIT ${selection.sort === 'confidence' && selection.minDifference === undefined ? parameters.add(selection.limit, 'bigint') : pairsScannedMax}`
}

/** By either side's index. If both sides are requested, b is the other one. */
function pairsOf(markets: NonNullable<PairSelection['of']>, parameters: Parameters): string {
  const venues = parameters.add(
    markets.map(({ venue }) => venue),
    'text[]',
  )
  const ids = parameters.add(
    markets.map(({ marketId }) => marketId),
    'text[]',
  )
  const requested = `unnest(${venues}, ${ids}) AS q(venue, id)`
  return `(
    SELECT m.*, CASE m.relation WHEN 'subset' THEN 'superset' WHEN 'superset' THEN 'subset' ELSE m.relation END AS seen
    FROM ${requested} JOIN match_pairs m ON m.a_venue = q.venue AND m.a_market_id = q.id
    UNION ALL
    SELECT m.*, m.relation AS seen FROM ${requested} JOIN match_pairs m ON m.b_venue = q.venue AND m.b_market_id = q.id
    WHERE NOT EXISTS (SELECT FROM unnest(${venues}, ${ids}) AS o(venue, id) WHERE o.venue = m.a_venue AND o.id = m.a_market_id))`
}
