// The artifacts this lane stores, and what must hold of them at submit: same market, same wallet, no more money out, no less in. An order is
// what a wallet's signTypedData takes as it is, and beside it what only the venue reads: the expiry is posted, not signed.
import { z } from 'zod'
import { toUnits } from '#lib/decimal'
import { Fault } from '#lib/fault'
import type { JsonObject } from '#schemas/executions'
import type { Built, LaneContext, LaneExecution, LateBound } from '../../lane.ts'
import { artifactReader, violation } from '../../shared/exec/artifact.ts'
import { boundsChecker, readBounds } from '../../shared/exec/bounds.ts'
import { cancellation } from '../../shared/exec/derived.ts'
import { checkAmounts, hexText, Uint } from '../../shared/exec/typedOrder.ts'
import { redeemCalldata } from './redeem.ts'
import { chainId, exchanges, order, redeemAdapters } from './typedData.ts'

const Message = z.strictObject({
  salt: Uint.refine((text) => Number.isSafeInteger(Number(text)), 'is posted as a JSON number'),
  maker: hexText(40),
  signer: hexText(40),
  tokenId: Uint,
  makerAmount: Uint,
  takerAmount: Uint,
  side: z.union([z.literal(0), z.literal(1)]),
  signatureType: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  timestamp: z.string().regex(/^\d{1,15}$/),
  metadata: hexText(64),
  builder: hexText(64),
})

const OrderArtifact = order.shapeOf(Message, z.enum([exchanges.normal, exchanges.negRisk])).extend({
  /** What submit posts beside the signed order. */
  post: z.strictObject({
    orderType: z.enum(['GTC', 'GTD']),
    /** Unix seconds; `0` for GTC. */
    expiration: z.string().regex(/^(0|[1-9]\d{0,9})$/),
  }),
})
export type OrderArtifact = z.infer<typeof OrderArtifact>

/** The body of the cancellation. */
const CancelArtifact = z.strictObject({ orderID: hexText(64) })

/** A transaction its holder sends. */
const RedeemArtifact = z.strictObject({
  to: z.enum([redeemAdapters.normal, redeemAdapters.negRisk]),
  /** redeemPositions; its arguments are held by the bounds. */
  data: z.string().regex(/^0x01b7037c(?:[0-9a-f]{64})+$/),
  value: z.literal('0'),
  chainId: z.literal(chainId),
})

const Artifact = z.union([
  OrderArtifact.transform((order) => ({ kind: 'order' as const, order })),
  CancelArtifact.transform((cancel) => ({ kind: 'cancel' as const, cancel })),
  RedeemArtifact.transform((redeem) => ({ kind: 'redeem' as const, redeem })),
])

export const readArtifact = artifactReader('polymarket', Artifact)

export async function buildCancel(_context: LaneContext, { venueRef: orderID, owner }: LaneExecution): Promise<Built> {
  if (orderID === null) {
    throw new Fault('VALIDATION_ERROR', 'this order was never sent to the venue', { exchange: 'polymarket' })
  }
  return cancellation({ unsigned: { orderID }, bounds: boundsOf({ orderID }), clientRef: orderID, owner })
}

/** What an artifact says of itself. Throws where it is none. */
export function boundsOf(unsigned: JsonObject): JsonObject {
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'cancel') return { kind: 'cancel', orderID: artifact.cancel.orderID }
  if (artifact.kind === 'redeem') return { kind: 'redeem', to: artifact.redeem.to }
  const { domain, message, post } = artifact.order
  const { tokenId, side, maker, signer, signatureType, makerAmount, takerAmount } = message
  const exchange = domain.verifyingContract
  const expiresAt = Number(post.expiration)
  return { kind: 'order', exchange, tokenId, side, maker, signer, signatureType, makerAmount, takerAmount, expiresAt }
}

const otherwise = 'the artifact does something else than was built'

const checkSame = boundsChecker('polymarket', boundsOf, {
  order: {
    otherwise,
    same: {
      exchange: 'it is for another exchange',
      tokenId: 'it has another tokenId',
      side: 'it has another side',
      maker: 'it has another maker',
      signer: 'it has another signer',
      signatureType: 'it has another signatureType',
      expiresAt: 'it expires at another time',
    },
  },
  cancel: { otherwise, same: { orderID: 'it cancels another order' } },
  redeem: { otherwise, same: { to: 'it redeems another market' } },
})

const Held = z.object({ makerAmount: Uint, takerAmount: Uint, tick: z.string() })
const HeldMarket = z.object({ conditionId: hexText(64) })

export function checkBounds(unsigned: JsonObject, bounds: JsonObject): void {
  checkSame(unsigned, bounds)
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'order') checkOrder(artifact.order, readBounds('polymarket', Held, bounds))
  if (artifact.kind !== 'redeem') return
  const { conditionId } = readBounds('polymarket', HeldMarket, bounds)
  if (artifact.redeem.data !== redeemCalldata(conditionId)) throw violation('polymarket', 'it redeems another market')
}

function checkOrder({ message, post }: OrderArtifact, held: z.infer<typeof Held>): void {
  checkAmounts('polymarket', message, held)
  if ((post.orderType === 'GTC') !== (post.expiration === '0')) {
    throw violation('polymarket', 'it lives otherwise than was asked')
  }
  const amounts = [BigInt(message.makerAmount), BigInt(message.takerAmount)] as const
  const [cash, shares] = message.side === 0 ? amounts : amounts.toReversed()
  // price = cash / shares is a multiple of the tick, and lies inside it.
  const tickUnits = toUnits(held.tick, 6)
  if ((cash * 1_000_000n) % (shares * tickUnits) !== 0n) throw violation('polymarket', 'its price is off the tick')
  const price = (cash * 1_000_000n) / shares
  if (price < tickUnits || price > 1_000_000n - tickUnits) throw violation('polymarket', 'its price is no probability')
}

/** Null without an expiry: no document says how old a request's own signature may be. */
export function lateBound({ unsigned }: LaneExecution): LateBound | null {
  const artifact = readArtifact(unsigned)
  if (artifact.kind !== 'order' || artifact.order.post.orderType !== 'GTD') return null
  return { untilMs: Number(artifact.order.post.expiration) * 1_000, rule: 'orders past their expiry are refused' }
}
