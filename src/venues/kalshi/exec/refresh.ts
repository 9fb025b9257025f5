// The truth about an order, read with a fresh key pair. Reads lag behind writes, and a 404 never proves anything: what is not shown stays
// as it is stored.
import { earliestNow } from '#lib/clock'
import { addDecimals, compareDecimals } from '#lib/decimal'
import type { LaneContext, LaneExecution, Observation, VenueFill } from '../../lane.ts'
import { fillLagMs } from '../../shared/fillLag.ts'
import { type AmendArtifact, readArtifact } from './artifact.ts'
import type { Credentials } from './auth.ts'
import { findOrder, type Reader, readFills, readOrder } from './read.ts'
import { statusOf } from './status.ts'
import type { KalshiOrder } from './wire.ts'

/** The venue's clock may run behind ours. */
const clockSlackMs = 60_000

export async function refresh(
  context: LaneContext,
  execution: LaneExecution,
  credentials: Credentials,
): Promise<Observation> {
  const reader: Reader = { context, credentials }
  const artifact = readArtifact(execution.unsigned)
  if (artifact.kind === 'cancel') return observeCancel(await readOrder(reader, artifact.cancel.order_id), execution)
  if (artifact.kind === 'modify') {
    return observeAmend(await readOrder(reader, artifact.amend.order_id), execution, artifact.amend)
  }
  const { ticker, client_order_id } = artifact.order
  const order =
    execution.venueRef === null
      ? await findOrder(reader, ticker, client_order_id, Math.floor((execution.createdAt - clockSlackMs) / 1_000))
      : await readOrder(reader, execution.venueRef)
  if (order === null) return notShown(execution)
  const filled = compareDecimals(order.fill_count_fp, '0') > 0
  const fills = filled ? await readFills(reader, order.order_id) : []
  const told = fills.reduce((sum, { count_fp }) => addDecimals(sum, count_fp), '0')
  const fillsReconciled = compareDecimals(told, order.fill_count_fp) >= 0
  const status = statusOf(order)
  const base = seen(order)
  return {
    ...base,
    // Fills are kept with the transition: one made too early would leave the late ones out for ever.
    status: status !== 'acked' && !fillsReconciled && isFresh(order, earliestNow(context.clock)) ? null : status,
    fills: fills.map(toFill),
    observation: { ...base.observation, fillsReconciled },
  }
}

/** An order that does not say when it changed may have changed just now. */
function isFresh({ last_update_time }: KalshiOrder, nowMs: number): boolean {
  const changedAt = Date.parse(last_update_time ?? '')
  return !(nowMs - changedAt >= fillLagMs)
}

function toFill(row: Awaited<ReturnType<typeof readFills>>[number]): VenueFill {
  const fill = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))
  return { key: row.fill_id, fill, filledAt: Date.parse(row.created_time) }
}

/** What became of the order tells what became of its cancellation. */
function observeCancel(order: KalshiOrder | null, execution: LaneExecution): Observation {
  if (order === null) return { ...notShown(execution), undone: false }
  const status = statusOf(order)
  if (status === 'canceled') return { ...seen(order), status: 'acked' }
  if (status === 'acked') return { ...seen(order), status: null, undone: true }
  return { ...seen(order), status: 'failed', reason: `the order was ${status} before the cancellation` }
}

/** The new client order id shows that it was done. The order itself, fills and all, is told with the execution that placed it. */
function observeAmend(order: KalshiOrder | null, execution: LaneExecution, amend: AmendArtifact): Observation {
  if (order === null) return { ...notShown(execution), undone: false }
  if (order.client_order_id !== amend.updated_client_order_id) {
    if (order.client_order_id === amend.client_order_id) return { ...seen(order), status: null, undone: true }
    // A third name is somebody else's change, before ours or behind it: whether ours was done, nobody can see any more.
    const { shown: _, ...rest } = seen(order)
    return { ...rest, status: null }
  }
  return { ...seen(order), status: statusOf(order) }
}

const seen = (order: KalshiOrder) => ({
  shown: true,
  matchedSize: order.fill_count_fp,
  venueRef: order.order_id,
  fills: [],
  observation: {
    status: order.status,
    initial_count_fp: order.initial_count_fp,
    fill_count_fp: order.fill_count_fp,
    remaining_count_fp: order.remaining_count_fp,
  },
})

const notShown = ({ venueRef }: LaneExecution): Observation => ({
  status: null,
  shown: false,
  undone: true,
  venueRef,
  fills: [],
  observation: { reason: 'the venue shows no such order' },
})
