// The artifacts: an order is ready for a wallet's signTypedData, plus venue-only fields; a cancellation is the body of its request, a
// redemption a transaction.
// What must hold of them at submit: same market, same wallet; no more given, no less received.
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import type { Built, LaneContext, LaneExecution } from '../../lane.ts'
import { artifactReader, violation } from '../../shared/exec/artifact.ts'
import { boundsChecker, readBounds } from '../../shared/exec/bounds.ts'
import { cancellation } from '../../shared/exec/cancelModifyBody.ts'
import { heldOptions, type StatedOptions } from '../../shared/exec/orderOptions.ts'
import { positionBounds, positionRules } from '../../shared/exec/positionBuilds.ts'
import { intentOfCall } from '../../shared/exec/positionCalls.ts'
import { redemptionRule, redemptionShape } from '../../shared/exec/redemption.ts'
import { checkTypedOrder, HeldOrder, sameTypedOrder, typedOrderBounds } from '../../shared/exec/typedDataChecks.ts'
import { hexText, Uint } from '../../shared/exec/typedOrder.ts'
import { chainId, conditionalTokens, order, publicTaker } from './typedData.ts'

/** Posted as a JSON number. */
const Posted = Uint.refine((text) => Number.isSafeInteger(Number(text)), 'is posted as a JSON number')

const Message = z.strictObject({
  salt: Posted,
  maker: hexText(40),
  signer: hexText(40),
  taker: z.literal(publicTaker),
  tokenId: Uint,
  makerAmount: Posted,
  takerAmount: Posted,
  expiration: z.literal('0'),
  nonce: z.literal('0'),
  feeRateBps: Posted,
  side: z.union([z.literal(0), z.literal(1)]),
  signatureType: z.literal(0),
})

const OrderArtifact = order.shapeOf(Message, hexText(40)).extend({
  /** What submit posts in addition to the signed order. */
  post: z.strictObject({
    price: z.string().regex(/^0\.\d{1,3}$/),
    ownerId: z.int().positive(),
    /** FAK is the venue's immediate-or-cancel. */
    orderType: z.enum(['GTC', 'FAK']),
    marketSlug: z.string().min(1).max(300),
    clientOrderId: z.uuid(),
    /** These only if requested. */
    postOnly: z.literal(true).optional(),
    stpPolicy: z.enum(['cancel_taker', 'cancel_maker', 'cancel_both']).optional(),
  }),
})
export type OrderArtifact = z.infer<typeof OrderArtifact>

/** Our own id of the order, with which it was posted. */
const CancelArtifact = z.strictObject({ clientOrderId: z.uuid() })

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
  CancelArtifact.transform((cancel) => ({ kind: 'cancel' as const, cancel })),
  OrderArtifact.transform((order) => ({ kind: 'order' as const, order })),
  CallArtifact.transform((call) => ({ kind: intentOfCall(call.data), call })),
])

export const readArtifact = artifactReader('limitless', Artifact)

export const readCall = artifactReader('limitless', CallArtifact)

export async function buildCancel(_context: LaneContext, { unsigned, owner, venueRef }: LaneExecution): Promise<Built> {
  const target = readArtifact(unsigned)
  if (target.kind !== 'order' || venueRef === null) {
    throw new Fault('VALIDATION_ERROR', 'the venue never acknowledged this order', { exchange: 'limitless' })
  }
  const { clientOrderId } = target.order.post
  const cancel = { clientOrderId }
  return cancellation({ unsigned: cancel, bounds: boundsOf(cancel), clientRef: clientOrderId, owner })
}

/** An artifact's self-description. Throws for an invalid one. */
export function boundsOf(unsigned: JsonObject): JsonObject {
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'cancel') return { kind: 'cancel', clientOrderId: artifact.cancel.clientOrderId }
  if ('call' in artifact) return positionBounds(artifact.kind, artifact.call)
  const { message, post } = artifact.order
  const { price, ownerId, marketSlug } = post
  return {
    ...typedOrderBounds(artifact.order),
    feeRateBps: message.feeRateBps,
    price,
    ownerId,
    marketSlug,
    ...heldOptions(optionsOf(post)),
  }
}

const preventions = {
  cancel_taker: 'cancel-taker',
  cancel_maker: 'cancel-maker',
  cancel_both: 'cancel-both',
} as const

export const optionsOf = ({ orderType, postOnly, clientOrderId, stpPolicy }: OrderArtifact['post']) =>
  ({
    timeInForce: orderType === 'FAK' ? 'immediate-or-cancel' : 'good-til-cancel',
    postOnly,
    clientOrderId,
    selfTradePrevention: stpPolicy && preventions[stpPolicy],
  }) as const satisfies StatedOptions

const { otherwise } = redemptionRule

const checkSame = boundsChecker('limitless', boundsOf, {
  order: {
    otherwise,
    same: {
      ...sameTypedOrder,
      feeRateBps: 'it lets the venue take another fee',
      price: 'it is posted with another price',
      ownerId: 'it is posted for another profile',
      marketSlug: 'it is posted for another market',
    },
  },
  cancel: { otherwise, same: { clientOrderId: 'it cancels another order' } },
  redeem: redemptionRule,
  ...positionRules,
})

export function checkBounds(unsigned: JsonObject, bounds: JsonObject): void {
  checkSame(unsigned, bounds)
  const artifact = readArtifact(unsigned)
  if (!('order' in artifact)) return
  checkTypedOrder('limitless', artifact.order, readBounds('limitless', HeldOrder, bounds))
  const { orderType, postOnly } = artifact.order.post
  if (orderType === 'FAK' && postOnly === true) throw violation('limitless', 'an order that never rests is post-only')
}
