// Deliveries as the endpoint's owner reads them.
import type { Queryable } from '../pool.ts'
import { type DeliveryRow, deliveryColumns } from './rows.ts'

export interface DeliveryPage {
  endpointId: string
  order: DeliveryOrder
  /** `seq` of the last row of the previous page. */
  after: string | null
  limit: number
}

export type DeliveryOrder = 'oldest' | 'newest'

const sqlOf = {
  oldest: '($2::bigint IS NULL OR seq > $2) ORDER BY seq',
  newest: '($2::bigint IS NULL OR seq < $2) ORDER BY seq DESC',
} as const

/** The first in this order after `after`. The caller has checked who owns the endpoint. */
export async function listDeliveries(
  db: Queryable,
  { endpointId, order, after, limit }: DeliveryPage,
): Promise<DeliveryRow[]> {
  const { rows } = await db.query<DeliveryRow>(
    `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE endpoint_id = $1 AND ${sqlOf[order]} LIMIT $3`,
    [endpointId, after, limit],
  )
  return rows
}

/** Null: the account has no such delivery at this endpoint. */
export async function findDelivery(
  db: Queryable,
  { accountId, endpointId, deliveryId }: { accountId: string; endpointId: string; deliveryId: string },
): Promise<DeliveryRow | null> {
  const { rows } = await db.query<DeliveryRow>(
    `SELECT ${deliveryColumns} FROM webhook_deliveries d WHERE d.id = $1 AND d.endpoint_id = $2
       AND EXISTS (SELECT FROM webhook_endpoints e WHERE e.id = d.endpoint_id AND e.account_id = $3)`,
    [deliveryId, endpointId, accountId],
  )
  return rows[0] ?? null
}
