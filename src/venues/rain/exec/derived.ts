// Actions on a resting order, and on an ended option: each a transaction of its own.
import { Fault } from '#core/fault'
import type { ChainNode } from '#net/chainNode'
import type { Built, LaneContext, LaneExecution } from '../../lane.ts'
import { chainOf } from '../../shared/evm.ts'
import { cancellation } from '../../shared/exec/cancelModifyBody.ts'
import { lossWarning, type RedeemBody, redemption, resolveRedeemed } from '../../shared/exec/redemption.ts'
import { ownerOf } from '../../shared/exec/signature.ts'
import { chainId } from '../ids.ts'
import { boundsOf, readArtifact, transactionTo } from './artifact.ts'
import type { CancelBody } from './body.ts'
import { callData, selectorOf } from './contracts.ts'
import { readLog } from './eventLogs.ts'
import { readCatalogFacts } from './facts.ts'
import { placedBy } from './placement.ts'
import { checkPool, unverifiedWarning } from './pool.ts'
import { checkDone, type Refusal, simulateRevert } from './reverts.ts'

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

/** One call claims both sides of an option. */
export async function buildRedeem(context: LaneContext, body: RedeemBody): Promise<Built> {
  const { owner } = body
  const resolved = await resolveRedeemed(context.catalog, body)
  const { pool, option, token } = readCatalogFacts(resolved)
  const data = callData({ kind: 'redeem', option: String(option) })
  const node = chainOf(context, 'rain', chainId)
  const selectors = [selectorOf(data)]
  const { block, isProven } = await checkPool(context, node, {
    pool,
    option,
    token,
    selectors,
    facet: 'diamondClaimFacet',
  })
  const refusal = await simulateRevert(node, { from: owner, to: pool, data }, block)
  checkDone('outcome', refusal)
  const warnings = [...(isProven ? [] : [unverifiedWarning]), ...lossWarning(body, resolved), ...refusedNow(refusal)]
  const built = redemption({ to: pool, data, chainId }, { owner, warnings })
  return { ...built, bounds: boundsOf(built.unsigned) }
}

const refusedNow = (refusal: Refusal | null): string[] =>
  refusal === null ? [] : [`sent now it would be refused (${refusal.text.slice(0, 100)})`]
