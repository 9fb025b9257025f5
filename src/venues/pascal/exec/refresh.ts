// The status of an order, by its owner's key: no credentials are needed, and the reconciler reads by itself. The venue reports resting orders and
// fills, and nothing about an order that ended otherwise. So an order is filled when its fills say so, and acked while it rests or once anything
// of it was filled; any other end leaves the stored status as it is, and the observation says why.
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
  const shown = open !== null || compareDecimals(filled, '0') > 0
  return {
    status: statusOf(execution, { isOpen: open !== null, filled, size }),
    shown,
    ...(shown && { matchedSize: rest === null || isUntouched ? filled : subtractDecimals(size, rest) }),
    venueRef,
    fills: told(fills),
    observation: {
      orderId: open?.id ?? null,
      sizeRemaining: rest,
      filledSize: filled,
      ...(open === null && compareDecimals(filled, size) < 0 && { reason: isWhole ? gone(filled, size) : tooMany }),
    },
  }
}

function statusOf(
  { status }: Pick<LaneExecution, 'status'>,
  { isOpen, filled, size }: { isOpen: boolean; filled: string; size: string },
): ExecutionStatus | null {
  if (compareDecimals(filled, size) >= 0) return 'filled'
  if (isOpen) return 'acked'
  // It arrived, but the fate of the remainder is unknown: news only for an order not known to have arrived.
  const isNews = status === 'submitted' || status === 'failed'
  return isNews && compareDecimals(filled, '0') > 0 ? 'acked' : null
}

const gone = (filled: string, size: string): string =>
  `it does not rest, and ${filled} of ${size} contracts were filled: pascal does not report cancellations, expiries or refusals, so the stored status stays`
const tooMany = 'it does not rest, and the account has more fills since than we read at once'

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
