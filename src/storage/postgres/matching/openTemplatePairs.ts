// Template pairs without a decision, as of the last run: written with it, read in the order of their value.
import type { Queryable } from '../pool.ts'
import { yesPrice } from './findPairs.ts'

/** As a run reports it. */
export interface OpenTemplatePairRow {
  key: string
  /** Sorted. */
  a: string
  b: string
  slots: { placeholder: string; kind: string; a: string; b: string }[]
  /** A few pairs of market keys that reduce to it: the market with the first text first. */
  examples: { a: string; b: string }[]
  /** Number of market pairs that reduce to it. */
  pairs: number
}

export interface ValuedTemplatePair extends OpenTemplatePairRow {
  /** Of the examples, projected to all pairs, in the venues' own units; null: no venue reports it. */
  openInterest: number | null
  /** Largest difference of Yes prices among the examples, probability; null: no pair has both prices. */
  edge: number | null
  /** What the list is sorted by: dollars that the difference of prices moves, roughly. */
  value: number
}

/** Kept of a run: the most valuable ones. */
export const openTemplatePairsMax = 500

export const stagingOpenTemplatePairs = `
  CREATE TEMP TABLE new_open_template_pairs (key text COLLATE "C" PRIMARY KEY, a text, b text, slots jsonb, examples jsonb,
    pairs integer) ON COMMIT DROP`

export const stageOpenTemplatePairs = `
  INSERT INTO new_open_template_pairs (key, a, b, slots, examples, pairs)
    SELECT key, a, b, slots, examples, pairs
    FROM jsonb_to_recordset($1::jsonb) AS given (key text, a text, b text, slots jsonb, examples jsonb, pairs integer)
  ON CONFLICT (key) DO NOTHING`

/** A market by its key, looked up one by one: joined as a set, the whole catalog may be read. */
const marketOf = (key: string): string => `LEFT JOIN LATERAL (
    SELECT coalesce((m.doc->>'openInterest')::float8, (m.doc->>'liquidity')::float8) AS interest, ${yesPrice('m.doc')} AS price
    FROM catalog_markets m
    WHERE m.venue = split_part(${key}, ':', 1) AND m.id = substr(${key}, strpos(${key}, ':') + 1) LIMIT 1)`

/** Two digits are enough to sort by, and change less often. */
const rounded = (number: string): string =>
  `CASE WHEN ${number} > 0 THEN round((${number})::numeric, 1 - floor(log(${number}))::integer)::float8 ELSE ${number} END`

/** Unknown open interest counts as one contract, an unknown or small difference of prices as one cent. */
const valued = `
  SELECT n.key, n.a, n.b, n.slots, n.examples, n.pairs, ${rounded('v.interest * n.pairs')} AS open_interest, v.edge,
    ${rounded('v.worth * n.pairs')} AS value
  FROM new_open_template_pairs n
  CROSS JOIN LATERAL (
    SELECT avg(least(x.interest, y.interest)) AS interest, round(max(abs(x.price - y.price))::numeric, 2)::float8 AS edge,
      coalesce(avg(greatest(least(x.interest, y.interest), 1) * greatest(abs(x.price - y.price), 0.01)), 0.01) AS worth
    FROM jsonb_array_elements(n.examples) AS shown(example)
    ${marketOf(`(example->>'a')`)} x ON true
    ${marketOf(`(example->>'b')`)} y ON true) v`

export const mergingOpenTemplatePairs = `
  WITH kept AS MATERIALIZED (SELECT * FROM (${valued}) all_pairs ORDER BY value DESC, key LIMIT ${openTemplatePairsMax}),
  gone AS (DELETE FROM match_open_template_pairs o WHERE NOT EXISTS (SELECT FROM kept k WHERE k.key = o.key))
  INSERT INTO match_open_template_pairs (key, a, b, slots, examples, pairs, open_interest, edge, value, digest)
    SELECT k.key, k.a, k.b, k.slots, k.examples, k.pairs, k.open_interest, k.edge, k.value, sha256(convert_to(to_jsonb(k)::text, 'UTF8'))
    FROM kept k
  ON CONFLICT (key) DO UPDATE SET a = excluded.a, b = excluded.b, slots = excluded.slots, examples = excluded.examples,
    pairs = excluded.pairs, open_interest = excluded.open_interest, edge = excluded.edge, value = excluded.value,
    digest = excluded.digest, updated_at = now()
  WHERE match_open_template_pairs.digest <> excluded.digest`

interface ValuedRow extends OpenTemplatePairRow {
  open_interest: number | null
  edge: number | null
  value: number
}

const columns = 'o.key, o.a, o.b, o.slots, o.examples, o.pairs, o.open_interest, o.edge, o.value'

/** A decision counts at once, although the list is renewed by the next run only. */
const isOpen = `'decide' IS DISTINCT FROM (
  SELECT d.action FROM match_template_decisions d WHERE d.key = o.key ORDER BY d.id DESC LIMIT 1)`

/** The most valuable first. */
export async function listOpenTemplatePairs(db: Queryable, limit: number): Promise<ValuedTemplatePair[]> {
  const { rows } = await db.query<ValuedRow>(
    `SELECT ${columns} FROM match_open_template_pairs o WHERE ${isOpen} ORDER BY o.value DESC, o.key LIMIT $1`,
    [limit],
  )
  return rows.map(pairOf)
}

export async function countOpenTemplatePairs(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM match_open_template_pairs o WHERE ${isOpen}`,
  )
  return rows[0]!.count
}

/** Also one that was decided since the last run. */
export async function findOpenTemplatePair(db: Queryable, key: string): Promise<ValuedTemplatePair | null> {
  const { rows } = await db.query<ValuedRow>(`SELECT ${columns} FROM match_open_template_pairs o WHERE o.key = $1`, [
    key,
  ])
  return rows[0] === undefined ? null : pairOf(rows[0])
}

const pairOf = ({ open_interest, ...row }: ValuedRow): ValuedTemplatePair => ({ ...row, openInterest: open_interest })
