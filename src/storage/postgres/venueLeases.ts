// Which ingest processes are alive, and which venue each of them feeds: a lease is taken when it is free or expired, never from a living holder.
import type { Queryable } from './pool.ts'

/** A process that is silent for this long is taken for dead, and its leases are free. */
export const venueLeaseMs = 5_000
/** Rows of processes that ended long ago are deleted. */
const forgottenAfter = '1 hour'

export interface IngestProcess {
  id: string
  /** Venues it could feed. */
  venues: readonly string[]
}

export interface VenueLease {
  venue: string
  /** Increases with every new lease, across all processes, forever. */
  epoch: number
}

/** Heartbeat of this process; returns which others are alive. */
export async function presentIngest(db: Queryable, { id, venues }: IngestProcess): Promise<IngestProcess[]> {
  const { rows } = await db.query<{ id: string; venues: string[] }>(
    `WITH present AS (
       INSERT INTO ingest_processes (id, venues, expires_at)
       VALUES ($1, $2, clock_timestamp() + $3::int * interval '1 millisecond')
       ON CONFLICT (id) DO UPDATE SET venues = EXCLUDED.venues, expires_at = EXCLUDED.expires_at
     ), past AS (
       DELETE FROM ingest_processes WHERE id <> $1 AND expires_at < clock_timestamp() - interval '${forgottenAfter}'
     )
     SELECT id, venues FROM ingest_processes WHERE id <> $1 AND expires_at > clock_timestamp()`,
    [id, venues, venueLeaseMs],
  )
  return rows
}

/** Takes or renews these leases in one statement; returns those now held. */
export async function holdVenues(db: Queryable, holder: string, venues: readonly string[]): Promise<VenueLease[]> {
  if (venues.length === 0) return []
  const { rows } = await db.query<{ venue: string; epoch: string }>(
    `INSERT INTO venue_leases AS l (venue, holder, epoch, expires_at)
     SELECT venue, $1, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, clock_timestamp() + $3::int * interval '1 millisecond'
     FROM unnest($2::text[]) AS venue
     ORDER BY venue
     ON CONFLICT (venue) DO UPDATE SET
       holder = $1,
       -- Above every epoch before, also where the server's clock went back, and above those of a database that was lost.
       epoch = CASE WHEN l.holder = $1 THEN l.epoch ELSE greatest(l.epoch + 1, EXCLUDED.epoch) END,
       expires_at = EXCLUDED.expires_at
     WHERE l.holder = $1 OR l.expires_at <= clock_timestamp()
     RETURNING l.venue, l.epoch`,
    [holder, venues, venueLeaseMs],
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
export async function leaveIngest(db: Queryable, id: string): Promise<void> {
  await db.query('DELETE FROM ingest_processes WHERE id = $1', [id])
}
