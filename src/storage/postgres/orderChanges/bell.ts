// Tells every process of the deployment that orders have changed: a NOTIFY without words, after the commit. Not within it: whoever notifies
// holds a lock of the whole server until its commit is on disk, and submits would be written one after the other. Whoever follows looks
// every second anyway, so that a bell that was not heard costs a moment and no change.
import type { Pool } from '../pool.ts'

export const orderChangesChannel = 'crossbook_order_changes'

/** Rings; asked again while it rings, it rings once more. */
export function createBell(pool: Pool): () => void {
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
    pool.query(`NOTIFY ${orderChangesChannel}`).then(rung, rung)
  }
  return ring
}
