// Which process runs the paper exchange: one row, taken by a process that finds it free or expired. Whatever it writes is written under its
// term, and refused once another process has the lease.
import type { Queryable } from '../pool.ts'

/** A holder that does not renew it for this long has lost it. */
export const paperLeaseMs = 5_000

export interface PaperLease {
  holder: string
  term: number
}

/** Takes or renews the lease in one statement; null while another process has it. `term`: under which it is renewed; null: it is taken. */
export async function holdPaperLease(db: Queryable, holder: string, term: number | null): Promise<PaperLease | null> {
  const { rows } = await db.query<{ term: string }>(
    `INSERT INTO paper_exchange_lease AS l (only_row, holder, term, expires_at)
     VALUES (true, $1, 1, clock_timestamp() + $3::int * interval '1 millisecond')
     ON CONFLICT (only_row) DO UPDATE SET
       holder = $1,
       term = CASE WHEN l.holder = $1 AND l.term = $2::bigint THEN l.term ELSE l.term + 1 END,
       expires_at = EXCLUDED.expires_at
     WHERE (l.holder = $1 AND l.term = $2::bigint) OR l.expires_at <= clock_timestamp()
     RETURNING l.term`,
    [holder, term, paperLeaseMs],
  )
  return rows[0] === undefined ? null : { holder, term: Number(rows[0].term) }
}

/** Lets another process take it immediately. */
export async function releasePaperLease(db: Queryable, { holder, term }: PaperLease): Promise<void> {
  await db.query(
    'UPDATE paper_exchange_lease SET expires_at = clock_timestamp() WHERE holder = $1 AND term = $2::bigint',
    [holder, term],
  )
}

/** Within a transaction: until its end no other process can take the lease. Throws `PaperLeaseLost`. */
export async function fencePaperLease(db: Queryable, { holder, term }: PaperLease): Promise<void> {
  const { rowCount } = await db.query(
    'SELECT 1 FROM paper_exchange_lease WHERE holder = $1 AND term = $2::bigint FOR SHARE',
    [holder, term],
  )
  if (rowCount !== 1) throw new PaperLeaseLost()
}

export class PaperLeaseLost extends Error {
  constructor() {
    super('another process runs the paper exchange')
    this.name = 'PaperLeaseLost'
  }
}
