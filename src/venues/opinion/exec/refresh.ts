// The status of an order, read with the caller's key. The order is read by the venue's id, which an acceptance returns; its trades come with it.
// A match is not final: the chain decides, and a trade that failed is reported as withdrawn.
import { addDecimals, compareDecimals, subtractDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import type { ExecutionStatus } from '#schemas/executions'
import type { LaneContext, LaneExecution, Observation, Search, VenueFill } from '../../lane.ts'
import { findKeyed } from '../../shared/exec/apiKeyClient.ts'
import {
  hasLagged,
  nothing,
  notVisible,
  observeCancel,
  plain,
  sumOf,
  withFills,
} from '../../shared/exec/orderSnapshot.ts'
import { optionalStateReader, unknownStateReason } from '../../shared/exec/orderStates.ts'
import { readableRows } from '../../shared/exec/pagedList.ts'
import { readArtifact } from './artifact.ts'
import { type Credentials, opinionApi } from './auth.ts'
import { recoverOrder } from './findLostOrder.ts'
import { aboutOf } from './matchesOrder.ts'
import { OneOrderAnswer, type OpinionOrder, OpinionTrade, paths, statusOf, statusWord } from './wire.ts'

/** Shares. Trade sizes may be shown truncated; a difference this small is not a missing trade. */
const dust = '0.01'

export async function refresh(
  context: LaneContext,
  execution: LaneExecution,
  credentials: Credentials,
  search?: (refs: readonly string[], apartMs: number) => Promise<Search>,
): Promise<Observation> {
  if (execution.intent === 'cancel') return observeItsCancel(context, execution, credentials)
  const artifact = readArtifact(execution.unsigned)
  const { venueRef, terms } = execution
  if (artifact.kind !== 'order' || terms === null) {
    throw new Fault('VALIDATION_ERROR', 'this execution has no order to read', { exchange: 'opinion' })
  }
  const { topicId } = artifact.order.post
  if (venueRef !== null) return look(context, execution, { orderId: venueRef, topicId }, credentials)
  const found = await recoverOrder(context, { execution, topicId, terms, search }, credentials)
  if ('orderId' in found) return look(context, execution, { ...found, topicId }, credentials)
  const { reason, isAbsent, mayBe } = found
  return { ...(isAbsent ? notVisible(null, reason, true) : nothing(null, reason)), ...(mayBe && { mayBe }) }
}

/** The order's status determines that of its cancellation; its fills are reported with the execution that placed it. */
async function observeItsCancel(
  context: LaneContext,
  { target, venueRef }: LaneExecution,
  credentials: Credentials,
): Promise<Observation> {
  if (target === null) throw new Fault('INTERNAL', 'a cancellation without its order')
  const { status, shown, matchedSize, about, observation } = await refresh(context, target, credentials)
  return observeCancel(status, {
    venueRef,
    fills: [],
    ...(shown !== undefined && { shown }),
    ...(matchedSize !== undefined && { matchedSize }),
    ...(about && { about }),
    ...(observation && { observation }),
  })
}

async function look(
  context: LaneContext,
  execution: LaneExecution,
  { orderId, topicId }: { orderId: string; topicId: number },
  credentials: Credentials,
): Promise<Observation> {
  const path = `${paths.order}/${encodeURIComponent(orderId)}`
  const order = await findKeyed(opinionApi, { context, credentials, path, shape: OneOrderAnswer })
  if (order === null) return notVisible(execution.venueRef, 'the venue does not know this order', true)
  if (order.orderId !== orderId || order.marketId !== topicId) {
    return nothing(execution.venueRef, 'the answer is about another order')
  }
  return { ...observe(context, execution, order), about: aboutOf(order, topicId, execution.terms) }
}

type Stage = 'underway' | 'confirmed' | 'failed'
/** `statusEnum` of a trade; the numbers are those of the socket. */
const stages: Readonly<Record<string, Stage>> = {
  pending: 'underway',
  finished: 'confirmed',
  canceled: 'failed',
  expired: 'failed',
  failed: 'failed',
  1: 'underway',
  2: 'confirmed',
  3: 'failed',
  5: 'failed',
  6: 'failed',
}
const stageOf = optionalStateReader(stages, { spelled: (word) => word.toLowerCase() })
const wordOf = ({ statusEnum, status }: OpinionTrade): string => String(statusEnum || status)

function observe({ clock }: LaneContext, execution: LaneExecution, order: OpinionOrder): Observation {
  const read = readableRows(OpinionTrade, order.trades ?? [])
  const byNumber = new Map(read.rows.map((trade) => [trade.tradeNo, trade]))
  // An unlisted word proves neither a fill nor a failure.
  const trades = [...byNumber.values()].map((trade) => ({
    fill: fillOf(trade, clock.now()),
    word: wordOf(trade),
    stage: stageOf(wordOf(trade)) ?? 'underway',
  }))
  const of = (stage: Stage): VenueFill[] => trades.flatMap((trade) => (trade.stage === stage ? [trade.fill] : []))
  const [confirmed, failed] = [of('confirmed'), of('failed')]
  const accountedSize = addDecimals(sizeOf(confirmed), sizeOf(failed))
  const reportedStatus = statusOf(order)
  const size = order.orderShares ?? execution.terms?.size ?? null
  // Without a count, a finished order is filled to its size; for any other order it is unknown when all its trades are present.
  const filled = order.filledShares ?? (reportedStatus === 'filled' ? size : null)
  const fillsReconciled =
    read.unreadable === 0 && of('underway').length === 0 && filled !== null && !isShort(accountedSize, filled)
  const times = [...byNumber.values()].map(({ createdAt }) => (createdAt ?? 0) * 1_000)
  const newest = Math.max(execution.statusSince, ...times)
  const isOld = hasLagged(newest, clock)
  const settled =
    reportedStatus === null
      ? null
      : settledBy(reportedStatus, { size, filled: filled ?? accountedSize, confirmed, failed, isOld })
  const status = settled === null ? null : withFills(settled, fillsReconciled, newest, clock)
  const unknown = trades.find(({ word }) => stageOf(word) === null)
  const reason =
    reportedStatus === null
      ? unknownStateReason(statusWord(order))
      : unknown !== undefined
        ? unknownStateReason(unknown.word, 'trade')
        : settled === null
          ? 'the venue reports it as finished, but counts less than its size'
          : null
  return {
    status,
    shown: true,
    ...(order.filledShares != null && { matchedSize: order.filledShares }),
    venueRef: order.orderId,
    fills: confirmed,
    ...(failed.length > 0 && { withdrawn: failed }),
    observation: {
      status: statusWord(order),
      orderShares: order.orderShares ?? null,
      filledShares: order.filledShares ?? null,
      fillsReconciled,
      ...(reason !== null && { reason }),
    },
    ...(status === 'failed' && { reason: 'order failed' }),
  }
}

interface Sizes {
  /** Null: not known. */
  size: string | null
  filled: string
  confirmed: readonly VenueFill[]
  failed: readonly VenueFill[]
  isOld: boolean
}

/**
 * The state and the sizes are read together: nothing of an ended order rests, so what its trades do not add up to can never trade. Null: the
 * venue calls it finished while its numbers are short, and may not have counted everything yet.
 */
function settledBy(
  reportedStatus: ExecutionStatus,
  { size, filled, confirmed, failed, isOld }: Sizes,
): ExecutionStatus | null {
  if (reportedStatus === 'acked' || size === null) return reportedStatus
  if (!isShort(sizeOf(confirmed), size)) return 'filled'
  const hasTraded = compareDecimals(filled, '0') > 0
  if (reportedStatus === 'failed') return hasTraded ? 'canceled' : reportedStatus
  if (reportedStatus !== 'filled') return reportedStatus
  // Its fills may follow; without them the venue's status counts.
  if (!isShort(filled, size) && failed.length === 0) return 'filled'
  return isOld && hasTraded ? 'canceled' : null
}

/** A trade's missing fields are left out. `nowMs`: for a trade whose time cannot be read. */
const fillOf = (trade: OpinionTrade, nowMs: number): VenueFill => ({
  key: trade.tradeNo,
  fill: plain(trade),
  filledAt: trade.createdAt == null ? nowMs : trade.createdAt * 1_000,
})

const sizeOf = (fills: readonly VenueFill[]): string => sumOf(fills.map(({ fill }) => String(fill.shares)))

const isShort = (filled: string, size: string): boolean => compareDecimals(subtractDecimals(size, filled), dust) >= 0
