// The truth about an order, read with the caller's transient key.
import { compareDecimals } from '#lib/decimal'
import type { JsonObject } from '#schemas/executions'
import type { LaneContext, LaneExecution, Observation, Search, VenueFill } from '../../lane.ts'
import { isCancel, OrderId, readArtifact } from './artifact.ts'
import type { Credentials } from './auth.ts'
import { findLost } from './findLost.ts'
import { read } from './read.ts'
import { statusOf } from './status.ts'
import { OrderAnswer, type UsOrder } from './wire.ts'

export async function refresh(
  context: LaneContext,
  execution: LaneExecution,
  credentials: Credentials,
  search?: (refs: readonly string[], apartMs: number) => Promise<Search>,
): Promise<Observation> {
  const artifact = readArtifact(execution.unsigned)
  const ref = execution.venueRef ?? (isCancel(artifact) ? artifact.orderId : null)
  if (ref === null) {
    if (isCancel(artifact)) return nothing(null, 'no order id')
    const found = await findLost(context, { execution, artifact, search }, credentials)
    if ('order' in found) return observe(context, found.order)
    const { isSilent, mayBe, ...told } = found
    return {
      ...nothing(null, found.reason),
      ...(isSilent && { shown: false, undone: true }),
      ...(mayBe !== undefined && { mayBe }),
      observation: plain(told),
    }
  }
  if (!OrderId.safeParse(ref).success) return nothing(ref, 'the stored order id is none of this venue')
  const answer = await read(context, credentials, `/v1/order/${ref}`, OrderAnswer)
  if (answer === null) return { ...nothing(ref, 'the venue does not know this order'), shown: false }
  const { order } = answer
  if (order.id !== ref || order.marketSlug !== artifact.marketSlug) {
    return nothing(ref, 'the answer is about another order')
  }
  return isCancel(artifact) ? observeCancel(order) : observe(context, order)
}

function observe({ clock }: LaneContext, order: UsOrder): Observation {
  const said = statusOf(order.state)
  const { quantity, cumQuantity } = order
  // The row contradicts itself: its word comes before its numbers.
  const isShort = quantity != null && cumQuantity != null && compareDecimals(cumQuantity, quantity) < 0
  const status = said === 'filled' && isShort ? null : said
  const seen = {
    state: order.state,
    cumQuantity: order.cumQuantity ?? null,
    leavesQuantity: order.leavesQuantity ?? null,
  }
  const terminal = status === 'filled' || status === 'canceled' || status === 'expired'
  return {
    status,
    shown: true,
    ...(cumQuantity != null && { matchedSize: cumQuantity }),
    venueRef: order.id,
    fills: terminal ? aggregate(order, clock.now()) : [],
    observation: seen,
    ...(status === 'failed' ? { reason: rejectReason(order) } : {}),
  }
}

/** What became of the order tells what became of its cancellation. */
function observeCancel(order: UsOrder): Observation {
  const status = statusOf(order.state)
  const seen = { shown: true, venueRef: order.id, fills: [], observation: { state: order.state } }
  if (status === 'canceled') return { ...seen, status: 'acked' }
  if (status === 'filled' || status === 'expired' || status === 'failed') {
    return { ...seen, status: 'failed', reason: `the order was ${status} before the cancellation` }
  }
  return { ...seen, status: null, undone: status === 'acked' }
}

/**
 * The venue lists no fills of an order, only their sum. It is told once, with the terminal state, when it can no longer grow; the time is
 * ours, because an order row carries none of its fills.
 */
function aggregate(order: UsOrder, nowMs: number): VenueFill[] {
  const { id, cumQuantity } = order
  if (cumQuantity == null || /^0+(\.0+)?$/.test(cumQuantity)) return []
  return [{ key: `${id}:sum`, fill: { aggregate: true, ...plain(order) }, filledAt: nowMs }]
}

const plain = (told: object): JsonObject => JSON.parse(JSON.stringify(told))

function rejectReason(order: UsOrder): string {
  const { text, orderRejectReason } = order
  if (typeof text === 'string' && text !== '') return text
  return typeof orderRejectReason === 'string' && orderRejectReason !== '' ? orderRejectReason : 'order rejected'
}

const nothing = (venueRef: string | null, reason: string): Observation => ({
  status: null,
  venueRef,
  fills: [],
  observation: { reason },
})
