// Which process numbers the frames of the arbitrage surface, and from which number: one row, taken by a process that finds it free or expired.
import type { Queryable } from './pool.ts'

/** A holder that is silent for this long has lost it. */
export const leaseMs = 3_000
/** Numbers reserved with every renewal: a holder cut off from the database may use these and no more. */
const numbersAhead = 1_000_000

export interface HeldLease {
  /** Incremented whenever the holder changes. */
  term: number
  /** No number up to this may be used under a new term. */
  seqFrom: number
  /** Nor one above this. */
  seqTo: number
}

/** Takes or renews the lease in one statement; null while another process has it. `seq`: the last number used. */
export async function holdSurfaceLease(db: Queryable, holder: string, seq: number): Promise<HeldLease | null> {
  const { rows } = await db.query<{ term: string; seq_to: string }>(
    `INSERT INTO surface_lease AS l (only_row, holder, term, seq_to, expires_at)
     VALUES (true, $1, 1, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + $3::bigint, clock_timestamp() + $4::int * interval '1 millisecond')
     ON CONFLICT (only_row) DO UPDATE SET
       holder = $1,
       term = l.term + CASE WHEN l.holder = $1 AND l.expires_at > clock_timestamp() THEN 0 ELSE 1 END,
       -- A new term begins above every number set aside before, and above the clock, which is where a single process begins.
       seq_to = CASE WHEN l.holder = $1 AND l.expires_at > clock_timestamp()
         THEN greatest(l.seq_to, $2::bigint + $3::bigint)
         ELSE greatest(l.seq_to, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) + $3::bigint END,
       expires_at = clock_timestamp() + $4::int * interval '1 millisecond'
     WHERE l.holder = $1 OR l.expires_at <= clock_timestamp()
     RETURNING l.term, l.seq_to`,
    [holder, seq, numbersAhead, leaseMs],
  )
  const row = rows[0]
  if (row === undefined) return null
  const seqTo = Number(row.seq_to)
  return { term: Number(row.term), seqFrom: seqTo - numbersAhead, seqTo }
}

/** Lets another process take it immediately. */
export async function releaseSurfaceLease(db: Queryable, holder: string): Promise<void> {
  await db.query('UPDATE surface_lease SET expires_at = clock_timestamp() WHERE holder = $1', [holder])
}
