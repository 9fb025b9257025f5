// Notifies every process of the deployment, for example that orders have changed: a NOTIFY without a payload, after the commit. Not within the
// transaction, because NOTIFY holds a server-wide lock until the commit is on disk, which would serialize submits. Followers poll every
// second anyway, so a missed notification costs a moment and loses no change.
import type { Pool } from '../pool.ts'

export const orderChangesChannel = 'crossbook_order_changes'

/** Returns a function that notifies; calls during a notification cause one more. */
export function createNotifier(pool: Pool, channel = orderChangesChannel): () => void {
  let ringing = false
  let again = false
  const ring = (): void => {
    if (ringing) {
      again = true
      return
    }
    ringing = true
    again = false
    const rung = (): void => {
      ringing = false
      if (again) ring()
    }
    pool.query(`NOTIFY ${channel}`).then(rung, rung)
  }
  return ring
}
