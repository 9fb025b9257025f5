// Writes changed series. The caller holds their marks.
import type { Queryable } from '../pool.ts'

export interface SeriesRecord {
  id: string
  slug: string | null
  recurrence: string | null
  title: string
  /** Hex. */
  digest: string
  doc: unknown
}

/** `records` as JSON text: an array of SeriesRecord. */
export async function upsertSeries(db: Queryable, venue: string, records: string): Promise<void> {
  await db.query(
    `INSERT INTO catalog_series (venue, id, slug, recurrence, title, digest, doc)
     SELECT $1, r.id, r.slug, r.recurrence, r.title, decode(r.digest, 'hex'), r.doc
     FROM jsonb_to_recordset($2::jsonb) AS r(id text, slug text, recurrence text, title text, digest text, doc jsonb)
     ON CONFLICT (venue, id) DO UPDATE SET slug = EXCLUDED.slug, recurrence = EXCLUDED.recurrence, title = EXCLUDED.title,
       digest = EXCLUDED.digest, doc = EXCLUDED.doc`,
    [venue, records],
  )
}
