// The status of an order that was not built here, read with the caller's key. The venue reports the total filled; what exceeds the stored fills is
// reported. A fill whose exact amount is no longer stored could be counted twice, so then nothing is reported.
import { Fault } from '#core/fault'
import type { ExecutionStatus, JsonObject } from '#schemas/executions'
import type { LaneContext, LaneExecution, Observation, VenueFill } from '../../lane.ts'
import { findKeyed } from '../../shared/exec/apiKeyClient.ts'
import { nothing, notVisible } from '../../shared/exec/orderSnapshot.ts'
import { unknownStateReason } from '../../shared/exec/orderStates.ts'
import { type Credentials, sxbetApi } from './auth.ts'
import { RecordedFill, SxbetOrder, statusOf } from './wire.ts'

/** Throws VALIDATION_ERROR, VENUE_CREDENTIAL_REJECTED, NETWORK_ERROR. */
export async function refresh(
  context: LaneContext,
  { venueRef }: LaneExecution,
  credentials: Credentials,
  _search: unknown,
  recorded: () => Promise<readonly JsonObject[]> = async () => [],
): Promise<Observation> {
  if (venueRef === null) return nothing(null, 'nothing to look up')
  const kept = recordedUnits(await recorded())
  const path = `/orders-v3/${encodeURIComponent(venueRef)}`
  const answer = await findKeyed(sxbetApi, { context, credentials, path, shape: SxbetOrder })
  if (answer === null) return notVisible(venueRef, 'the venue does not show this order', false)
  const { order } = answer.data
  if (order.id !== venueRef) return nothing(venueRef, 'the answer is about another order')
  const word = order.status === 'INACTIVE' ? (order.inactiveReason ?? order.status) : order.status
  const reportedStatus = statusOf(word)
  const { totalBetSize: size, remainingSize: rest } = order
  if (size == null || rest == null) {
    const reason = 'the venue shows the order without its sizes'
    return { ...nothing(venueRef, reason), shown: true, status: reportedStatus === 'acked' ? reportedStatus : null }
  }
  const filled = BigInt(size) - BigInt(rest)
  const more = filled - kept
  const fill = { orderId: order.id, fillAmount: String(more), cumulativeFilled: String(filled) }
  return {
    status: reportedStatus === null ? null : settled(reportedStatus, { filled, size: BigInt(size) }),
    shown: true,
    venueRef,
    fills: more > 0n ? [toVenueFill(fill, order.updatedAt, context)] : [],
    observation: {
      status: word,
      cumulativeFilled: String(filled),
      recorded: String(kept),
      ...(reportedStatus === null && { reason: unknownStateReason(word) }),
    },
  }
}

/** The state and the sizes are read together: an ended order is filled, or canceled with what was filled of it. */
function settled(reportedStatus: ExecutionStatus, { filled, size }: { filled: bigint; size: bigint }): ExecutionStatus {
  if (reportedStatus === 'acked' || filled <= 0n) return reportedStatus
  if (filled >= size) return 'filled'
  return reportedStatus === 'filled' ? 'canceled' : reportedStatus
}

/** The same sum is the same fill, whichever read saw it first. */
function toVenueFill(
  fill: { orderId: string; fillAmount: string; cumulativeFilled: string },
  updatedAt: string | null | undefined,
  { clock }: LaneContext,
): VenueFill {
  const at = Date.parse(updatedAt ?? '')
  return { key: `${fill.orderId}:${fill.cumulativeFilled}`, fill, filledAt: Number.isFinite(at) ? at : clock.now() }
}

function recordedUnits(fills: readonly JsonObject[]): bigint {
  return fills.reduce((sum, fill) => {
    const parsed = RecordedFill.safeParse(fill)
    if (parsed.success) return sum + BigInt(parsed.data.fillAmount)
    throw new Fault(
      'VALIDATION_ERROR',
      'a fill of this execution is kept without its exact amount: it would be counted twice',
      {
        exchange: 'sxbet',
      },
    )
  }, 0n)
}
