// Operators' overrides of pairs: set, withdrawn and read, never changed. The last one of a pair applies.
import type { Queryable } from '../pool.ts'

export interface OverrideSide {
  venue: string
  marketId: string
}

export interface NewOverride {
  a: OverrideSide
  b: OverrideSide
  action: 'pin' | 'forbid' | 'withdraw'
  /** For a pin. */
  polarity: 'same' | 'inverse' | null
  reason: string
  setBy: string
}

export interface OverrideCommand extends NewOverride {
  id: string
  setAt: Date
  /** The last one of its pair. */
  last: boolean
}

interface OverrideRow {
  id: string
  a_venue: string
  a_market_id: string
  b_venue: string
  b_market_id: string
  action: NewOverride['action']
  polarity: NewOverride['polarity']
  reason: string
  said_by: string
  said_at: Date
  last: boolean
}

/** Sides of a pair in stored order: the smaller venue first. Pairs span two venues. */
export const inPairOrder = (a: OverrideSide, b: OverrideSide): [OverrideSide, OverrideSide] =>
  a.venue < b.venue ? [a, b] : [b, a]

const sides = ({ a, b }: Pick<NewOverride, 'a' | 'b'>): string[] => {
  const [first, second] = inPairOrder(a, b)
  return [first.venue, first.marketId, second.venue, second.marketId]
}

export async function insertOverride(db: Queryable, word: NewOverride): Promise<OverrideCommand> {
  const { rows } = await db.query<OverrideRow>(
    `INSERT INTO match_overrides (a_venue, a_market_id, b_venue, b_market_id, action, polarity, reason, said_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING *, true AS last`,
    [...sides(word), word.action, word.polarity, word.reason, word.setBy],
  )
  return wordOf(rows[0]!)
}

/** The override that applies to a pair now; null if there is none or the last one withdrew the others. */
export async function findActiveOverride(
  db: Queryable,
  pair: Pick<NewOverride, 'a' | 'b'>,
): Promise<OverrideCommand | null> {
  const { rows } = await db.query<OverrideRow>(
    `SELECT *, true AS last FROM match_overrides
     WHERE (a_venue, a_market_id, b_venue, b_market_id) = ($1, $2, $3, $4) ORDER BY id DESC LIMIT 1`,
    sides(pair),
  )
  const [row] = rows
  return row === undefined || row.action === 'withdraw' ? null : wordOf(row)
}

/** Every pin and forbid that applies, with the id of the last one read: a greater one was set later. */
export async function findActiveOverrides(db: Queryable): Promise<{ words: OverrideCommand[]; lastId: string }> {
  const { rows } = await db.query<OverrideRow>(
    `SELECT DISTINCT ON (a_venue, a_market_id, b_venue, b_market_id) *, true AS last FROM match_overrides
     ORDER BY a_venue, a_market_id, b_venue, b_market_id, id DESC`,
  )
  const lastId = rows.reduce((last, row) => (BigInt(row.id) > last ? BigInt(row.id) : last), 0n)
  return { words: rows.filter((row) => row.action !== 'withdraw').map(wordOf), lastId: String(lastId) }
}

/** Every override ever set, pair by pair and oldest first. */
export async function listOverrides(db: Queryable): Promise<OverrideCommand[]> {
  const { rows } = await db.query<OverrideRow>(
    `SELECT *, id = max(id) OVER (PARTITION BY a_venue, a_market_id, b_venue, b_market_id) AS last
     FROM match_overrides ORDER BY a_venue, a_market_id, b_venue, b_market_id, id`,
  )
  return rows.map(wordOf)
}

/**
 * Whether an operator set an override or decided on a template pair that the last run had not read. Cheap enough to query every
 * second.
 */
export async function hasNewOverride(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ due: boolean }>(
    `SELECT coalesce((SELECT max(id) FROM match_overrides), 0) > coalesce((SELECT override_id FROM match_state), 0)
       OR coalesce((SELECT max(id) FROM match_template_decisions), 0)
         > coalesce((SELECT template_decision_id FROM match_state), 0) AS due`,
  )
  return rows[0]!.due
}

const wordOf = (row: OverrideRow): OverrideCommand => ({
  id: row.id,
  a: { venue: row.a_venue, marketId: row.a_market_id },
  b: { venue: row.b_venue, marketId: row.b_market_id },
  action: row.action,
  polarity: row.polarity,
  reason: row.reason,
  setBy: row.said_by,
  setAt: row.said_at,
  last: row.last,
})
