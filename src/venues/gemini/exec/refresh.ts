// The truth about an order, read with the caller's transient key: the same key settings as submit.
import { compareDecimals } from '#lib/decimal'
import type { JsonObject } from '#schemas/executions'
import type { LaneContext, LaneExecution, Observation, VenueFill } from '../../lane.ts'
import { type Artifact, readArtifact } from './artifact.ts'
import type { Credentials } from './auth.ts'
import { findOrder, type Wanted } from './findOrder.ts'
import { statusOf } from './status.ts'
import { type GeminiOrder, paths } from './wire.ts'

export async function refresh(
  context: LaneContext,
  execution: LaneExecution,
  credentials: Credentials,
): Promise<Observation> {
  const artifact = readArtifact(execution.unsigned)
  const order = await findOrder(context, credentials, wantedOf(artifact, execution.venueRef))
  if (order === null) {
    return {
      status: null,
      shown: false,
      undone: artifact.request !== paths.cancel,
      venueRef: execution.venueRef,
      fills: [],
      observation: { reason: 'neither the open orders nor the history show this order' },
    }
  }
  return artifact.request === paths.cancel ? observeCancel(order) : observe(context, order)
}

function wantedOf(artifact: Artifact, venueRef: string | null): Wanted {
  if (artifact.request === paths.cancel) return { orderId: artifact.orderId, clientOrderId: null, symbol: null }
  return { orderId: venueRef, clientOrderId: artifact.clientOrderId, symbol: artifact.symbol }
}

function observe({ clock }: LaneContext, order: GeminiOrder): Observation {
  const said = statusOf(order.status)
  const { quantity, filledQuantity } = order
  // The row contradicts itself: its word comes before its numbers.
  const isShort = quantity != null && filledQuantity != null && compareDecimals(filledQuantity, quantity) < 0
  const status = said === 'filled' && isShort ? null : said
  return {
    status,
    shown: true,
    ...(filledQuantity != null && { matchedSize: filledQuantity }),
    venueRef: order.orderId,
    fills: status === 'filled' || status === 'canceled' ? aggregate(order, clock.now()) : [],
    observation: {
      status: order.status,
      filledQuantity: order.filledQuantity ?? null,
      remainingQuantity: order.remainingQuantity ?? null,
    },
    ...(status === 'failed' ? { reason: 'order rejected' } : {}),
  }
}

/** What became of the order tells what became of its cancellation. */
function observeCancel(order: GeminiOrder): Observation {
  const status = statusOf(order.status)
  const seen = { shown: true, venueRef: order.orderId, fills: [], observation: { status: order.status } }
  if (status === 'canceled') return { ...seen, status: 'acked' }
  if (status === 'acked') return { ...seen, status: null, undone: true }
  return { ...seen, status: 'failed', reason: `the order was ${status} before the cancellation` }
}

/** The row tells the sum of its fills. It is kept once, with the terminal state, when it can no longer grow. */
function aggregate(order: GeminiOrder, nowMs: number): VenueFill[] {
  const { orderId, filledQuantity } = order
  if (filledQuantity == null || /^0+(\.0+)?$/.test(filledQuantity)) return []
  const filledAt = timeOf(order.updatedAt) ?? timeOf(order.cancelledAt) ?? nowMs
  return [{ key: `${orderId}:sum`, fill: { aggregate: true, ...plain(order) }, filledAt }]
}

const plain = (order: GeminiOrder): JsonObject => JSON.parse(JSON.stringify(order))

function timeOf(value: string | number | null | undefined): number | null {
  const at = typeof value === 'number' ? value : Date.parse(value ?? '')
  return Number.isFinite(at) ? at : null
}
