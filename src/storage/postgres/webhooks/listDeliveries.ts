// Deliveries as the endpoint's owner reads them.
import type { Queryable } from '../pool.ts'
import type { DeliveryRow } from './rows.ts'

/** Oldest first, behind `after`. The caller has made sure whose endpoint it is. */
export async function listDeliveries(
  db: Queryable,
  { endpointId, after, limit }: { endpointId: string; after: string | null; limit: number },
): Promise<DeliveryRow[]> {
  const { rows } = await db.query<DeliveryRow>(
    `SELECT id, seq, event, payload, status, created_at, delivered_at FROM webhook_deliveries
     WHERE endpoint_id = $1 AND ($2::bigint IS NULL OR seq > $2) ORDER BY seq LIMIT $3`,
    [endpointId, after, limit],
  )
  return rows
}
