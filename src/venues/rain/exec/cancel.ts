// Cancels a resting order: a transaction of its own.
import { Fault } from '#core/fault'
import type { ChainNode } from '#net/chainNode'
import type { Built, LaneContext, LaneExecution } from '../../lane.ts'
import { chainOf } from '../../shared/evm.ts'
import { cancellation } from '../../shared/exec/cancelModifyBody.ts'
import { ownerOf } from '../../shared/exec/signature.ts'
import { chainId } from '../ids.ts'
import { boundsOf, readArtifact, transactionTo } from './artifact.ts'
import type { CancelBody } from './body.ts'
import { callData } from './contracts.ts'
import { refusedNow, simulateRevert } from './errors.ts'
import { readLog } from './eventLogs.ts'
import { placedBy } from './placement.ts'

/**
 * Option, side and price are those of the order that was built; its number is in the placement transaction. If the node shows that
 * transaction, no other number is accepted: it would be another order at the same price. Cancelling is never blocked: the pool's current state
 * of the order is only a warning.
 */
export async function buildCancel(
  context: LaneContext,
  target: LaneExecution,
  { orderId }: CancelBody,
): Promise<Built> {
  const { to, call } = readArtifact(target.unsigned)
  if (call.kind !== 'limit') {
    throw new Fault('VALIDATION_ERROR', 'only a limit order rests and can be canceled', { exchange: 'rain' })
  }
  const { side, option, optionSide, price } = call
  const data = callData({ kind: 'cancel', side, option, optionSide, price, orderId })
  const unsigned = transactionTo(to, data)
  const owner = ownerOf('rain', target)
  const node = chainOf(context, 'rain', chainId)
  await checkNumber(node, target, { pool: to, call, orderId })
  const refusal = await simulateRevert(node, { from: owner, to, data }, await node.latest())
  return {
    ...cancellation({ unsigned, bounds: boundsOf(unsigned), clientRef: null, owner }),
    warnings: refusedNow(refusal),
  }
}

async function checkNumber(
  node: ChainNode,
  target: LaneExecution,
  { pool, call, orderId }: { pool: string; call: Parameters<typeof placedBy>[2]; orderId: string },
): Promise<void> {
  const receipt = target.venueRef === null ? null : await node.receipt(target.venueRef)
  const logs = receipt?.logs.flatMap((log) => readLog(pool, log) ?? []) ?? []
  const placed = placedBy(logs, ownerOf('rain', target).toLowerCase(), call)
  if (placed === null || String(placed.orderID) === orderId) return
  const message = `orderId: the placement transaction of this order gave it the number ${placed.orderID}`
  throw new Fault('VALIDATION_ERROR', message, { exchange: 'rain' })
}
