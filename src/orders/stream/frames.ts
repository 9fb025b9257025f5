// Frames of the stream's `orders` channel: changes of an account's orders, as bytes shared by all its sockets. They contain no artifacts,
// signatures or keys.
import type { OrderState, OrdersData } from '#schemas/stream'
import { algorithmOf } from '#storage/postgres/algorithms/algorithmRow'
import { conditionalOf } from '#storage/postgres/conditional/conditionalRow'
import type {
  AlgorithmChange,
  ConditionalChange,
  FillChange,
  OrderRow,
  StatusChange,
} from '#storage/postgres/orderChanges/readChanges'
import type { OpenOrders } from '#storage/postgres/orderChanges/readOpenOrders'

/** Per part of a snapshot: some 60 KB. */
const rowsPerPart = 100

/** `ts`: epoch ms. */
export const statusFrame = ({ from_status, to_status, at, ...row }: StatusChange, ts: number): Buffer =>
  frameOf(
    {
      kind: 'execution',
      previousStatus: from_status,
      occurredAt: at.toISOString(),
      execution: { ...stateOf(row), status: to_status },
    },
    ts,
  )

export const fillFrame = ({ fill_id, execution_id, venue, fill, filled_at }: FillChange, ts: number): Buffer =>
  frameOf(
    {
      kind: 'fill',
      fill: { fillId: fill_id, executionId: execution_id, venue, fill, filledAt: filled_at.toISOString() },
    },
    ts,
  )

export const conditionalFrame = ({ from_status, to_status, ts: at, ...row }: ConditionalChange, ts: number): Buffer =>
  frameOf(
    {
      kind: 'conditional',
      previousStatus: from_status,
      occurredAt: at.toISOString(),
      conditional: { ...conditionalOf(row), status: to_status },
    },
    ts,
  )

export const algorithmFrame = ({ event, at, ...row }: AlgorithmChange, ts: number): Buffer =>
  frameOf({ kind: 'algorithm', event, occurredAt: at.toISOString(), algorithm: algorithmOf(row) }, ts)

/** In parts; an account without anything in flight gets one empty part. */
export function snapshotFrames(
  { executions, conditionals, algorithms }: OpenOrders,
  { reason, truncated, ts }: { reason: 'subscribed' | 'behind' | 'gap'; truncated: boolean; ts: number },
): Buffer[] {
  const orders = inParts(executions.map(stateOf))
  const waiting = inParts(conditionals.map(conditionalOf))
  const worked = inParts(algorithms.map(algorithmOf))
  const parts: Pick<OrdersSnapshot, 'executions' | 'conditionals' | 'algorithms'>[] = [
    ...orders.map((rows) => ({ executions: rows, conditionals: [] })),
    ...waiting.map((rows) => ({ executions: [], conditionals: rows })),
    ...worked.map((rows) => ({ executions: [], conditionals: [], algorithms: rows })),
  ]
  if (parts.length === 0) parts.push({ executions: [], conditionals: [] })
  return parts.map((rows, i) =>
    frameOf({ kind: 'snapshot', reason, ...rows, truncated, part: { i: i + 1, n: parts.length } }, ts),
  )
}

type OrdersSnapshot = Extract<OrdersData, { kind: 'snapshot' }>

const inParts = <Row>(rows: readonly Row[]): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / rowsPerPart) }, (_, i) =>
    rows.slice(i * rowsPerPart, (i + 1) * rowsPerPart),
  )

const frameOf = (data: OrdersData, ts: number): Buffer => Buffer.from(JSON.stringify({ type: 'orders', ts, data }))

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const stateOf = (row: OrderRow): OrderState => ({
  executionId: row.execution_id,
  venue: row.venue,
  intent: row.intent,
  status: row.status,
  venueRef: row.venue_ref,
  targetExecutionId: row.target_id,
  marketId: textOf(row.terms?.marketId),
  outcomeId: textOf(row.terms?.outcomeId),
  side: typeof row.terms?.isBuy !== 'boolean' ? null : row.terms.isBuy ? 'buy' : 'sell',
  price: textOf(row.terms?.price),
  size: textOf(row.terms?.size),
  matchedSize: row.matched_size,
  error: row.error,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})
