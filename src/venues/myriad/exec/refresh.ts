// The status of an order, by its hash: the read is public, and the reconciler reads by itself. The venue reports the sum of the fills, so it
// is one fill, reported with the terminal state.
import { z } from 'zod'
import { fromUnits } from '#core/decimal'
import { Fault } from '#core/fault'
import type { LaneContext, LaneExecution, Observation } from '../../lane.ts'
import { readFault } from '../../shared/exec/mapReadError.ts'
import { hasLagged, nothing, notVisible, observeCancel, observeSum } from '../../shared/exec/orderSnapshot.ts'
import { unknownStateReason } from '../../shared/exec/orderStates.ts'
import { noNodeOf } from '../../shared/exec/sentCall.ts'
import { readArtifact } from './artifact.ts'
import { isNotFound, myriadErrors } from './errors.ts'
import { hasRpcNode, observeTransaction } from './transaction.ts'
import { orderHash } from './typedData.ts'
import { MyriadOrder, paths, statusOf } from './wire.ts'

/** Of shares. */
const decimals = 18
const sharesOf = (wei: string | null | undefined): string | null =>
  wei == null ? null : fromUnits(BigInt(wei), decimals)

export async function refresh(context: LaneContext, execution: LaneExecution): Promise<Observation> {
  const { unsigned, venueRef, clientRef } = execution
  const artifact = readArtifact(unsigned)
  const hash = venueRef ?? clientRef
  if (hash === null) {
    throw new Fault('VALIDATION_ERROR', 'this execution has no order to read', { exchange: 'myriad' })
  }
  if (artifact.kind === 'call') {
    const { chainId } = artifact.call
    return hasRpcNode(context, chainId) ? observeTransaction(context, execution) : nothing(venueRef, noNodeOf(chainId))
  }
  const isCancel = artifact.kind === 'cancel'
  const row = await readOrder(context, hash)
  if (row === null) return notVisible(venueRef, 'the venue has no order of this hash', !isCancel)
  const message = isCancel ? artifact.cancel.order : artifact.order.message
  if (orderHash(row.order) !== orderHash(message)) return nothing(venueRef, 'the answer is about another order')
  const status = statusOf(row.status)
  const [size, filled] = [sharesOf(row.order.amount), sharesOf(row.filledAmount)]
  const observation = {
    status: row.status,
    size,
    filled,
    ...(status === null && { reason: unknownStateReason(row.status) }),
  }
  const seen = { venueRef: row.orderHash, observation }
  if (isCancel) return observeCancel(status, { ...seen, shown: true, fills: [] })
  const reportedAt = timeOf(row.filledAt) ?? timeOf(row.cancelledAt) ?? timeOf(row.updatedAt)
  const isOld = reportedAt !== null && hasLagged(reportedAt, context.clock)
  const filledAt = reportedAt ?? context.clock.now()
  return observeSum({ ...seen, status, size, filled, isOld }, { row: { size: filled, ...row }, filledAt })
}

/** Null when the venue itself says that it has none. Throws NETWORK_ERROR. */
async function readOrder({ http, urls, signal }: LaneContext, hash: string): Promise<MyriadOrder | null> {
  const { status, body } = await http.request({ url: `${urls.REST}${paths.order}${hash}`, signal })
  if (isNotFound(status, body)) return null
  const row = MyriadOrder.safeParse(body)
  if (status === 200 && row.success) return row.data
  const why = row.success ? '' : z.prettifyError(row.error)
  throw readFault(myriadErrors, { venue: 'myriad', status, body, why })
}

function timeOf(text: string | null | undefined): number | null {
  const at = Date.parse(text ?? '')
  return Number.isFinite(at) ? at : null
}
