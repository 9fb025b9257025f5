// A key as stored: everything but the key itself.

export interface KeyRow {
  id: string
  account_id: string
  account_name: string
  sha256: Buffer
  prefix: string
  plan: string
  scopes: string[]
  created_at: Date
  /** May be in the future. */
  revoked_at: Date | null
  /** YYYY-MM-DD in UTC. */
  last_used_day: string | null
  /** Not revoked as of now, by the database's clock. */
  live: boolean
}

/** Of api_keys `k` and accounts `a`. */
export const keyColumns = `k.id, k.account_id, a.name AS account_name, k.sha256, k.prefix, k.plan, k.scopes, k.created_at, k.revoked_at,
  to_char(k.last_used_day, 'YYYY-MM-DD') AS last_used_day, (k.revoked_at IS NULL OR k.revoked_at > now()) AS live`
