// The artifacts: unauthenticated bodies of the V2 order endpoints, and what must hold of them at submit. Stored JSON loses the order of its
// members; `callOf` restores it. https://docs.kalshi.com/api-reference/orders/create-order-v2
import { z } from 'zod'
import type { JsonObject } from '#schemas/executions'
import type { Built, LaneContext, LaneExecution } from '../../lane.ts'
import type { Call } from '../../shared/exec/apiKeyClient.ts'
import { artifactReader } from '../../shared/exec/artifact.ts'
import { type BoundsRule, boundsChecker } from '../../shared/exec/bounds.ts'
import { cancellation, orderIdOf } from '../../shared/exec/cancelModifyBody.ts'
import { heldOptions } from '../../shared/exec/orderOptions.ts'

const Ticker = z.string().min(1).max(200)
const Side = z.enum(['bid', 'ask'])
const Count = z.string().regex(/^[1-9]\d{0,8}\.00$/)
const Price = z.string().regex(/^0\.(?!00)\d\d00$/)
/** Becomes part of a path. */
const OrderId = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/)

const OrderArtifact = z.strictObject({
  ticker: Ticker,
  client_order_id: z.uuidv4(),
  side: Side,
  count: Count,
  price: Price,
  time_in_force: z.literal('good_till_canceled'),
  self_trade_prevention_type: z.literal('taker_at_cross'),
  /** These only if requested. Unix seconds. */
  expiration_time: z.int().min(1).max(9_999_999_999).optional(),
  post_only: z.literal(true).optional(),
  reduce_only: z.literal(true).optional(),
})
export type OrderArtifact = z.infer<typeof OrderArtifact>

const AmendArtifact = z.strictObject({
  order_id: OrderId,
  ticker: Ticker,
  side: Side,
  price: Price,
  count: Count,
  client_order_id: z.uuidv4().optional(),
  updated_client_order_id: z.uuidv4(),
})
export type AmendArtifact = z.infer<typeof AmendArtifact>

const CancelArtifact = z.strictObject({ order_id: OrderId })

/** Its artifacts by intent: as stored, and read back. */
export const artifacts = { order: OrderArtifact, modify: AmendArtifact, cancel: CancelArtifact }

const Artifact = z.union([
  OrderArtifact.transform((order) => ({ kind: 'order' as const, ...order })),
  AmendArtifact.transform((amend) => ({ kind: 'modify' as const, ...amend })),
  CancelArtifact.transform((cancel) => ({ kind: 'cancel' as const, ...cancel })),
])
export type Artifact = z.infer<typeof Artifact>

export const readArtifact = artifactReader('kalshi', Artifact)

/** The venue's id of the order acted on. */
export const orderIdIn = (artifact: Artifact): string | null => (artifact.kind === 'order' ? null : artifact.order_id)

const orders = '/portfolio/events/orders'

/**
 * A cancellation names the market of its order, so that it reaches the exchange shard that holds it: without it the venue looks in shard 0, answers
 * `not_found`, and the order stays live. https://docs.kalshi.com/getting_started/exchange_sharding
 */
export function callOf(artifact: Artifact, { target }: Pick<LaneExecution, 'target'>): Call {
  if (artifact.kind === 'cancel') {
    const order = target === null ? null : readArtifact(target.unsigned)
    const query = order === null || order.kind === 'cancel' ? '' : `?market_ticker=${encodeURIComponent(order.ticker)}`
    return { method: 'DELETE', path: `${orders}/${artifact.order_id}${query}`, text: null }
  }
  if (artifact.kind === 'modify') {
    const { order_id, ticker, side, price, count, client_order_id, updated_client_order_id } = artifact
    const body = { ticker, side, price, count, client_order_id, updated_client_order_id }
    return { method: 'POST', path: `${orders}/${order_id}/amend`, text: JSON.stringify(body) }
  }
  const { ticker, client_order_id, side, count, price, time_in_force, self_trade_prevention_type } = artifact
  const { expiration_time, post_only, reduce_only } = artifact
  const required = { ticker, client_order_id, side, count, price, time_in_force, self_trade_prevention_type }
  return {
    method: 'POST',
    path: orders,
    text: JSON.stringify({ ...required, reduce_only, expiration_time, post_only }),
  }
}

/** Only the stored order id. The key pair comes with submit. */
export async function buildCancel(_context: LaneContext, target: LaneExecution): Promise<Built> {
  const order_id = orderIdOf('kalshi', target)
  return cancellation({ unsigned: { order_id }, bounds: boundsOf({ order_id }), clientRef: order_id })
}

/** An artifact's self-description. Throws for an invalid one. */
export function boundsOf(unsigned: JsonObject): JsonObject {
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'cancel') return { kind: 'cancel', orderId: artifact.order_id }
  const { ticker, side, price, count } = artifact
  if (artifact.kind === 'modify') return { kind: 'modify', orderId: artifact.order_id, ticker, side, price, count }
  const { client_order_id, expiration_time, post_only, reduce_only } = artifact
  return {
    kind: 'order',
    ticker,
    side,
    price,
    count,
    reduceOnly: reduce_only === true,
    ...heldOptions({ expiresAt: expiration_time, postOnly: post_only, clientOrderId: client_order_id }),
  }
}

const otherwise = 'the artifact differs from what was built'
const leg = { ticker: 'it is for another market', side: 'it is for another side' }
const limits: BoundsRule['limits'] = { price: 'price', size: 'count', wantsLow: ({ side }) => side === 'bid' }

export const checkBounds = boundsChecker('kalshi', boundsOf, {
  order: { otherwise, same: { reduceOnly: 'reduce_only is not as requested', ...leg }, limits },
  modify: { otherwise, same: { orderId: 'it modifies another order', ...leg }, limits },
  cancel: { otherwise, same: { orderId: 'it cancels another order' } },
})
