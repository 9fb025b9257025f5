// The status of an order, read with the caller's key. The order is read by the venue's id, which an acceptance returns; its trades come with it.
// A match is not final: the chain decides, and a trade that failed is reported as withdrawn.
import { addDecimals, compareDecimals, subtractDecimals } from '#lib/decimal'
import { Fault } from '#lib/fault'
import type { LaneContext, LaneExecution, Observation, Search, VenueFill } from '../../lane.ts'
import { findKeyed } from '../../shared/exec/keyedApi.ts'
import { nothing, notShown, plain, sumOf, withItsFills } from '../../shared/exec/observe.ts'
import { stateReader } from '../../shared/exec/orderStates.ts'
import { aboutOf } from './about.ts'
import { readArtifact } from './artifact.ts'
import { type Credentials, opinionApi } from './auth.ts'
import { findLost } from './findLost.ts'
import { OneOrderAnswer, type OpinionOrder, type OpinionTrade, paths, statusOf } from './wire.ts'

/** Shares. Trade sizes may be shown truncated; a difference this small is not a missing trade. */
const dust = '0.01'

export async function refresh(
  context: LaneContext,
  execution: LaneExecution,
  credentials: Credentials,
  search?: (refs: readonly string[], apartMs: number) => Promise<Search>,
): Promise<Observation> {
  const artifact = readArtifact(execution.unsigned)
  const { venueRef, terms } = execution
  if (artifact.kind !== 'order' || terms === null) {
    throw new Fault('VALIDATION_ERROR', 'this execution has no order to read', { exchange: 'opinion' })
  }
  const { topicId } = artifact.order.post
  if (venueRef !== null) return look(context, execution, { orderId: venueRef, topicId }, credentials)
  const found = await findLost(context, { execution, topicId, terms, search }, credentials)
  if ('orderId' in found) return look(context, execution, { ...found, topicId }, credentials)
  const { reason, isAbsent, mayBe } = found
  return { ...(isAbsent ? notShown(null, reason, true) : nothing(null, reason)), ...(mayBe && { mayBe }) }
}

async function look(
  context: LaneContext,
  execution: LaneExecution,
  { orderId, topicId }: { orderId: string; topicId: number },
  credentials: Credentials,
): Promise<Observation> {
  const path = `${paths.order}/${encodeURIComponent(orderId)}`
  const order = await findKeyed(opinionApi, { context, credentials, path, shape: OneOrderAnswer })
  if (order === null) return notShown(execution.venueRef, 'the venue does not know this order', true)
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
const stageOf = stateReader('opinion', stages, { of: 'trade', spelled: (word) => word.toLowerCase() })

function observe({ clock }: LaneContext, execution: LaneExecution, order: OpinionOrder): Observation {
  const trades = (order.trades ?? []).map((trade) => ({
    fill: fillOf(trade),
    stage: stageOf(String(trade.statusEnum || trade.status)),
  }))
  const of = (stage: Stage): VenueFill[] => trades.flatMap((trade) => (trade.stage === stage ? [trade.fill] : []))
  const [confirmed, failed] = [of('confirmed'), of('failed')]
  const told = addDecimals(sizeOf(confirmed), sizeOf(failed))
  const fillsReconciled = of('underway').length === 0 && !isShort(told, order.filledShares)
  const newest = Math.max(execution.statusSince, ...trades.map(({ fill }) => fill.filledAt))
  const said = statusOf(order)
  // What happens to an order after the chain refused one of its trades is undocumented.
  const isContradicted = said === 'filled' && failed.length > 0
  return {
    status: isContradicted ? null : withItsFills(said, fillsReconciled, newest, clock),
    shown: true,
    matchedSize: order.filledShares,
    venueRef: order.orderId,
    fills: confirmed,
    ...(failed.length > 0 && { withdrawn: failed }),
    observation: {
      status: order.statusEnum ?? order.status,
      orderShares: order.orderShares ?? null,
      filledShares: order.filledShares,
      fillsReconciled,
      ...(isContradicted && { reason: 'a trade of it came to nothing, and the venue calls it finished all the same' }),
    },
    ...(said === 'failed' && { reason: 'order failed' }),
  }
}

/** A trade's missing fields are left out. */
const fillOf = (trade: OpinionTrade): VenueFill => ({
  key: trade.tradeNo,
  fill: plain(trade),
  filledAt: trade.createdAt * 1_000,
})

const sizeOf = (fills: readonly VenueFill[]): string => sumOf(fills.map(({ fill }) => String(fill.shares)))

const isShort = (filled: string, size: string): boolean => compareDecimals(subtractDecimals(size, filled), dust) >= 0
