// The artifacts this lane stores, and what must hold of them at submit: same market, same wallet; no more given, no less received. An order
// is ready for a wallet's signTypedData, plus venue-only fields: the expiry is posted, not signed.
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import type { AcceptanceDeadline, Built, LaneContext, LaneExecution } from '../../lane.ts'
import { artifactReader, violation } from '../../shared/exec/artifact.ts'
import { boundsChecker, readBounds } from '../../shared/exec/bounds.ts'
import { cancellation } from '../../shared/exec/cancelModifyBody.ts'
import { clobTimes, heldOptions, type StatedOptions } from '../../shared/exec/orderOptions.ts'
import { positionBounds, positionRules } from '../../shared/exec/positionBuilds.ts'
import { intentOfCall } from '../../shared/exec/positionCalls.ts'
import { redemptionRule, redemptionShape } from '../../shared/exec/redemption.ts'
import { checkTypedOrder, HeldOrder, sameTypedOrder, typedOrderBounds } from '../../shared/exec/typedDataChecks.ts'
import { hexText, typedShape, Uint } from '../../shared/exec/typedOrder.ts'
import { signRequestTypes } from './depositWallet.ts'
import { chainId, Domain, type OrderMessage, order, redeemAdapters, zeroBytes32 } from './typedData.ts'

const Message = z.strictObject({
  salt: Uint.refine((text) => Number.isSafeInteger(Number(text)), 'is posted as a JSON number'),
  maker: hexText(40),
  signer: hexText(40),
  tokenId: Uint,
  makerAmount: Uint,
  takerAmount: Uint,
  side: z.union([z.literal(0), z.literal(1)]),
  signatureType: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  timestamp: z.string().regex(/^\d{1,15}$/),
  metadata: hexText(64),
  builder: hexText(64),
})

/** What submit posts in addition to the signed order. */
const post = z.strictObject({
  /** FAK is the venue's immediate-or-cancel. */
  orderType: z.enum(['GTC', 'GTD', 'FOK', 'FAK']),
  /** Unix seconds; `0` but for GTD. */
  expiration: z.string().regex(/^(0|[1-9]\d{0,9})$/),
  /** Only if requested. */
  postOnly: z.literal(true).optional(),
})

/** Of types 0 to 2: what is signed is the order. */
const PlainOrder = order.shapeOf(Message, Domain).extend({ post }).meta({ id: 'PolymarketPlainOrder' })

/** Of type 3: what is signed is the order and the deposit wallet it is for. */
const WalletOrder = typedShape(
  signRequestTypes,
  'TypedDataSign',
  z.strictObject({
    contents: Message,
    name: z.literal('DepositWallet'),
    version: z.literal('1'),
    chainId: z.literal(String(chainId)),
    verifyingContract: hexText(40),
    salt: z.literal(zeroBytes32),
  }),
  Domain,
)
  .extend({ post })
  .meta({ id: 'PolymarketWalletOrder' })

const OrderArtifact = z.union([PlainOrder, WalletOrder])
export type OrderArtifact = z.infer<typeof OrderArtifact>

/** The order in it, whatever is signed. */
export const orderIn = (artifact: OrderArtifact): OrderMessage =>
  artifact.primaryType === 'TypedDataSign' ? artifact.message.contents : artifact.message

/** The body of the cancellation. */
const CancelArtifact = z.strictObject({ orderID: hexText(64) })

/** A transaction its holder sends. */
const CallArtifact = redemptionShape(z.enum([redeemAdapters.normal, redeemAdapters.negRisk]), chainId)

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
  CallArtifact.transform((call) => ({ kind: intentOfCall(call.data), call })),
])

export const readArtifact = artifactReader('polymarket', Artifact)

export const readCall = artifactReader('polymarket', CallArtifact)

export async function buildCancel(_context: LaneContext, { venueRef: orderID, owner }: LaneExecution): Promise<Built> {
  if (orderID === null) {
    throw new Fault('VALIDATION_ERROR', 'this order was never sent to the venue', { exchange: 'polymarket' })
  }
  return cancellation({ unsigned: { orderID }, bounds: boundsOf({ orderID }), clientRef: orderID, owner })
}

/** An artifact's self-description. Throws for an invalid one. */
export function boundsOf(unsigned: JsonObject): JsonObject {
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'cancel') return { kind: 'cancel', orderID: artifact.cancel.orderID }
  if ('call' in artifact) return positionBounds(artifact.kind, artifact.call)
  const { domain, post } = artifact.order
  return {
    ...typedOrderBounds({ domain, message: orderIn(artifact.order) }),
    expiresAt: Number(post.expiration),
    // Whether it is good-til-date follows from the expiry.
    ...heldOptions({ timeInForce: neverRests(post) ? clobTimes[post.orderType] : undefined, postOnly: post.postOnly }),
  }
}

type Post = z.infer<typeof post>

const neverRests = ({ orderType }: Pick<Post, 'orderType'>): boolean => orderType === 'FOK' || orderType === 'FAK'

export const optionsOf = ({ orderType, postOnly }: Post) =>
  ({ timeInForce: clobTimes[orderType], postOnly }) satisfies StatedOptions

const { otherwise } = redemptionRule

const checkSame = boundsChecker('polymarket', boundsOf, {
  order: { otherwise, same: { ...sameTypedOrder, expiresAt: 'it expires at another time' } },
  cancel: { otherwise, same: { orderID: 'it cancels another order' } },
  redeem: redemptionRule,
  ...positionRules,
})

export function checkBounds(unsigned: JsonObject, bounds: JsonObject): void {
  checkSame(unsigned, bounds)
  const artifact = readArtifact(unsigned)
  if (!('order' in artifact)) return
  const { post } = artifact.order
  const message = orderIn(artifact.order)
  checkTypedOrder('polymarket', { message }, readBounds('polymarket', HeldOrder, bounds))
  if (artifact.order.primaryType === 'TypedDataSign' && artifact.order.message.verifyingContract !== message.signer) {
    throw violation('polymarket', 'it is signed for another wallet')
  }
  if ((artifact.order.primaryType === 'TypedDataSign') !== (message.signatureType === 3)) {
    throw violation('polymarket', 'it is not signed as its signatureType says')
  }
  if ((post.orderType === 'GTD') === (post.expiration === '0')) {
    throw violation('polymarket', 'its lifetime is not as requested')
  }
  if (neverRests(post) && post.postOnly === true)
    throw violation('polymarket', 'an order that never rests is post-only')
}

/** Null without an expiry: the maximum age of a request's own signature is undocumented. */
export function lateBound({ unsigned }: LaneExecution): AcceptanceDeadline | null {
  const artifact = readArtifact(unsigned)
  if (!('order' in artifact) || artifact.order.post.orderType !== 'GTD') return null
  return { untilMs: Number(artifact.order.post.expiration) * 1_000, rule: 'orders past their expiry are refused' }
}
