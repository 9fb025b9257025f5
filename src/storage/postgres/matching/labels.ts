// Labels that operators gave to sampled pairs: inserted and read, never changed. The last label of a pair counts.
import type { Queryable } from '../pool.ts'
import { inPairOrder, type OverrideSide } from './overrides.ts'

/** A side with the words it had when it was shown. */
export interface LabelledSide extends OverrideSide {
  /** As read by the matcher. */
  words: unknown
}

export interface NewLabel {
  a: LabelledSide
  b: LabelledSide
  verdict: 'confirm' | 'forbid'
  /** The matcher's verdict then. */
  polarity: 'same' | 'inverse'
  /** 0 to 100; null if it gave none. */
  score: number | null
  /** Template that parsed the first side; null if none did. */
  frame: string | null
  reason: string
  labelledBy: string
}

export interface StoredLabel extends NewLabel {
  labelledAt: Date
}

export async function insertLabel(db: Queryable, label: NewLabel): Promise<void> {
  const [first] = inPairOrder(label.a, label.b)
  const [a, b] = first === label.a ? [label.a, label.b] : [label.b, label.a]
  await db.query(
    `INSERT INTO match_labels (a_venue, a_market_id, b_venue, b_market_id, verdict, polarity, score, frame, a, b, reason, said_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      a.venue,
      a.marketId,
      b.venue,
      b.marketId,
      label.verdict,
      label.polarity,
      label.score,
      label.frame,
      JSON.stringify(a.words),
      JSON.stringify(b.words),
      label.reason,
      label.labelledBy,
    ],
  )
}

interface LabelRow {
  a_venue: string
  a_market_id: string
  b_venue: string
  b_market_id: string
  verdict: 'confirm' | 'forbid'
  polarity: 'same' | 'inverse'
  score: number | null
  frame: string | null
  a: unknown
  b: unknown
  reason: string
  said_by: string
  said_at: Date
}

/** The last of each pair, by pair. */
export async function listLabels(db: Queryable): Promise<StoredLabel[]> {
  const { rows } = await db.query<LabelRow>(
    `SELECT DISTINCT ON (a_venue, a_market_id, b_venue, b_market_id) * FROM match_labels
     ORDER BY a_venue, a_market_id, b_venue, b_market_id, id DESC`,
  )
  return rows.map((row) => ({
    a: { venue: row.a_venue, marketId: row.a_market_id, words: row.a },
    b: { venue: row.b_venue, marketId: row.b_market_id, words: row.b },
    verdict: row.verdict,
    polarity: row.polarity,
    score: row.score,
    frame: row.frame,
    reason: row.reason,
    labelledBy: row.said_by,
    labelledAt: row.said_at,
  }))
}

export interface VerifiedPair {
  a: OverrideSide
  b: OverrideSide
  score: number | null
  polarity: 'same' | 'inverse'
}

interface VerifiedRow {
  a_venue: string
  a_market_id: string
  b_venue: string
  b_market_id: string
  score: number | null
  polarity: 'same' | 'inverse'
}

const verifiedPair = (row: VerifiedRow): VerifiedPair => ({
  a: { venue: row.a_venue, marketId: row.a_market_id },
  b: { venue: row.b_venue, marketId: row.b_market_id },
  score: row.score,
  polarity: row.polarity,
})

/**
 * Verified pairs that trade and are neither labelled nor overridden, at most `perVenues` per pair of venues: the same ones for the same
 * seed.
 */
export async function sampleVerified(db: Queryable, seed: string, perVenues: number): Promise<VerifiedPair[]> {
  const { rows } = await db.query<VerifiedRow>(
    `SELECT * FROM (
       SELECT p.a_venue, p.a_market_id, p.b_venue, p.b_market_id, p.score, p.polarity, row_number() OVER (
         PARTITION BY p.a_venue, p.b_venue
         ORDER BY md5(concat_ws(chr(10), $1::text, p.a_market_id, p.b_market_id)), p.a_market_id, p.b_market_id) AS place
       FROM match_pairs p
       JOIN catalog_markets x ON x.venue = p.a_venue AND x.id = p.a_market_id AND x.active
       JOIN catalog_markets y ON y.venue = p.b_venue AND y.id = p.b_market_id AND y.active
       WHERE p.band = 'verified' AND p.override IS NULL AND NOT EXISTS (
         SELECT FROM match_labels l WHERE (l.a_venue, l.a_market_id, l.b_venue, l.b_market_id)
           = (p.a_venue, p.a_market_id, p.b_venue, p.b_market_id))) sampled
     WHERE place <= $2 ORDER BY place, a_venue, b_venue`,
    [seed, perVenues],
  )
  return rows.map(verifiedPair)
}

/** Null if the matcher does not consider the two the same question. */
export async function findVerified(db: Queryable, one: OverrideSide, two: OverrideSide): Promise<VerifiedPair | null> {
  const [a, b] = inPairOrder(one, two)
  const { rows } = await db.query<VerifiedRow>(
    `SELECT a_venue, a_market_id, b_venue, b_market_id, score, polarity FROM match_pairs
     WHERE (a_venue, a_market_id, b_venue, b_market_id) = ($1, $2, $3, $4) AND band = 'verified'`,
    [a.venue, a.marketId, b.venue, b.marketId],
  )
  return rows[0] === undefined ? null : verifiedPair(rows[0])
}
