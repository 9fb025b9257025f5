// The status of an order, read by its hash with the caller's key and token. The venue reports the sum of its fills, without a time.
import { fromUnits } from '#core/decimal'
import { Fault } from '#core/fault'
import type { LaneContext, LaneExecution, Observation } from '../../lane.ts'
import { findKeyed } from '../../shared/exec/apiKeyClient.ts'
import { nothing, notVisible, observeCancel, observeSum } from '../../shared/exec/orderSnapshot.ts'
import { unknownStateReason } from '../../shared/exec/orderStates.ts'
import { decimals } from './amounts.ts'
import { readArtifact } from './artifact.ts'
import { type Credentials, predictApi } from './auth.ts'
import { OneOrderAnswer, paths, statusOf } from './wire.ts'

export async function refresh(
  context: LaneContext,
  { intent, unsigned, venueRef, clientRef }: LaneExecution,
  credentials: Credentials,
): Promise<Observation> {
  const hash = venueRef ?? clientRef
  const isCancel = intent === 'cancel'
  if ('call' in readArtifact(unsigned) || hash === null) {
    throw new Fault('VALIDATION_ERROR', 'this execution has no order to read', { exchange: 'predictfun' })
  }
  const path = `${paths.orders}/${encodeURIComponent(hash)}`
  const answer = await findKeyed(predictApi, { context, credentials, path, shape: OneOrderAnswer })
  if (answer === null) return notVisible(venueRef, 'the venue does not know this order', !isCancel)
  const { order, ...row } = answer.data
  if (order.hash.toLowerCase() !== hash.toLowerCase()) return nothing(venueRef, 'the answer is about another order')
  const [size, filled] = [row.amount, row.amountFilled].map(shares) as [string | null, string | null]
  const status = statusOf(row.status)
  const observation = {
    status: row.status,
    amount: size,
    amountFilled: filled,
    ...(status === null && { reason: unknownStateReason(row.status) }),
  }
  if (isCancel) return observeCancel(status, { venueRef: hash, shown: true, fills: [], observation })
  return observeSum(
    { venueRef: hash, status, size, filled, observation, reason: 'order rejected' },
    { row, filledAt: context.clock.now() },
  )
}

const shares = (units: string | null | undefined): string | null =>
  units == null ? null : fromUnits(BigInt(units), decimals)
