// The status of an order, by its owner's key: no credentials are needed, and the reconciler reads by itself. The venue reports all resting orders
// and all fills of an account, and nothing about an order that ended otherwise. So an order is filled when its fills say so, and acked while it
// rests or once anything of it was filled. One that the venue had acknowledged, that has not rested for a minute and whose fills are all read has
// ended: canceled, with its fills. For an order that was never acknowledged absence proves nothing.
import { earliestNow } from '#lib/clock'
import { compareDecimals, subtractDecimals } from '#lib/decimal'
import type { ExecutionStatus } from '#schemas/executions'
import type { LaneContext, LaneExecution, Observation, VenueFill } from '../../lane.ts'
import { nothing, observeCancel, sumOf } from '../../shared/exec/observe.ts'
import { ownerOf } from '../../shared/exec/signature.ts'
import { readFills, readOpenOrder, type Wanted } from './account.ts'
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
  const wanted: Wanted = {
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
  const read: Look = { isOpen: open !== null, isWhole, filled, size, fills }
  const { status, inferred, reason } = judge(execution, read, earliestNow(context.clock))
  return {
    status,
    ...(inferred && { inferred }),
    shown: open !== null || status === 'filled' || status === 'acked',
    ...(open === null && hasTraded && { rests: false as const }),
    ...((open !== null || hasTraded) && {
      matchedSize: rest === null || isUntouched ? filled : subtractDecimals(size, rest),
    }),
    venueRef,
    fills: told(fills),
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
  fills: readonly PascalFill[]
}

/** An order moves between the lists of resting orders and of fills, and reads lag behind. */
const settlingMs = 60_000

interface Judged {
  status: ExecutionStatus | null
  inferred: boolean
  reason: string | null
}

function judge(
  { status, statusSince, missingSince, matchedSize }: LaneExecution,
  { isOpen, isWhole, filled, size, fills }: Look,
  nowMs: number,
): Judged {
  const is = (now: ExecutionStatus): Judged => ({ status: now, inferred: false, reason: null })
  const wait = (reason: string): Judged => ({ status: null, inferred: false, reason })
  if (compareDecimals(filled, size) >= 0) return is('filled')
  if (isOpen) return is('acked')
  // It arrived, but the fate of the remainder is unknown: news only for an order not known to have arrived.
  const isNews = status === 'submitted' || status === 'failed'
  if (isNews && compareDecimals(filled, '0') > 0) return { ...is('acked'), reason: gone(filled, size) }
  if (!isWhole) return wait(tooMany)
  if (status === 'submitted') return wait(`${gone(filled, size)}: it was never acknowledged`)
  if (status !== 'acked') return wait(gone(filled, size))
  if (compareDecimals(filled, matchedSize ?? '0') < 0) {
    return wait(`${gone(filled, size)}, while the venue has reported ${matchedSize} as filled`)
  }
  const missing = Math.max(missingSince ?? nowMs, statusSince)
  const newest = Math.max(missing, ...fills.map(({ trade_ts_ms: at }) => at))
  if (nowMs - newest < settlingMs) return wait(`${gone(filled, size)}: if that stays so for a minute, it has ended`)
  return { status: 'canceled', inferred: true, reason: `${gone(filled, size)}: it has ended` }
}

const gone = (filled: string, size: string): string =>
  `it does not rest, and ${filled} of ${size} contracts were filled; pascal does not report cancellations, expiries or refusals`
const tooMany = 'it does not rest, and its fills cannot all be told apart or read at once'

/** One state may make several fills, even identical ones; those are counted. */
function told(fills: readonly PascalFill[]): VenueFill[] {
  const seen = new Map<string, number>()
  return fills.map((fill) => {
    const name = `${fill.seq}:${fill.fill_price}:${fill.fill_size}`
    const count = seen.get(name) ?? 0
    seen.set(name, count + 1)
    return { key: `${name}:${count}`, fill, filledAt: fill.trade_ts_ms }
  })
}
