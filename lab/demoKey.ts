// The API key that the demo prints. After a crash it is the one printed before, so that shells and tabs that hold it keep working.
import { createKey, hashKey, looksLikeKey, summaryOf } from '#platform/auth/keys'
import { findKeyByHash } from '#storage/postgres/keys/findKey'
import type { Queryable } from '#storage/postgres/pool'

const rights = { plan: 'enterprise', scopes: ['read', 'trade', 'review', 'admin'] } as const

/** `last`: the key that the runtime file of a killed demo contains. A new one if it no longer opens everything. */
export async function demoKey(db: Queryable, last: string | null, account = 'demo'): Promise<string> {
  if (last !== null && (await isDemoKey(db, last, account))) return last
  const { apiKey } = await createKey(db, { account, ...rights })
  return apiKey
}

async function isDemoKey(db: Queryable, apiKey: string, owner: string): Promise<boolean> {
  if (!looksLikeKey(apiKey)) return false
  const row = await findKeyByHash(db, Buffer.from(hashKey(apiKey), 'hex'))
  if (row === null) return false
  const { account, plan, scopes, live, revokedAt } = summaryOf(row)
  // A rotated key stays valid for its grace period only.
  return (
    live &&
    revokedAt === null &&
    account === owner &&
    plan === rights.plan &&
    rights.scopes.every((scope) => scopes.includes(scope))
  )
}
