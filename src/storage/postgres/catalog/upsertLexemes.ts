// Writes the searchable words of rows whose text changed. The words are passed in: the server's parser and locale are not used.
import type { Queryable } from '../pool.ts'
import { letters, tables } from './selection.ts'
import { ofVenue } from './venuePredicate.ts'

/**
 * Of a row `r` with `title_words`: the words stored with its ranks in their indexes, whose entries are limited to 2,700 bytes. NULL if the
 * words are too long for that.
 */
export const wordsInIndex = `(SELECT w FROM array_to_tsvector(r.title_words) w WHERE pg_column_size(w) + octet_length(r.id) <= 2000)`

export interface WordsRecord {
  id: string
  /** Hex. */
  digest: string
  title: string[]
  description: string[]
}

export async function upsertWords(
  db: Queryable,
  kind: 'markets' | 'events',
  venue: string,
  records: readonly WordsRecord[],
): Promise<void> {
  if (records.length === 0) return
  await db.query(
    `WITH given AS MATERIALIZED (
       SELECT * FROM jsonb_to_recordset($2::jsonb) AS r(id text, digest text, title text[], description text[])),
     titles AS (
       INSERT INTO catalog_titles (kind, venue, id, active, volume_rank, liquidity_rank, newest_rank, title)
       SELECT '${letters[kind]}', g.venue, g.id, r.active, r.volume_rank, r.liquidity_rank, r.newest_rank, array_to_tsvector(g.title)
       FROM ${ofVenue('given')} g
       CROSS JOIN LATERAL (SELECT * FROM ${tables[kind]} d WHERE d.venue = g.venue AND d.id = g.id LIMIT 1) r
       ON CONFLICT (kind, venue, id) DO UPDATE SET title = EXCLUDED.title)
     INSERT INTO catalog_words (kind, venue, id, digest, description)
     SELECT '${letters[kind]}', $1, id, decode(digest, 'hex'), array_to_tsvector(description) FROM given
     ON CONFLICT (kind, venue, id) DO UPDATE SET digest = EXCLUDED.digest, description = EXCLUDED.description`,
    [venue, JSON.stringify(records)],
  )
}

/** Copies what rows are filtered and sorted by next to their titles. The rows themselves are written already. */
export async function copyRanks(
  db: Queryable,
  kind: 'markets' | 'events',
  venue: string,
  ids: readonly string[],
): Promise<void> {
  // Row by row: a join would read all rows of a venue while its statistics are outdated.
  const ranks = `SELECT r.active, r.volume_rank, r.liquidity_rank, r.newest_rank FROM ${tables[kind]} r WHERE r.venue = t.venue AND r.id = t.id`
  await db.query(
    `UPDATE catalog_titles t SET (active, volume_rank, liquidity_rank, newest_rank) = (${ranks})
     WHERE t.kind = '${letters[kind]}' AND t.venue = $1 AND t.id = ANY($2)
       AND (t.active, t.volume_rank, t.liquidity_rank, t.newest_rank) <> (${ranks})`,
    [venue, ids],
  )
}
