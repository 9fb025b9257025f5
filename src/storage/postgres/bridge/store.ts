// Whose a session of the bridge is. An outage is PLATFORM_UNAVAILABLE within two seconds.
import { asUnavailable, type Pool } from '../pool.ts'

export interface NewBridgeSession {
  provider: string
  /** The provider's. */
  sessionId: string
  accountId: string
  toVenue: string
  createdAt: Date
}

export function createBridgeStore(pool: Pool) {
  const now = <T>(work: Promise<T>): Promise<T> => asUnavailable('PLATFORM_UNAVAILABLE', work)
  return {
    /** False: it is another's already. */
    insert: (session: NewBridgeSession): Promise<boolean> => now(insertSession(pool, session)),
    isOf: (accountId: string, provider: string, sessionId: string): Promise<boolean> =>
      now(isSessionOf(pool, accountId, provider, sessionId)),
  }
}

async function insertSession(
  pool: Pool,
  { provider, sessionId, accountId, toVenue, createdAt }: NewBridgeSession,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO bridge_sessions AS known (provider, session_id, account_id, to_venue, created_at)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (provider, session_id) DO UPDATE SET to_venue = known.to_venue WHERE known.account_id = $3`,
    [provider, sessionId, accountId, toVenue, createdAt],
  )
  return rowCount === 1
}

async function isSessionOf(pool: Pool, accountId: string, provider: string, sessionId: string): Promise<boolean> {
  const { rows } = await pool.query(
    'SELECT 1 FROM bridge_sessions WHERE provider = $1 AND session_id = $2 AND account_id = $3',
    [provider, sessionId, accountId],
  )
  return rows.length > 0
}
