// The artifacts this lane stores, and what must hold of them at submit. An order is ready for a wallet's signTypedData, plus the parent market,
// which is in the path and not signed. A cancellation is its request: the account is named in headers, and is no secret.
import { z } from 'zod'
import { fromUnits } from '#core/decimal'
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import type { AcceptanceDeadline, Built, LaneContext, LaneExecution } from '../../lane.ts'
import type { Call } from '../../shared/exec/apiKeyClient.ts'
import { artifactReader } from '../../shared/exec/artifact.ts'
import { boundsChecker } from '../../shared/exec/bounds.ts'
import { cancellation, orderIdOf } from '../../shared/exec/cancelModifyBody.ts'
import { signatureWindow } from '../../shared/exec/signatureWindow.ts'
import { hexText } from '../../shared/exec/typedOrder.ts'
import { chainIds, domain, orderOn, signatureType } from './typedData.ts'
import { OrderId, paths } from './wire.ts'

const Message = z.strictObject({
  salt: z.string().regex(/^2\d{10}$/),
  maker: hexText(40),
  signer: hexText(40),
  taker: hexText(40).refine((text) => BigInt(text) === 0n),
  /** Below a dollar. */
  price: z.string().regex(/^[1-9]\d{0,5}$/),
  /** Tenths of a share. */
  quantity: z.string().regex(/^[1-9]\d{0,10}00000$/),
  expiration: z.literal('0'),
  nonce: z.literal('0'),
  questionId: hexText(64),
  feeRateBps: z.literal('0'),
  intent: z.union([z.literal(0), z.literal(1)]),
  signatureType: z.literal(signatureType),
})

const OrderArtifact = orderOn(chainIds[0])
  .shapeOf(Message, hexText(40))
  .extend({
    domain: z.strictObject({
      name: z.literal(domain.name),
      version: z.literal(domain.version),
      chainId: z.literal(chainIds),
      verifyingContract: hexText(40),
    }),
    /** What submit needs in addition to the signed order. */
    post: z.strictObject({ parentMarketId: hexText(64) }),
  })
export type OrderArtifact = z.infer<typeof OrderArtifact>

const CancelArtifact = z.strictObject({
  parentMarketId: hexText(64),
  order_id: OrderId,
  market_id: hexText(64),
  /** The Safe and the account that controls it. */
  proxy: hexText(40),
  wallet: hexText(40),
})

/** Its artifacts by intent: as stored, and read back. */
export const artifacts = { order: OrderArtifact, cancel: CancelArtifact }

const Artifact = z.union([
  OrderArtifact.transform((order) => ({ kind: 'order' as const, order })),
  CancelArtifact.transform((cancel) => ({ kind: 'cancel' as const, cancel })),
])
export type Artifact = z.infer<typeof Artifact>

export const readArtifact = artifactReader('pred', Artifact)

/** The order's account, named in the headers of every private request. */
export interface Account {
  proxy: string
  wallet: string
}

export function accountOf(artifact: Artifact): Account {
  if (artifact.kind === 'cancel') return artifact.cancel
  const { maker: proxy, signer: wallet } = artifact.order.message
  return { proxy, wallet }
}

export const sideWords = ['long', 'short'] as const

/** In the request's units: cents and shares. */
export const inVenueUnits = ({ price, quantity }: OrderArtifact['message']) => ({
  price: fromUnits(BigInt(price), 4),
  quantity: fromUnits(BigInt(quantity), 6),
})

/** A limit order that rests until cancelled. `atMs`: the venue refuses one whose time is further than 15 s from its own. */
export function placeCall({ message, post }: OrderArtifact, signature: string, atMs: number): Call {
  const { price, quantity } = inVenueUnits(message)
  const body = {
    salt: `0${message.salt}`,
    market_id: message.questionId,
    side: sideWords[message.intent],
    price,
    quantity,
    type: 'limit',
    timestamp: Math.floor(atMs / 1_000),
    expiration: Number(message.expiration),
    reduce_only: false,
    fee_rate_bps: Number(message.feeRateBps),
    signature,
  }
  return { method: 'POST', path: paths.place(post.parentMarketId), text: JSON.stringify(body) }
}

export const cancelCall = ({ parentMarketId, order_id, market_id }: z.infer<typeof CancelArtifact>): Call => ({
  method: 'DELETE',
  path: paths.cancel(parentMarketId),
  text: JSON.stringify({ order_id, market_id }),
})

export async function buildCancel(_context: LaneContext, target: LaneExecution): Promise<Built> {
  const order_id = orderIdOf('pred', target)
  const placed = readArtifact(target.unsigned)
  if (placed.kind !== 'order') throw new Fault('INTERNAL', 'a cancellation of something other than an order')
  const { message, post } = placed.order
  const unsigned = { ...post, order_id, market_id: message.questionId, ...accountOf(placed) }
  return cancellation({ unsigned, bounds: boundsOf(unsigned), clientRef: order_id, owner: target.owner })
}

/** An artifact's self-description. Throws for an invalid one. */
export function boundsOf(unsigned: JsonObject): JsonObject {
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'cancel') return { kind: 'cancel', ...artifact.cancel }
  const { domain: signedFor, message, post } = artifact.order
  const { chainId, verifyingContract: exchange } = signedFor
  const { questionId, intent, maker, signer, price, quantity } = message
  return {
    kind: 'order',
    chainId,
    exchange,
    ...post,
    questionId,
    intent,
    maker,
    signer,
    price,
    quantity,
  }
}

const otherwise = 'the artifact differs from what was built'
const otherMarket = 'it is for another market'

export const checkBounds = boundsChecker('pred', boundsOf, {
  order: {
    otherwise,
    same: {
      chainId: 'it is for another chain',
      exchange: 'it is for another exchange',
      parentMarketId: otherMarket,
      questionId: otherMarket,
      intent: 'it has another intent',
      maker: 'it has another maker',
      signer: 'it has another signer',
    },
    limits: { price: 'price', size: 'quantity', tick: 'tick', wantsLow: ({ intent }) => intent === 0 },
  },
  cancel: {
    otherwise,
    same: {
      order_id: 'it cancels another order',
      market_id: otherMarket,
      parentMarketId: otherMarket,
      proxy: 'it is another account’s',
      wallet: 'it is another account’s',
    },
  },
})

/** Of an order's time, which is in the request. A cancellation has none. */
const orderWindow = signatureWindow(15_000)

export const lateBound = (execution: LaneExecution, signedBy: number): AcceptanceDeadline | null =>
  execution.intent === 'order' ? orderWindow(execution, signedBy) : null
