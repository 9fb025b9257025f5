// Which account a bridge session belongs to, and its contents at creation. An outage is PLATFORM_UNAVAILABLE within two seconds.
import { asUnavailable, type Pool } from '../pool.ts'

/** By field; only their creator can interpret the marks. */
export type Marks = Readonly<Record<string, string>>

export interface NewBridgeSession {
  provider: string
  /** The provider's. */
  sessionId: string
  accountId: string
  toVenue: string
  agreed: Marks
  createdAt: Date
}

export function createBridgeStore(pool: Pool) {
  const orUnavailable = <T>(work: Promise<T>): Promise<T> => asUnavailable('PLATFORM_UNAVAILABLE', work)
  return {
    /** False: it already belongs to another account, or was a different session. */
    insert: (session: NewBridgeSession): Promise<boolean> => orUnavailable(insertSession(pool, session)),
    /** Null: it does not belong to this account. */
    agreedOf: (accountId: string, provider: string, sessionId: string): Promise<Marks | null> =>
      orUnavailable(agreedOf(pool, accountId, provider, sessionId)),
  }
}

async function insertSession(
  pool: Pool,
  { provider, sessionId, accountId, toVenue, agreed, createdAt }: NewBridgeSession,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO bridge_sessions AS known (provider, session_id, account_id, to_venue, agreed, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (provider, session_id) DO UPDATE SET to_venue = known.to_venue
       WHERE known.account_id = $3 AND known.to_venue = $4 AND known.agreed = $5`,
    [provider, sessionId, accountId, toVenue, JSON.stringify(agreed), createdAt],
  )
  return rowCount === 1
}

async function agreedOf(pool: Pool, accountId: string, provider: string, sessionId: string): Promise<Marks | null> {
  const { rows } = await pool.query<{ agreed: Marks }>(
    'SELECT agreed FROM bridge_sessions WHERE provider = $1 AND session_id = $2 AND account_id = $3',
    [provider, sessionId, accountId],
  )
  return rows[0]?.agreed ?? null
}
