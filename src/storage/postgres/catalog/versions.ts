// Numbers of a venue's writes, and the ranks that ended with them: what a walk needs to continue in its original order. Catalogs are written
// while clients page through lists that are sorted by volume, liquidity or age; without this, a row that moves between two pages is skipped
// or repeated.
//
// Each write takes the venue's next number under a row lock, so numbers become visible in order. A rank that changes is kept with the range
// of numbers in which it was valid. The first page reads the rows as they are, and its cursor holds how far each venue was written; later
// pages read every rank as of then. An older cursor than the kept ranks is refused with 400. `offset` and `page` read the list as it is now.
//
// Rejected: a snapshot of ids per walk (state on one gateway), ranks that change once per run (two generations of three wide indexes), and
// PostgreSQL snapshots in the cursor (meaningless after a restore).
import type { Queryable } from '../pool.ts'
import { type CatalogKind, letters, tables } from './selection.ts'
import { ofVenue } from './venuePredicate.ts'

/**
 * Takes the number of a starting write. Writers of one venue wait here for each other until they commit, so a reader that sees a number
 * sees all writes up to it. Ranks are kept for one to two times `keptMs` after they ended: a walk can continue for at least that long.
 */
export async function nextVersion(db: Queryable, venue: string, keptMs: number): Promise<number> {
  const { rows } = await db.query<{ version: number; due: boolean }>(
    `INSERT INTO catalog_versions AS v (venue, version, oldest, next_oldest, turned_at) VALUES ($1, 1, 0, 0, now())
     ON CONFLICT (venue) DO UPDATE SET version = v.version + 1
     RETURNING version::float8, turned_at <= now() - $2 * interval '1 ms' AS due`,
    [venue, keptMs],
  )
  const { version, due } = rows[0]!
  if (due) await forgetPastRanks(db, venue)
  return version
}

async function forgetPastRanks(db: Queryable, venue: string): Promise<void> {
  const { rows } = await db.query<{ oldest: string }>(
    `UPDATE catalog_versions SET oldest = next_oldest, next_oldest = version, turned_at = now() WHERE venue = $1
     RETURNING oldest`,
    [venue],
  )
  await db.query('DELETE FROM catalog_past_ranks WHERE venue = $1 AND until <= $2', [venue, rows[0]!.oldest])
}

export interface RankedRecord {
  id: string
  volume: number | null
  liquidity: number | null
  /** Epoch ms. */
  created: number | null
}

/**
 * Keeps the ranks that rows have until this write. Must be called before they are written; the caller holds their marks.
 */
export async function archiveRanks(
  db: Queryable,
  kind: CatalogKind,
  venue: string,
  version: number,
  records: readonly RankedRecord[],
): Promise<void> {
  await db.query(
    `INSERT INTO catalog_past_ranks (venue, kind, sort, id, rank, since, until)
     SELECT r.venue, '${letters[kind]}', s.sort, r.id, s.rank,
       coalesce((SELECT p.until FROM catalog_past_ranks p WHERE p.venue = r.venue AND p.kind = '${letters[kind]}' AND p.sort = s.sort
         AND p.id = r.id ORDER BY p.until DESC LIMIT 1), 0), $2
     FROM ${ofVenue('unnest($3::text[], $4::float8[], $5::float8[], $6::float8[]) AS given(id, volume, liquidity, created)')} g
     CROSS JOIN LATERAL (SELECT * FROM ${tables[kind]} d WHERE d.venue = g.venue AND d.id = g.id LIMIT 1) r
     CROSS JOIN LATERAL (VALUES ('v'::"char", r.volume_rank, g.volume), ('l', r.liquidity_rank, g.liquidity),
       ('n', r.newest_rank, g.created)) AS s(sort, rank, value)
     WHERE s.rank <> coalesce(0 - s.value, 'Infinity')`,
    [
      venue,
      version,
      records.map(({ id }) => id),
      records.map(({ volume }) => volume),
      records.map(({ liquidity }) => liquidity),
      records.map(({ created }) => created),
    ],
  )
}
