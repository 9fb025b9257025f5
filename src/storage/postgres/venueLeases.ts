// Which ingest processes are alive, and which venue, or part of one, each of them feeds: a lease is taken when it is free or expired, never
// from a live holder.
import { countParts, parseLease } from '#schemas/parts'
import type { Queryable } from './pool.ts'

/** A process that is silent for this long is taken for dead, and its leases are free. */
export const venueLeaseMs = 5_000
/** Rows of processes that ended long ago are deleted. */
const deletedAfter = '1 hour'

export interface IngestProcess {
  id: string
  /** Leases of venues, or of parts of them, that it could feed. */
  venues: readonly string[]
}

export interface VenueLease {
  /** The lease: of a whole venue its name. */
  venue: string
  /** Increases with every new lease of the venue or part, across all processes, forever. Those of a new division are above all before. */
  epoch: number
}

/** Heartbeat of this process; returns which others are alive. */
export async function registerIngest(db: Queryable, { id, venues }: IngestProcess): Promise<IngestProcess[]> {
  const { rows } = await db.query<{ id: string; venues: string[] }>(
    `WITH present AS (
       INSERT INTO ingest_processes (id, venues, expires_at)
       VALUES ($1, $2, clock_timestamp() + $3::int * interval '1 millisecond')
       ON CONFLICT (id) DO UPDATE SET venues = EXCLUDED.venues, expires_at = EXCLUDED.expires_at
     ), past AS (
       DELETE FROM ingest_processes WHERE id <> $1 AND expires_at < clock_timestamp() - interval '${deletedAfter}'
     )
     SELECT id, venues FROM ingest_processes WHERE id <> $1 AND expires_at > clock_timestamp()`,
    [id, venues, venueLeaseMs],
  )
  return rows
}

/** Of another division of the same venue, and live: such a lease keeps ours from being granted. */
const otherDivisionSql = `
  SELECT FROM venue_leases AS o
  WHERE split_part(o.venue, '#', 1) = w.venue AND coalesce(nullif(split_part(o.venue, '/', 2), ''), '1')::int <> w.parts
    AND o.holder <> '' AND o.expires_at > clock_timestamp()`

/**
 * Takes or renews these leases in one statement; returns those now held. `renewed`: those that the holder feeds already. Every other one gets a
 * new epoch, also if the holder had it before and could not release it: what it publishes is numbered from 1 again.
 *
 * The row of a venue's division is locked first, and refuses leases of another division until its own have expired. Processes of versions without
 * divisions renew leases alone, so these are looked at as well.
 */
export async function holdVenues(
  db: Queryable,
  holder: string,
  leases: readonly string[],
  renewed: readonly string[],
): Promise<VenueLease[]> {
  if (leases.length === 0) return []
  const wanted = leases.map(parseLease)
  const { rows } = await db.query<{ venue: string; epoch: string }>(
    `WITH wanted AS (
       SELECT * FROM unnest($2::text[], $5::text[], $6::int[]) AS w (lease, venue, parts)
     ), in_force AS (
       INSERT INTO venue_divisions AS d (venue, parts, epoch, expires_at)
       SELECT w.venue, w.parts, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, clock_timestamp() + $3::int * interval '1 millisecond'
       FROM (SELECT DISTINCT venue, parts FROM wanted) AS w
       WHERE NOT EXISTS (${otherDivisionSql})
       ORDER BY venue
       ON CONFLICT (venue) DO UPDATE SET
         parts = EXCLUDED.parts,
         -- Above every epoch before, also where the server's clock went back, and above those of a database that was lost.
         epoch = greatest(d.epoch + 1, EXCLUDED.epoch),
         expires_at = greatest(d.expires_at, EXCLUDED.expires_at)
       WHERE d.parts = EXCLUDED.parts OR d.expires_at <= clock_timestamp()
       RETURNING d.venue, d.epoch, d.expires_at
     )
     INSERT INTO venue_leases AS l (venue, holder, epoch, expires_at)
     SELECT w.lease, $1,
       greatest(f.epoch, (SELECT max(epoch) + 1 FROM venue_leases AS o WHERE split_part(o.venue, '#', 1) = w.venue)), f.expires_at
     FROM wanted AS w JOIN in_force AS f USING (venue)
     ORDER BY w.lease
     ON CONFLICT (venue) DO UPDATE SET
       holder = $1,
       epoch = CASE WHEN l.holder = $1 AND l.venue = ANY($4) THEN l.epoch ELSE greatest(l.epoch + 1, EXCLUDED.epoch) END,
       expires_at = EXCLUDED.expires_at
     WHERE l.holder = $1 OR l.expires_at <= clock_timestamp()
     RETURNING l.venue, l.epoch`,
    [
      holder,
      leases,
      venueLeaseMs,
      renewed,
      wanted.map(({ venue }) => venue),
      wanted.map(({ part }) => countParts(part)),
    ],
  )
  return rows.map(({ venue, epoch }) => ({ venue, epoch: Number(epoch) }))
}

/** Lets another process take them immediately. Taken again by the same process they get a new epoch. */
export async function releaseVenues(db: Queryable, holder: string, venues: readonly string[]): Promise<void> {
  await db.query(
    `UPDATE venue_leases SET holder = '', expires_at = clock_timestamp() WHERE holder = $1 AND venue = ANY($2)`,
    [holder, venues],
  )
}

/** The process ends: others take its place immediately. */
export async function deregisterIngest(db: Queryable, id: string): Promise<void> {
  await db.query('DELETE FROM ingest_processes WHERE id = $1', [id])
}
