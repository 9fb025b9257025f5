// The artifacts this lane stores, and what must hold of them at submit: same market, same wallet; no more given, no less received. An order
// is ready for a wallet's signTypedData, plus venue-only fields.
import { z } from 'zod'
import { toUnits } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { Built, LaneContext, LaneExecution } from '../../lane.ts'
import { artifactReader, violation } from '../../shared/exec/artifact.ts'
import { boundsChecker, readBounds } from '../../shared/exec/bounds.ts'
import { cancellation, orderIdOf } from '../../shared/exec/cancelModifyBody.ts'
import { CtfMessage } from '../../shared/exec/ctfOrder.ts'
import { heldOptions } from '../../shared/exec/orderOptions.ts'
import { positionBounds, positionRules } from '../../shared/exec/positionBuilds.ts'
import { intentOfCall } from '../../shared/exec/positionCalls.ts'
import { redemptionRule, redemptionShape } from '../../shared/exec/redemption.ts'
import { checkTypedOrder, HeldOrder, sameTypedOrder, typedOrderBounds } from '../../shared/exec/typedDataChecks.ts'
import { hexText } from '../../shared/exec/typedOrder.ts'
import { chainId, conditionalTokens, order } from './typedData.ts'

export const Message = CtfMessage.extend({
  feeRateBps: z.literal('0'),
  signatureType: z.union([z.literal(0), z.literal(2)]),
})

/** The exchange follows from the payment token, and is fixed by the bounds. */
const OrderArtifact = order.shapeOf(Message, hexText(40)).extend({
  /** What submit posts in addition to the signed order. */
  post: z.strictObject({
    topicId: z.number().int().positive(),
    currencyAddress: hexText(40),
    price: z.string().regex(/^0\.\d{1,6}$/),
    /** Only if requested. */
    postOnly: z.literal(true).optional(),
  }),
})
export type OrderArtifact = z.infer<typeof OrderArtifact>

/** The body of the cancellation: the venue's id of the order. */
const CancelArtifact = z.strictObject({ orderId: z.string().min(1).max(100) })

const CallArtifact = redemptionShape(z.literal(conditionalTokens), chainId)

/** Its artifacts by intent: as stored, and read back. */
export const artifacts = {
  order: OrderArtifact,
  cancel: CancelArtifact,
  redeem: CallArtifact,
  split: CallArtifact,
  merge: CallArtifact,
}

const Artifact = z.union([
  OrderArtifact.transform((order) => ({ kind: 'order' as const, order })),
  CancelArtifact.transform((cancel) => ({ kind: 'cancel' as const, cancel })),
  CallArtifact.transform((call) => ({ kind: intentOfCall(call.data), call })),
])

export const readArtifact = artifactReader('opinion', Artifact)

export const readCall = artifactReader('opinion', CallArtifact)

/** An artifact's self-description. Throws for an invalid one. */
export function boundsOf(unsigned: JsonObject): JsonObject {
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'cancel') return { kind: 'cancel', orderId: artifact.cancel.orderId }
  if ('call' in artifact) return positionBounds(artifact.kind, artifact.call)
  const { message, post } = artifact.order
  const { postOnly, ...posted } = post
  const { expiration } = message
  return { ...typedOrderBounds(artifact.order), expiration, ...posted, ...heldOptions({ postOnly }) }
}

/** Only the stored order id. The key comes with submit. */
export async function buildCancel(_context: LaneContext, target: LaneExecution): Promise<Built> {
  const orderId = orderIdOf('opinion', target)
  const unsigned = { orderId }
  return cancellation({ unsigned, bounds: boundsOf(unsigned), clientRef: orderId, owner: target.owner })
}

const checkSame = boundsChecker('opinion', boundsOf, {
  order: {
    otherwise: redemptionRule.otherwise,
    same: {
      ...sameTypedOrder,
      expiration: 'it expires at another time',
      topicId: 'it is for another market',
      currencyAddress: 'it pays in another token',
      price: 'it names another price',
    },
  },
  cancel: { otherwise: redemptionRule.otherwise, same: { orderId: 'it cancels another order' } },
  redeem: redemptionRule,
  ...positionRules,
})

export function checkBounds(unsigned: JsonObject, bounds: JsonObject): void {
  checkSame(unsigned, bounds)
  const artifact = readArtifact(unsigned)
  if (!('order' in artifact)) return
  checkTypedOrder('opinion', artifact.order, readBounds('opinion', HeldOrder, bounds))
  const { message, post } = artifact.order
  if (message.signatureType === 0 && message.maker !== message.signer) {
    throw violation('opinion', 'an EOA can only pay for itself')
  }
  const [cash, shares] =
    message.side === 0 ? [message.makerAmount, message.takerAmount] : [message.takerAmount, message.makerAmount]
  if (BigInt(cash) * 1_000_000n !== BigInt(shares) * toUnits(post.price, 6)) {
    throw violation('opinion', 'its amounts are another price than it names')
  }
}
