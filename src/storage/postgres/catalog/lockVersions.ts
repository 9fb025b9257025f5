// Locks the rows of a venue for writing: records when the venue reported them, and returns those that have not been written from newer data.
import type { Queryable } from '../pool.ts'
import { letters } from './selection.ts'

/**
 * Every writer locks ids in the same order, so writers may wait for each other but never deadlock. The locks last until the end
 * of the transaction; a writer that waited then sees what the other wrote.
 */
export async function upsertMarks(
  db: Queryable,
  kind: keyof typeof letters,
  venue: string,
  ids: readonly string[],
  asOf: number,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO catalog_marks AS mark (kind, venue, id, as_of)
     SELECT '${letters[kind]}', $1, i.id, $3 FROM unnest($2::text[]) AS i(id) ORDER BY i.id COLLATE "C"
     ON CONFLICT (kind, venue, id) DO UPDATE SET as_of = EXCLUDED.as_of WHERE mark.as_of <= EXCLUDED.as_of
     RETURNING mark.id`,
    [venue, ids, asOf],
  )
  return new Set(rows.map((row) => row.id))
}
