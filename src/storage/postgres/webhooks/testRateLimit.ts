// An endpoint owner's requests: a test, or resending a delivery. Rate-limited across all processes by a count in the endpoint's row.
import type { JsonObject } from '#schemas/executions'
import type { DeliveredEvent } from '#schemas/webhooks'
import { inTransaction, type Pool, type Queryable } from '../pool.ts'
import { lockSequence } from './fanOut.ts'
import { type DeliveryRow, deliveryColumns } from './rows.ts'

export interface TestRequest {
  accountId: string
  endpointId: string
  at: Date
  /** Maximum per period, counted from the first. */
  requestsMax: number
  windowMs: number
}

export type TestRequestResult =
  | { kind: 'queued'; delivery: DeliveryRow }
  | { kind: 'missing' }
  | { kind: 'paused' }
  | { kind: 'bounded'; until: Date }

const statementTimeoutMs = 1_500

export const insertTest = (
  pool: Pool,
  request: TestRequest,
  { event, payload }: { event: DeliveredEvent; payload: JsonObject },
): Promise<TestRequestResult> =>
  inTransaction(
    pool,
    async (client) => {
      await lockSequence(client)
      return granted(client, request, async () => {
        const { rows } = await client.query<DeliveryRow>(
          `INSERT INTO webhook_deliveries (endpoint_id, event, payload, due_at, created_at) VALUES ($1, $2, $3, $4, $4) RETURNING ${deliveryColumns}`,
          [request.endpointId, event, JSON.stringify(payload), request.at],
        )
        return rows[0]!
      })
    },
    { statementTimeoutMs },
  )

/** An ended one starts over, with all its attempts; a waiting one is due immediately. */
export const resendDelivery = (pool: Pool, request: TestRequest, deliveryId: string): Promise<TestRequestResult> =>
  inTransaction(
    pool,
    (client) =>
      granted(client, request, async () => {
        const { rows } = await client.query<DeliveryRow>(
          `UPDATE webhook_deliveries SET status = 'queued', delivered_at = NULL, due_at = $3,
             attempts_before = CASE WHEN status = 'queued' THEN attempts_before ELSE attempts END
           WHERE id = $1 AND endpoint_id = $2 RETURNING ${deliveryColumns}`,
          [deliveryId, request.endpointId, request.at],
        )
        return rows[0] ?? null
      }),
    { statementTimeoutMs },
  )

/** Locks the endpoint before its deliveries, as deletion does. A missing delivery does not count as requested. */
async function granted(
  db: Queryable,
  { accountId, endpointId, at, requestsMax, windowMs }: TestRequest,
  queue: () => Promise<DeliveryRow | null>,
): Promise<TestRequestResult> {
  const { rows } = await db.query<{ active: boolean; wishes: number; wishes_since: Date | null }>(
    'SELECT active, wishes, wishes_since FROM webhook_endpoints WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE',
    [endpointId, accountId],
  )
  const endpoint = rows[0]
  if (endpoint === undefined) return { kind: 'missing' }
  if (!endpoint.active) return { kind: 'paused' }
  const until = new Date((endpoint.wishes_since?.getTime() ?? 0) + windowMs)
  const isNewWindow = until <= at
  if (!isNewWindow && endpoint.wishes >= requestsMax) return { kind: 'bounded', until }
  const delivery = await queue()
  if (delivery === null) return { kind: 'missing' }
  await db.query(
    `UPDATE webhook_endpoints SET due_at = least(due_at, $2), queued_count = queued_count + 1,
       wishes = CASE WHEN $3 THEN 1 ELSE wishes + 1 END, wishes_since = CASE WHEN $3 THEN $2 ELSE wishes_since END WHERE id = $1`,
    [endpointId, at, isNewWindow],
  )
  return { kind: 'queued', delivery }
}
