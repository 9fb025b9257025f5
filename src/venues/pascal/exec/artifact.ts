// The artifacts: the permit that the trading key signs, as bytes (`permit`, base64) and as hex (`message`), and the equivalent request to the
// venue, without the signature. The permit is rebuilt from the request whenever it is read: what is signed is what is sent.
import { z } from 'zod'
import { toUnits } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { AcceptanceDeadline, LaneExecution } from '../../lane.ts'
import { artifactReader, violation } from '../../shared/exec/artifact.ts'
import { boundsChecker } from '../../shared/exec/bounds.ts'
import { heldOptions } from '../../shared/exec/orderOptions.ts'
import { isSymbol } from '../ids.ts'
import { PublicKey } from './base58.ts'
import { cancelPermit, type Header, metadata, placePermit, recvWindowMaxMs } from './permit.ts'

/** 53 bits: safe for any JSON parser. */
const ClientOrderId = z.string().regex(/^[1-9]\d{0,15}$/)
const EpochMs = z.string().regex(/^[1-9]\d{12,14}$/)

const Auth = z.strictObject({
  client_ts_ms: EpochMs,
  recv_window_ms: z.literal(String(recvWindowMaxMs)),
  owner: PublicKey,
  signer: PublicKey,
})

const OrderRequest = z.strictObject({
  client_order_id: ClientOrderId,
  symbol: z.string().refine(isSymbol),
  side: z.enum(['BID', 'ASK']),
  /** Of YES, six decimals. */
  price: z.string().regex(/^0\.\d{6}$/),
  /** Whole contracts. */
  size: z.string().regex(/^[1-9]\d{0,12}$/),
  metadata: z.literal(String(metadata)),
  /** These only if requested. */
  post_only: z.literal(true).optional(),
  reduce_only: z.literal(true).optional(),
  auth: Auth,
})
export type OrderRequest = z.infer<typeof OrderRequest>

const CancelRequest = z.strictObject({
  client_order_id: ClientOrderId,
  metadata: z.literal(String(metadata)),
  auth: Auth,
})
export type CancelRequest = z.infer<typeof CancelRequest>

const permitted = {
  deployment_id: z.int().min(0).max(255),
  permit: z.base64().max(400),
  message: z
    .string()
    .regex(/^[0-9a-f]+$/)
    .max(500),
}

/** Its artifacts by intent: as stored, and read back. */
export const artifacts = {
  order: z.strictObject({ command: z.literal('place_order'), ...permitted, request: OrderRequest }),
  cancel: z.strictObject({ command: z.literal('cancel_order'), ...permitted, request: CancelRequest }),
}

const Unsigned = z.discriminatedUnion('command', [artifacts.order, artifacts.cancel])

export type Artifact =
  | { command: 'place_order'; deploymentId: number; permit: Buffer; request: OrderRequest }
  | { command: 'cancel_order'; deploymentId: number; permit: Buffer; request: CancelRequest }

export function orderArtifact(deploymentId: number, request: OrderRequest): JsonObject {
  return artifactOf('place_order', deploymentId, request, orderPermit(deploymentId, request))
}

export function cancelArtifact(deploymentId: number, request: CancelRequest): JsonObject {
  return artifactOf('cancel_order', deploymentId, request, cancelPermitOf(deploymentId, request))
}

const artifactOf = (
  command: Artifact['command'],
  deploymentId: number,
  request: OrderRequest | CancelRequest,
  permit: Buffer,
): JsonObject => ({
  command,
  deployment_id: deploymentId,
  permit: permit.toString('base64'),
  message: permit.toString('hex'),
  request,
})

const headerOf = (deploymentId: number, auth: OrderRequest['auth']): Header => ({
  deploymentId,
  recvWindowMs: Number(auth.recv_window_ms),
  clientTsMs: Number(auth.client_ts_ms),
  owner: auth.owner,
  signer: auth.signer,
})

const orderPermit = (deploymentId: number, { auth, ...order }: OrderRequest): Buffer =>
  placePermit(headerOf(deploymentId, auth), {
    size: BigInt(order.size),
    priceMicros: toUnits(order.price, 6),
    clientOrderId: BigInt(order.client_order_id),
    symbol: order.symbol,
    side: order.side,
    postOnly: order.post_only === true,
    reduceOnly: order.reduce_only === true,
  })

const cancelPermitOf = (deploymentId: number, { auth, client_order_id: id }: CancelRequest): Buffer =>
  cancelPermit(headerOf(deploymentId, auth), BigInt(id))

const readUnsigned = artifactReader('pascal', Unsigned)

/** Throws ARTIFACT_BOUNDS_VIOLATION, also when the permit contradicts the request. */
export function readArtifact(unsigned: JsonObject): Artifact {
  const stored = readUnsigned(unsigned)
  const { deployment_id: deploymentId } = stored
  const artifact: Artifact =
    stored.command === 'place_order'
      ? { ...stored, deploymentId, permit: orderPermit(deploymentId, stored.request) }
      : { ...stored, deploymentId, permit: cancelPermitOf(deploymentId, stored.request) }
  const { permit } = artifact
  if (stored.permit === permit.toString('base64') && stored.message === permit.toString('hex')) return artifact
  throw violation('pascal', 'the permit does not match its request')
}

/** When a permit was made, and the last moment at which the venue accepts it by its own clock, epoch ms. */
export function windowOf({ request: { auth } }: Artifact): { madeMs: number; untilMs: number } {
  const madeMs = Number(auth.client_ts_ms)
  return { madeMs, untilMs: madeMs + Number(auth.recv_window_ms) }
}

export const acceptsUntil = ({ unsigned }: LaneExecution): number => windowOf(readArtifact(unsigned)).untilMs

/** The window counts from the build, not from the sending. Twice: the venue's clock may differ from ours by as much. */
export const lateBound = ({ unsigned }: LaneExecution): AcceptanceDeadline => ({
  untilMs: windowOf(readArtifact(unsigned)).madeMs + 2 * recvWindowMaxMs,
  rule: `permits are accepted within ${recvWindowMaxMs / 1_000} s of their creation`,
})

/** An artifact's self-description. Throws for an invalid one. */
export function boundsOf(unsigned: JsonObject): JsonObject {
  const artifact = readArtifact(unsigned)
  const { command, deploymentId, request } = artifact
  const { owner, signer } = request.auth
  const named = { deploymentId, owner, signer, clientOrderId: request.client_order_id }
  if (command === 'cancel_order') return { kind: 'cancel', ...named }
  const { symbol, side, price, size, post_only, reduce_only } = request
  const options = heldOptions({ postOnly: post_only, reduceOnly: reduce_only })
  return { kind: 'order', ...named, symbol, side, price, size, ...options }
}

const named = {
  deploymentId: 'the artifact is for another deployment of the venue',
  owner: 'the artifact is another owner’s',
  signer: 'the artifact is for another trading key',
}
const anotherOrder = 'it cancels another order'

export const checkBounds = boundsChecker('pascal', boundsOf, {
  order: {
    otherwise: 'a cancellation where an order was built',
    same: {
      ...named,
      clientOrderId: 'the artifact carries another client order id',
      symbol: 'the artifact is for another market',
      side: 'the artifact is for the other side',
    },
    limits: { price: 'price', size: 'size', tick: 'tick', wantsLow: ({ side }) => side === 'BID' },
  },
  cancel: { otherwise: anotherOrder, same: { ...named, clientOrderId: anotherOrder } },
})
