// Keyed marks of accounts at venues: equal for equal names in every process of the deployment, and not reversible.
import { createHmac } from 'node:crypto'
import type { Queryable } from '../pool.ts'
import { loadSecret } from '../settings.ts'

export function createAccountMarks(db: Queryable): (name: string) => Promise<Buffer> {
  let key: Buffer | null = null
  return async (name) => {
    key ??= await loadSecret(db, 'venueAccounts')
    return createHmac('sha256', key).update(name).digest()
  }
}
