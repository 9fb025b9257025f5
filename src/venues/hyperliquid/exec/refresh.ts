// The truth about an order, by its owner's address: no key is needed, and the reconciler asks by itself.
import { earliestNow } from '#lib/clock'
import { addDecimals, compareDecimals, subtractDecimals } from '#lib/decimal'
import { Fault } from '#lib/fault'
import type { ExecutionStatus } from '#schemas/executions'
import type { LaneContext, LaneExecution, Observation } from '../../lane.ts'
import { fillLagMs } from '../../shared/fillLag.ts'
import { cloidOf, readArtifact } from './artifact.ts'
import { coinOf, encodingOfAsset } from './asset.ts'
import { orderIdOf } from './cancel.ts'
import { fetchFills } from './fills.ts'
import { readOrder, type StatusRow } from './orderStatus.ts'
import { statusOf } from './status.ts'

export async function refresh(context: LaneContext, execution: LaneExecution): Promise<Observation> {
  const { owner, venueRef } = execution
  if (owner === null) throw new Fault('INTERNAL', 'a hyperliquid execution without its owner')
  const { action } = readArtifact(execution.unsigned)
  const cancels = action.type === 'cancel' ? action.cancels[0] : undefined
  const cancelsOurs = action.type === 'cancelByCloid' ? action.cancels[0] : undefined
  const oid = venueRef === null ? (cancels?.o ?? cancelsOurs?.cloid ?? cloidOf(action)) : orderIdOf(venueRef)
  if (oid === null) return nothing(venueRef, 'nothing to ask for')
  const row = await readOrder(context, owner, oid)
  // Not seen is not refused: a fresh order may not be told yet, an old one no longer.
  if (row === null)
    return {
      ...nothing(venueRef, 'unknownOid'),
      shown: false,
      undone: cancels === undefined && cancelsOurs === undefined,
    }
  const asset = cancels?.a ?? cancelsOurs?.asset ?? assetIn(action)
  if (row.order.coin !== coinOf(encodingOfAsset(asset))) {
    return nothing(venueRef, 'the answer is about another outcome')
  }
  return cancels !== undefined || cancelsOurs !== undefined ? observeCancel(row) : observe(context, owner, row)
}

async function observe(context: LaneContext, owner: string, row: StatusRow): Promise<Observation> {
  const { order, status: word, statusTimestamp } = row
  const status = statusOf(word)
  const executed = subtractDecimals(order.origSz, order.sz)
  const { fills, sizes } =
    compareDecimals(executed, '0') > 0
      ? await fetchFills(context, owner, order.oid, order.timestamp)
      : { fills: [], sizes: [] }
  const told = sizes.reduce(addDecimals, '0')
  const fillsReconciled = compareDecimals(told, executed) === 0
  const early = isTerminal(status) && !fillsReconciled && earliestNow(context.clock) - statusTimestamp < fillLagMs
  return {
    // Fills are kept with the transition: one made too early would leave the late ones out for ever.
    status: early ? null : status,
    shown: true,
    matchedSize: executed,
    venueRef: String(order.oid),
    fills,
    observation: { status: word, statusTimestamp, sz: order.sz, origSz: order.origSz, fillsReconciled },
    ...(status === 'failed' ? { reason: word } : {}),
  }
}

/** What became of the order tells what became of its cancellation. */
function observeCancel({ order, status: word, statusTimestamp }: StatusRow): Observation {
  const status = statusOf(word)
  const seen = {
    shown: true,
    venueRef: String(order.oid),
    fills: [],
    observation: { status: word, statusTimestamp },
  }
  if (status === 'canceled') return { ...seen, status: 'acked' }
  if (status === 'acked') return { ...seen, status: null, undone: true }
  return { ...seen, status: 'failed', reason: `the order was ${status} before the cancellation` }
}

const isTerminal = (status: ExecutionStatus): boolean => status === 'filled' || status === 'canceled'

function assetIn(action: ReturnType<typeof readArtifact>['action']): number {
  if (action.type === 'order') return action.orders[0]!.a
  if (action.type === 'batchModify') return action.modifies[0]!.order.a
  return Number.NaN
}

const nothing = (venueRef: string | null, reason: string): Observation => ({
  status: null,
  venueRef,
  fills: [],
  observation: { reason },
})
