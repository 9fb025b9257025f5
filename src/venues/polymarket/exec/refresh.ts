// The status of an order: it is listed while active, and its trades remain listed for good; finished orders are not listed. So for an order
// known to have been accepted, absence eventually is an end, and the sum of its trades determines which. But reads lag behind writes, and
// trades behind both: it must have been missing for a while, none of its trades may be recent, and everything the venue ever reported as
// matched must be accounted for. For an unacknowledged order absence proves nothing, until its expiry has passed.
import { lowerBoundNow } from '#core/clock'
import { addDecimals, compareDecimals, subtractDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import type { ExecutionStatus } from '#schemas/executions'
import type { LaneContext, LaneExecution, Observation } from '../../lane.ts'
import { observeCancel } from '../../shared/exec/orderSnapshot.ts'
import { unknownStateReason } from '../../shared/exec/orderStates.ts'
import { ownerOf } from '../../shared/exec/signature.ts'
import { type OrderArtifact, readArtifact } from './artifact.ts'
import type { Credentials } from './auth.ts'
import { type Reader, readOrder, readTrades } from './read.ts'
import { type OrderTrades, sizeOf, tradesOf, unknownStageIn } from './trades.ts'
import { type ClobOrder, statusOf } from './wire.ts'

/** Reads lag behind writes. */
const settlingMs = 60_000
/** The venue's clock may run behind ours. */
const clockSlackMs = 60_000
/** Shares. An order may end this little short of its size: the remainder is cut off at a hundredth. */
const dust = '0.01'
/** An order ends this long before its expiry. */
const expirySafetyMs = 60_000

export async function refresh(
  context: LaneContext,
  execution: LaneExecution,
  credentials: Credentials,
): Promise<Observation> {
  const reader: Reader = { context, credentials, address: ownerOf('polymarket', execution) }
  if (execution.intent !== 'cancel') return observe(reader, execution)
  const { target } = execution
  if (target === null) throw new Fault('INTERNAL', 'a cancellation without its order')
  return observeItsCancel(execution, await observe(reader, target))
}

async function observe(reader: Reader, execution: LaneExecution): Promise<Observation> {
  const { unsigned, bounds, venueRef, clientRef, createdAt } = execution
  const artifact = readArtifact(unsigned)
  const id = venueRef ?? clientRef
  if (artifact.kind !== 'order' || id === null || execution.terms === null) {
    throw new Fault('VALIDATION_ERROR', 'this execution has no order to read', { exchange: 'polymarket' })
  }
  // The order is read before its trades: a fill in between is then among the trades instead of missing from both.
  const order = await readOrder(reader, id)
  const since = Math.floor((createdAt - clockSlackMs) / 1_000)
  const read = await readTrades(reader, String(bounds.conditionId), since)
  const found: Found = { trades: tradesOf(read.trades, id, lowerBoundNow(reader.context.clock)), areAll: read.areAll }
  return order === null
    ? observeMissing(reader.context, execution, artifact.order, id, found)
    : { ...observeShown(execution, order, found.trades), about: { 'order id': [order.id, id] } }
}

/** An order's trades. `areAll` false: the account has more trades in the market than were read. */
interface Found {
  trades: OrderTrades
  areAll: boolean
}

function observeShown(execution: LaneExecution, order: ClobOrder, trades: OrderTrades): Observation {
  const reportedStatus = statusOf(order.status)
  const size = order.original_size ?? execution.terms!.size
  // Without a count, a matched order is filled to its size; for any other order it is unknown when all its trades are present.
  const counted = order.size_matched ?? (reportedStatus === 'filled' ? size : null)
  const matched = larger(counted, execution.matchedSize)
  const fillsReconciled = counted !== null && isAccountedFor(trades, matched)
  // Fills are stored with the transition: one made too early would leave the late ones out.
  const isEarly = reportedStatus !== 'acked' && !fillsReconciled
  const status = reportedStatus === null || isEarly ? null : settled(reportedStatus, size, matched, trades)
  const reason = reportedStatus === null ? unknownStateReason(order.status) : whyOpen(trades, isEarly)
  return {
    status,
    shown: true,
    ...((order.size_matched != null || trades.confirmed.length > 0) && {
      matchedSize: order.size_matched ?? sizeOf(trades.confirmed),
    }),
    venueRef: order.id,
    fills: trades.confirmed,
    withdrawn: trades.failed,
    observation: {
      status: order.status,
      size_matched: order.size_matched ?? null,
      original_size: order.original_size ?? null,
      fillsReconciled,
      ...(reason !== null && { reason }),
    },
    ...(status === 'failed' ? { reason: 'order invalid' } : {}),
  }
}

/** Null: nothing is pending, or the state alone says why. */
function whyOpen(trades: OrderTrades, isEarly: boolean): string | null {
  const word = unknownStageIn(trades)
  if (word !== null) return unknownStateReason(word, 'trade')
  return isEarly ? 'the venue has ended it, and not all of its trades are confirmed yet' : null
}

/**
 * The state and the sizes are read together. Nothing of an ended order rests: what its trades do not add up to can never trade, be it that
 * the venue cut off the remainder of a `MATCHED` order, or that a trade failed on chain.
 */
function settled(
  reportedStatus: ExecutionStatus,
  size: string,
  matched: string,
  { confirmed, failed }: OrderTrades,
): ExecutionStatus | null {
  if (reportedStatus === 'acked') return reportedStatus
  if (!isShort(sizeOf(confirmed), size)) return 'filled'
  const hasTraded = compareDecimals(matched, '0') > 0 || failed.length > 0
  // `MATCHED` without any match contradicts itself.
  if (reportedStatus === 'filled') return hasTraded ? 'canceled' : null
  return hasTraded ? 'canceled' : reportedStatus
}

function observeMissing(
  { clock }: LaneContext,
  execution: LaneExecution,
  order: OrderArtifact,
  id: string,
  { trades, areAll }: Found,
): Observation {
  const filled = sizeOf(trades.confirmed)
  const matchedSize = addDecimals(filled, sizeOf(trades.underway))
  // Without any trade nothing shows that it ever arrived.
  const undone = execution.status === 'submitted' && areAll && Object.values(trades).every(({ length }) => length === 0)
  const seen = {
    shown: false,
    undone,
    fills: trades.confirmed,
    withdrawn: trades.failed,
    ...(compareDecimals(matchedSize, '0') > 0 && { matchedSize }),
  }
  const observed = { reason: 'not among the active orders', size_matched: filled }
  const is = (status: ExecutionStatus, inferred = true): Observation => ({
    ...seen,
    // All of its trades are known, also if there are none.
    ...((status === 'canceled' || status === 'expired') && { matchedSize }),
    status,
    inferred,
    venueRef: id,
    observation: observed,
  })
  const wait = (why: string): Observation => ({
    ...seen,
    status: null,
    venueRef: execution.venueRef,
    observation: { ...observed, reason: `${observed.reason}; ${why}` },
  })
  if (!isShort(filled, execution.terms!.size)) return is('filled', false)
  // A trade proves that the venue accepted the order, whatever happened to the answer.
  const isNew = execution.status === 'submitted' && Object.values(trades).some(({ length }) => length > 0)
  if (isNew && !hasEnded(execution, order, lowerBoundNow(clock))) return is('acked', false)
  if (!areAll) return wait('the account has more trades in this market than could be read')
  const unknownStage = unknownStageIn(trades)
  if (unknownStage !== null) return wait(unknownStateReason(unknownStage, 'trade'))
  if (!isAccountedFor(trades, execution.matchedSize)) {
    return wait(
      `the venue matched ${larger(execution.matchedSize, '0')}, and not all of it is reported as confirmed yet`,
    )
  }
  if (execution.status === 'filled' && trades.failed.length > 0) return is('canceled', false)
  const gone = goneSince(execution, order, lowerBoundNow(clock))
  if (gone === null) return wait('it was never acknowledged')
  const newest = Math.max(gone.sinceMs, ...trades.confirmed.map(({ filledAt }) => filledAt))
  if (lowerBoundNow(clock) - newest < settlingMs) return wait('trades may still arrive: refresh again in a minute')
  return is(gone.by)
}

/**
 * The earliest time at which the order can have ended, and what ended it. The venue ends an order with an expiry one minute before it; one
 * that was missing earlier was cancelled. Null: nothing shows that it was ever there.
 */
function goneSince(
  { status, statusSince, missingSince }: LaneExecution,
  { post }: OrderArtifact,
  nowMs: number,
): { sinceMs: number; by: 'canceled' | 'expired' } | null {
  const diesAt = post.orderType === 'GTD' ? Number(post.expiration) * 1_000 - expirySafetyMs : Number.POSITIVE_INFINITY
  const missing = Math.max(missingSince ?? nowMs, statusSince)
  if (status !== 'submitted' && missing < diesAt) return { sinceMs: missing, by: 'canceled' }
  return nowMs >= diesAt ? { sinceMs: diesAt, by: 'expired' } : null
}

const hasEnded = (execution: LaneExecution, order: OrderArtifact, nowMs: number): boolean => {
  const gone = goneSince(execution, order, nowMs)
  return gone !== null && nowMs - gone.sinceMs >= settlingMs
}

/** Every share the venue matched is accounted for, as confirmed or as failed. */
const isAccountedFor = ({ underway, confirmed, failed }: OrderTrades, matched: string | null): boolean =>
  underway.length === 0 && (matched === null || !isShort(addDecimals(sizeOf(confirmed), sizeOf(failed)), matched))

const isShort = (filled: string, size: string): boolean => compareDecimals(subtractDecimals(size, filled), dust) >= 0

const larger = (a: string | null, b: string | null): string =>
  compareDecimals(a ?? '0', b ?? '0') >= 0 ? (a ?? '0') : (b ?? '0')

/** The order's status determines that of its cancellation; the order's own fills are reported with the execution that placed it. */
function observeItsCancel({ venueRef }: LaneExecution, read: Observation): Observation {
  const { status, shown, matchedSize, inferred, about, observation } = read
  return observeCancel(status, {
    venueRef,
    fills: [],
    ...(shown !== undefined && { shown }),
    ...(matchedSize !== undefined && { matchedSize }),
    ...(inferred !== undefined && { inferred }),
    ...(about && { about }),
    ...(observation && { observation }),
  })
}
