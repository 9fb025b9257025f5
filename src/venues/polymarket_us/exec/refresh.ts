// The status of an order, read with the caller's transient key. The venue lists no fills of an order, only their sum; the fill time is
// ours, because an order row has none.
import type { LaneContext, LaneExecution, Observation, Search } from '../../lane.ts'
import { findKeyed } from '../../shared/exec/apiKeyClient.ts'
import { nothing, notVisible, observeCancel, observeSum, plain } from '../../shared/exec/orderSnapshot.ts'
import { unknownStateReason } from '../../shared/exec/orderStates.ts'
import { isCancel, type OrderArtifact, OrderId, orderIdIn, readArtifact } from './artifact.ts'
import { type Credentials, usApi } from './auth.ts'
import { aboutOf } from './errors.ts'
import { findLost } from './findLostOrder.ts'
import { knownOrderStates, OrderAnswer, statusOf, type UsOrder } from './wire.ts'

export async function refresh(
  context: LaneContext,
  execution: LaneExecution,
  credentials: Credentials,
  search?: (refs: readonly string[], apartMs: number) => Promise<Search>,
): Promise<Observation> {
  const artifact = readArtifact(execution.unsigned)
  const ref = execution.venueRef ?? orderIdIn(artifact)
  if (ref === null) {
    if (isCancel(artifact)) return nothing(null, 'no order id')
    const found = await findLost(context, { execution, artifact, search }, credentials)
    if ('order' in found) return observe(context, found.order, artifact)
    const { isSilent, mayBe, ...observed } = found
    return {
      ...(isSilent ? notVisible(null, found.reason, true) : nothing(null, found.reason)),
      ...(mayBe !== undefined && { mayBe }),
      observation: plain(observed),
    }
  }
  if (!OrderId.safeParse(ref).success) return nothing(ref, 'the stored order id is not one of this venue’s')
  const answer = await findKeyed(usApi, { context, credentials, path: `/v1/order/${ref}`, shape: OrderAnswer })
  if (answer === null) return { ...nothing(ref, 'the venue does not know this order'), shown: false }
  const { order } = answer
  if (order.id !== ref || (order.marketSlug ?? artifact.marketSlug) !== artifact.marketSlug) {
    return nothing(ref, 'the answer is about another order')
  }
  if (!isCancel(artifact)) return observe(context, order, artifact)
  const { id, state } = order
  const observation = { state, ...reasonOf(state) }
  return observeCancel(statusOf(state), { shown: true, venueRef: id, fills: [], observation })
}

function observe({ clock }: LaneContext, order: UsOrder, ours: OrderArtifact): Observation {
  const { id, state, quantity, cumQuantity, leavesQuantity } = order
  const seen = observeSum(
    {
      venueRef: id,
      status: statusOf(state),
      size: quantity,
      filled: cumQuantity,
      observation: {
        state,
        cumQuantity: cumQuantity ?? null,
        leavesQuantity: leavesQuantity ?? null,
        ...reasonOf(state),
      },
      reason: rejectReason(order),
    },
    { row: order, filledAt: clock.now() },
  )
  return { ...seen, about: aboutOf(order, ours) }
}

/** Why a state leaves the status as it is. */
function reasonOf(state: string): { reason?: string } {
  if (!knownOrderStates.includes(state)) return { reason: unknownStateReason(state) }
  return statusOf(state) === null ? { reason: 'the order was replaced, and the venue does not say by which' } : {}
}

const rejectReason = ({ text, orderRejectReason }: UsOrder): string =>
  [text, orderRejectReason].find((value): value is string => typeof value === 'string' && value !== '') ??
  'order rejected'
