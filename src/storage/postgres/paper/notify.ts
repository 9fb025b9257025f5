// Wakes the paper exchange: a NOTIFY without a payload, after the commit. It polls anyway, so a missed one costs a moment.
import type { Pool } from '../pool.ts'

export const paperChannel = 'crossbook_paper_orders'

/** Its failure costs a moment, too. */
export function notifyPaper(pool: Pool): void {
  pool.query(`NOTIFY ${paperChannel}`).catch(() => undefined)
}
