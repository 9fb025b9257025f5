// The status of an order, by its owner's key: no credentials are needed, and the reconciler reads by itself. The venue reports all resting
// orders and all fills of an account, and nothing about an order that ended otherwise. So an order is filled when its fills say so, and
// acked while it rests or once anything of it was filled. Any other order keeps its status, as the specification says: its fills are
// recorded as soon as it no longer rests, `observation.reason` says what is known, and its owner can resolve it.
import { compareDecimals, subtractDecimals } from '#core/decimal'
import type { ExecutionStatus } from '#schemas/executions'
import type { LaneContext, LaneExecution, Observation, VenueFill } from '../../lane.ts'
import { nothing, observeCancel, sumOf } from '../../shared/exec/orderSnapshot.ts'
import { ownerOf } from '../../shared/exec/signature.ts'
import { readFills, readOpenOrder, type SubscriptionTarget } from './account.ts'
import { type Artifact, readArtifact, windowOf } from './artifact.ts'
import { recvWindowMaxMs } from './permit.ts'
import type { PascalFill } from './wire.ts'

type Order = Extract<Artifact, { command: 'place_order' }>

export async function refresh(context: LaneContext, execution: LaneExecution): Promise<Observation> {
  const isCancel = execution.intent === 'cancel'
  const placed = isCancel ? execution.target : execution
  const artifact = placed === null ? null : readArtifact(placed.unsigned)
  if (placed === null || artifact === null || artifact.command !== 'place_order') {
    return nothing(execution.venueRef, 'the order that it cancels is not known')
  }
  const { status, ...seen } = await look(context, placed, artifact)
  return isCancel ? observeCancel(status, { ...seen, fills: [] }) : { status, ...seen }
}

async function look(context: LaneContext, execution: LaneExecution, artifact: Order): Promise<Observation> {
  const { client_order_id: venueRef, symbol, side, size } = artifact.request
  const wanted: SubscriptionTarget = {
    owner: ownerOf('pascal', execution),
    symbol,
    clientOrderId: venueRef,
    // Clocks may differ by as much as a permit may be old.
    sinceMs: windowOf(artifact).madeMs - recvWindowMaxMs,
  }
  const open = await readOpenOrder(context, wanted)
  if (open !== null && (open.symbol !== symbol || open.side !== side)) {
    return nothing(venueRef, 'the answer is about another order')
  }
  const rest = open?.size_remaining ?? null
  const isUntouched = rest !== null && compareDecimals(rest, size) >= 0
  const { fills, isWhole } = isUntouched ? { fills: [], isWhole: true } : await readFills(context, wanted)
  const filled = sumOf(fills.map(({ fill_size: each }) => each))
  const hasTraded = compareDecimals(filled, '0') > 0
  const { status, reason } = decideStatus(execution, { isOpen: open !== null, isWhole, filled, size })
  return {
    status,
    shown: open !== null || status === 'filled' || status === 'acked',
    ...(open === null && hasTraded && { rests: false as const }),
    ...((open !== null || hasTraded) && {
      matchedSize: rest === null || isUntouched ? filled : subtractDecimals(size, rest),
    }),
    venueRef,
    fills: toVenueFills(fills),
    observation: {
      orderId: open?.id ?? null,
      sizeRemaining: rest,
      filledSize: filled,
      ...(reason !== null && { reason }),
    },
  }
}

interface Look {
  isOpen: boolean
  /** All of its fills were read. */
  isWhole: boolean
  filled: string
  size: string
}

interface StatusDecision {
  status: ExecutionStatus | null
  reason: string | null
}

function decideStatus({ status, matchedSize }: LaneExecution, { isOpen, isWhole, filled, size }: Look): StatusDecision {
  if (compareDecimals(filled, size) >= 0) return { status: 'filled', reason: null }
  if (isOpen) return { status: 'acked', reason: null }
  // It arrived, but the outcome of the remainder is unknown: new information only for an order not known to have arrived.
  const isNews = status === 'submitted' || status === 'failed'
  if (isNews && compareDecimals(filled, '0') > 0) return { status: 'acked', reason: gone(filled, size) }
  if (!isWhole) return { status: null, reason: tooMany }
  if (status === 'submitted') return { status: null, reason: `${gone(filled, size)}: it was never acknowledged` }
  if (compareDecimals(filled, matchedSize ?? '0') < 0) {
    return { status: null, reason: `${gone(filled, size)}, while the venue has reported ${matchedSize} as filled` }
  }
  return { status: null, reason: gone(filled, size) }
}

const gone = (filled: string, size: string): string =>
  `it does not rest, and ${filled} of ${size} contracts were filled; pascal does not report cancellations, expiries or refusals`
const tooMany = 'it does not rest, and its fills cannot all be distinguished or read at once'

/** One state may make several fills, even identical ones; those are counted. */
function toVenueFills(fills: readonly PascalFill[]): VenueFill[] {
  const seen = new Map<string, number>()
  return fills.map((fill) => {
    const name = `${fill.seq}:${fill.fill_price}:${fill.fill_size}`
    const count = seen.get(name) ?? 0
    seen.set(name, count + 1)
    return { key: `${name}:${count}`, fill, filledAt: fill.trade_ts_ms }
  })
}
