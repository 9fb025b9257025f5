// Writes the searchable words of rows whose text changed. The words come ready made: no server's parser or locale takes part.
import type { Queryable } from '../pool.ts'
import { letters } from './selection.ts'

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
    `INSERT INTO catalog_words (kind, venue, id, digest, title, description)
     SELECT '${letters[kind]}', $1, r.id, decode(r.digest, 'hex'), array_to_tsvector(r.title), array_to_tsvector(r.description)
     FROM jsonb_to_recordset($2::jsonb) AS r(id text, digest text, title text[], description text[])
     ON CONFLICT (kind, venue, id) DO UPDATE SET
       digest = EXCLUDED.digest, title = EXCLUDED.title, description = EXCLUDED.description`,
    [venue, JSON.stringify(records)],
  )
}
