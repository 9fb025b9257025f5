// The status of an order, read by its owner's address: no key is needed, and the reconciler reads it by itself.
import { lowerBoundNow } from '#core/clock'
import { compareDecimals, subtractDecimals } from '#core/decimal'
import type { ExecutionStatus } from '#schemas/executions'
import type { LaneContext, LaneExecution, Observation, OrderComparison } from '../../lane.ts'
import { nothing, notVisible, observeCancel, sumOf, withFills } from '../../shared/exec/orderSnapshot.ts'
import { unknownStateReason } from '../../shared/exec/orderStates.ts'
import { ownerOf } from '../../shared/exec/signature.ts'
import type { OrderWire } from './action.ts'
import { cancelledIn, findOrder, readArtifact } from './artifact.ts'
import { coinOf, encodingOfAsset } from './asset.ts'
import { foreignId, parseOrderId } from './derived.ts'
import { fetchFills } from './fills.ts'
import { findInHistory, readOrder, type StatusRow, statusOf } from './orderStatus.ts'

/** An order sent this long ago that the venue does not know by its id is looked for among the account's newest orders. */
const historyAfterMs = 60_000
/** Clocks differ. */
const clockSlackMs = 60_000

export async function refresh(context: LaneContext, execution: LaneExecution): Promise<Observation> {
  const { venueRef } = execution
  const owner = ownerOf('hyperliquid', execution)
  const { action } = readArtifact(execution.unsigned)
  const order = findOrder(action)
  const cancelled = cancelledIn(action)
  const oid = venueRef === null ? (cancelled?.reference ?? order?.c ?? null) : parseOrderId(venueRef)
  if (oid === null) return nothing(venueRef, venueRef === null ? 'nothing to look up' : foreignId)
  let row = await readOrder(context, owner, oid)
  if (row === null && order !== null && lowerBoundNow(context.clock) - execution.statusSince >= historyAfterMs) {
    const history = await findInHistory(context, owner, oid, execution.createdAt - clockSlackMs)
    row = history.row
    if (row === null && !history.reachesBack) {
      const reason = 'unknownOid, and the account’s newest orders do not reach back to its submission'
      return { ...nothing(venueRef, reason), shown: false }
    }
  }
  // Absence is not refusal: a new order may not be shown yet, an old one no longer.
  if (row === null) return notVisible(venueRef, 'unknownOid', cancelled === null)
  const asset = cancelled?.asset ?? order?.a ?? Number.NaN
  if (row.order.coin !== coinOf(encodingOfAsset(asset))) {
    return nothing(venueRef, 'the answer is about another outcome')
  }
  if (order !== null)
    return {
      ...(await observe(context, owner, row, { size: order.s, sentAfterMs: execution.createdAt - clockSlackMs })),
      about: aboutOf(row, order),
    }
  const { order: shown, status, statusTimestamp } = row
  const known = statusOf(status)
  const observation = {
    status,
    statusTimestamp: statusTimestamp ?? null,
    ...(known === null && { reason: unknownStateReason(status) }),
  }
  return observeCancel(known, { shown: true, venueRef: String(shown.oid), fills: [], observation })
}

/** By our client order id; without it, by the order's terms. */
const aboutOf = ({ order }: StatusRow, { c, b, p, s }: OrderWire): OrderComparison =>
  order.cloid != null && c !== undefined
    ? { 'client order id': [order.cloid, c] }
    : { side: [order.side, b ? 'B' : 'A'], price: [order.limitPx, p], size: [order.origSz, s] }

/** `size`: as it was sent, for a row that says none. */
async function observe(
  context: LaneContext,
  owner: string,
  row: StatusRow,
  { size: sent, sentAfterMs }: { size: string; sentAfterMs: number },
): Promise<Observation> {
  const { order, status: word, statusTimestamp } = row
  const reportedStatus = statusOf(word)
  const size = order.origSz ?? sent
  // Without a count, a filled order is filled to its size; for any other order it is unknown when all its fills are present.
  const counted = order.sz != null ? subtractDecimals(size, order.sz) : reportedStatus === 'filled' ? size : null
  const { fills, sizes } =
    counted === null || compareDecimals(counted, '0') > 0
      ? await fetchFills(context, owner, order.oid, order.timestamp ?? sentAfterMs)
      : { fills: [], sizes: [] }
  const sum = sumOf(sizes)
  const fillsReconciled = counted !== null && compareDecimals(sum, counted) === 0
  const executed = counted ?? sum
  const status = reportedStatus === null ? null : settled(reportedStatus, { executed, size })
  return {
    status: status === null ? null : withFills(status, fillsReconciled, statusTimestamp ?? Number.NaN, context.clock),
    shown: true,
    ...((counted !== null || compareDecimals(sum, '0') > 0) && { matchedSize: executed }),
    venueRef: String(order.oid),
    fills,
    observation: {
      status: word,
      statusTimestamp: statusTimestamp ?? null,
      sz: order.sz ?? null,
      origSz: order.origSz ?? null,
      fillsReconciled,
      ...(reportedStatus === null && { reason: unknownStateReason(word) }),
    },
    ...(status === 'failed' ? { reason: word } : {}),
  }
}

/** The state and the sizes are read together: an ended order is filled, or canceled with what was filled of it. */
function settled(
  reportedStatus: ExecutionStatus,
  { executed, size }: { executed: string; size: string },
): ExecutionStatus {
  if (reportedStatus === 'acked' || compareDecimals(executed, '0') <= 0) return reportedStatus
  return compareDecimals(executed, size) >= 0 ? 'filled' : 'canceled'
}
