// The artifacts: an order, including its domain, is ready for a wallet's signTypedData, plus venue-only fields; a cancellation is
// the body of its request. What must hold of them at submit: same domain, same market, same wallets; no more given, no less received.
import { z } from 'zod'
import type { JsonObject } from '#schemas/executions'
import type { Built, LaneContext, LaneExecution } from '../../lane.ts'
import { artifactReader } from '../../shared/exec/artifact.ts'
import { boundsChecker, readBounds } from '../../shared/exec/bounds.ts'
import { cancellation, orderIdOf } from '../../shared/exec/cancelModifyBody.ts'
import { HeldOrder, sameTypedOrder, typedOrderBounds } from '../../shared/exec/typedDataChecks.ts'
import { checkAmounts, hexText, Uint } from '../../shared/exec/typedOrder.ts'
import { anyTaker, chainId, domainName, exchanges, order } from './typedData.ts'

const Message = z.strictObject({
  salt: Uint,
  maker: hexText(40),
  signer: hexText(40),
  taker: z.literal(anyTaker),
  tokenId: Uint,
  makerAmount: Uint,
  takerAmount: Uint,
  expiration: z.literal('0'),
  feeRateBps: z.literal('0'),
  side: z.union([z.literal(0), z.literal(1)]),
  /** The signer's vault. */
  signatureType: z.literal(1),
})

const Domain = z.strictObject({
  name: z.literal(domainName),
  version: z.string().min(1).max(100),
  chainId: z.literal(chainId),
  verifyingContract: z.enum([exchanges.binary, exchanges.negRisk]),
})

const Figure = z.string().regex(/^(0|[1-9]\d{0,11})(\.\d{1,6})?$/)

const OrderArtifact = order.shapeOf(Message, Domain).extend({
  /** What submit posts in addition to the signed order, in decimals instead of units. */
  post: z.strictObject({
    marketId: z.string().min(1).max(200),
    outcome: z.string().regex(/^\d{1,3}$/),
    price: Figure,
    quantity: Figure,
    clientOrderId: z.uuid(),
  }),
})
export type OrderArtifact = z.infer<typeof OrderArtifact>

/** The venue's format of order ids; also part of a path. */
export const OrderId = z.string().regex(/^[A-Za-z0-9-]{1,80}$/)
const CancelArtifact = z.strictObject({ orderId: OrderId })

/** Its artifacts by intent: as stored, and read back. */
export const artifacts = { order: OrderArtifact, cancel: CancelArtifact }

const Artifact = z.union([
  OrderArtifact.transform((order) => ({ kind: 'order' as const, order })),
  CancelArtifact.transform((cancel) => ({ kind: 'cancel' as const, cancel })),
])

export const readArtifact = artifactReader('predictstreet', Artifact)

export async function buildCancel(_context: LaneContext, target: LaneExecution): Promise<Built> {
  const orderId = orderIdOf('predictstreet', target)
  return cancellation({
    unsigned: { orderId },
    bounds: boundsOf({ orderId }),
    clientRef: orderId,
    owner: target.owner,
  })
}

/** An artifact's self-description. Throws for an invalid one. */
export function boundsOf(unsigned: JsonObject): JsonObject {
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'cancel') return { kind: 'cancel', orderId: artifact.cancel.orderId }
  const { domain, post } = artifact.order
  const { marketId, outcome, price, quantity } = post
  return { ...typedOrderBounds(artifact.order), version: domain.version, marketId, outcome, price, quantity }
}

const otherwise = 'the artifact differs from what was built'

const checkSame = boundsChecker('predictstreet', boundsOf, {
  order: {
    otherwise,
    same: {
      ...sameTypedOrder,
      version: 'it is for another version of the exchange',
      marketId: 'it is posted for another market',
      outcome: 'it is posted for another outcome',
      price: 'it is posted with another price',
      quantity: 'it is posted with another size',
    },
  },
  cancel: { otherwise, same: { orderId: 'it cancels another order' } },
})

const Held = HeldOrder.omit({ tick: true })

export function checkBounds(unsigned: JsonObject, bounds: JsonObject): void {
  checkSame(unsigned, bounds)
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'order') {
    checkAmounts('predictstreet', artifact.order.message, readBounds('predictstreet', Held, bounds))
  }
}
