// The artifacts this lane stores, and what must hold of them at submit: same market, same wallet; no more given, no less received. An order
// is ready for a wallet's signTypedData; a smart wallet's also contains what its owner signs instead.
import { z } from 'zod'
import { toUnits } from '#core/decimal'
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import type { Built, LaneContext, LaneExecution } from '../../lane.ts'
import { artifactReader, violation } from '../../shared/exec/artifact.ts'
import { boundsChecker, readBounds } from '../../shared/exec/bounds.ts'
import { cancellation } from '../../shared/exec/cancelModifyBody.ts'
import { CtfMessage } from '../../shared/exec/ctfOrder.ts'
import { heldOptions, type StatedOptions } from '../../shared/exec/orderOptions.ts'
import { positionBounds, positionRules } from '../../shared/exec/positionBuilds.ts'
import { redemptionRule, redemptionShape } from '../../shared/exec/redemption.ts'
import { checkTypedOrder, HeldOrder, sameTypedOrder, typedOrderBounds } from '../../shared/exec/typedDataChecks.ts'
import { hexText } from '../../shared/exec/typedOrder.ts'
import { intentOf } from './kernelCall.ts'
import { chainId, exchanges, kernelDigest, order, orderHash } from './typedData.ts'

export const Message = CtfMessage.extend({ signatureType: z.literal(0) })

const { plain, negRisk, yieldPlain, yieldNegRisk } = exchanges
const OrderArtifact = order.shapeOf(Message, z.enum([plain, negRisk, yieldPlain, yieldNegRisk])).extend({
  /** What submit posts in addition to the signed order. */
  post: z.strictObject({
    pricePerShare: z.string().regex(/^[1-9]\d{0,17}$/),
    strategy: z.literal('LIMIT'),
    /** These only if requested. */
    isPostOnly: z.literal(true).optional(),
    selfTradePrevention: z.enum(['CANCEL_TAKER', 'CANCEL_MAKER', 'CANCEL_BOTH']).optional(),
  }),
  /** For a smart wallet: `owner` signs `digest`, 32 bytes, by personal_sign. */
  kernel: z.strictObject({ owner: hexText(40), digest: hexText(64) }).optional(),
})
export type OrderArtifact = z.infer<typeof OrderArtifact>

/** Named by its hash. */
const CancelArtifact = z.strictObject({ orderHash: hexText(64) })

/** To a contract of the venue's, or to the smart wallet that calls it. */
const CallArtifact = redemptionShape(hexText(40), chainId)

/** Its artifacts by intent: as stored, and read back. */
export const artifacts = {
  order: OrderArtifact,
  cancel: CancelArtifact,
  redeem: CallArtifact,
  split: CallArtifact,
  merge: CallArtifact,
  convert: CallArtifact,
}

const Artifact = z.union([
  OrderArtifact.transform((order) => ({ kind: 'order' as const, order })),
  CancelArtifact.transform((cancel) => ({ kind: 'cancel' as const, cancel })),
  CallArtifact.transform((call) => ({ kind: intentOf(call.data), call })),
])

export const readArtifact = artifactReader('predictfun', Artifact)

export const readCall = artifactReader('predictfun', CallArtifact)

/** An artifact's self-description. Throws for an invalid one. */
export function boundsOf(unsigned: JsonObject): JsonObject {
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'cancel') return { kind: 'cancel', orderHash: artifact.cancel.orderHash }
  if ('call' in artifact) return positionBounds(artifact.kind, artifact.call)
  const { message, post, kernel } = artifact.order
  const { expiration, feeRateBps } = message
  const owner = kernel?.owner ?? message.signer
  const posted = { pricePerShare: post.pricePerShare, ...heldOptions(optionsOf(post)) }
  return { ...typedOrderBounds(artifact.order), expiration, feeRateBps, owner, ...posted }
}

const preventions = {
  CANCEL_TAKER: 'cancel-taker',
  CANCEL_MAKER: 'cancel-maker',
  CANCEL_BOTH: 'cancel-both',
} as const

export const optionsOf = ({ isPostOnly, selfTradePrevention }: OrderArtifact['post']) =>
  ({
    postOnly: isPostOnly,
    selfTradePrevention: selfTradePrevention && preventions[selfTradePrevention],
  }) satisfies StatedOptions

/** Removes it from the venue's book; nothing is sent to the chain. */
export async function buildCancel(_context: LaneContext, { venueRef, owner }: LaneExecution): Promise<Built> {
  if (venueRef === null) {
    throw new Fault('VALIDATION_ERROR', 'this order was never sent to the venue', { exchange: 'predictfun' })
  }
  const unsigned = { orderHash: venueRef }
  return cancellation({ unsigned, bounds: boundsOf(unsigned), clientRef: venueRef, owner })
}

const checkSame = boundsChecker('predictfun', boundsOf, {
  order: {
    otherwise: redemptionRule.otherwise,
    same: {
      ...sameTypedOrder,
      expiration: 'it expires at another time',
      feeRateBps: 'it lets the venue take another fee',
      owner: 'it is signed by another account',
      pricePerShare: 'it names another price',
    },
  },
  cancel: { otherwise: redemptionRule.otherwise, same: { orderHash: 'it cancels another order' } },
  redeem: redemptionRule,
  ...positionRules,
})

export function checkBounds(unsigned: JsonObject, bounds: JsonObject): void {
  checkSame(unsigned, bounds)
  const artifact = readArtifact(unsigned)
  if (!('order' in artifact)) return
  checkTypedOrder('predictfun', artifact.order, readBounds('predictfun', HeldOrder, bounds))
  const { domain, message, post, kernel } = artifact.order
  if (message.maker !== message.signer) throw violation('predictfun', 'maker and signer are two')
  const [cash, shares] =
    message.side === 0 ? [message.makerAmount, message.takerAmount] : [message.takerAmount, message.makerAmount]
  if (BigInt(cash) * toUnits('1', 18) !== BigInt(shares) * BigInt(post.pricePerShare)) {
    throw violation('predictfun', 'its amounts are another price than it names')
  }
  if (kernel === undefined) return
  const digest = kernelDigest(message.maker, orderHash(message, domain.verifyingContract))
  if (kernel.digest !== digest) throw violation('predictfun', 'its owner would sign something else')
}
