// The artifacts: exactly the body to send, without authentication; and what must hold of them at submit. Stored JSON loses the order of
// members; `callOf` restores that of the venue's own client.
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import type { Built, LaneContext, LaneExecution } from '../../lane.ts'
import type { Call } from '../../shared/exec/apiKeyClient.ts'
import { artifactReader, violation } from '../../shared/exec/artifact.ts'
import { boundsChecker } from '../../shared/exec/bounds.ts'
import { cancellation, orderIdOf } from '../../shared/exec/cancelModifyBody.ts'
import { heldOptions, type StatedOptions } from '../../shared/exec/orderOptions.ts'
import { Slug } from '../wire.ts'

const OrderArtifact = z.strictObject({
  marketSlug: Slug,
  intent: z.enum([
    'ORDER_INTENT_BUY_LONG',
    'ORDER_INTENT_SELL_LONG',
    'ORDER_INTENT_BUY_SHORT',
    'ORDER_INTENT_SELL_SHORT',
  ]),
  type: z.literal('ORDER_TYPE_LIMIT'),
  /** Always the long side's price, even for a short intent. */
  price: z.strictObject({ value: z.string().regex(/^0\.\d{1,6}$/), currency: z.literal('USD') }),
  /** Contracts; the wire requires a number here, which keeps every digit. */
  quantity: z.number().positive().max(1e9),
  tif: z.enum([
    'TIME_IN_FORCE_GOOD_TILL_CANCEL',
    'TIME_IN_FORCE_GOOD_TILL_DATE',
    'TIME_IN_FORCE_FILL_OR_KILL',
    'TIME_IN_FORCE_IMMEDIATE_OR_CANCEL',
  ]),
  /** Of a good-til-date order, RFC 3339. */
  goodTillTime: z.iso.datetime().optional(),
  /** Post-only; only if requested. */
  participateDontInitiate: z.literal(true).optional(),
  manualOrderIndicator: z.literal('MANUAL_ORDER_INDICATOR_AUTOMATIC'),
})
export type OrderArtifact = z.infer<typeof OrderArtifact>

export const OrderId = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/)

const CancelArtifact = z.strictObject({ orderId: OrderId, marketSlug: Slug })
type CancelArtifact = z.infer<typeof CancelArtifact>

/** Its artifacts by intent: as stored, and read back. */
export const artifacts = { order: OrderArtifact, cancel: CancelArtifact }

export type Artifact = OrderArtifact | CancelArtifact

export const isCancel = (artifact: Artifact): artifact is CancelArtifact => 'orderId' in artifact

export const readArtifact = artifactReader('polymarket_us', z.union([OrderArtifact, CancelArtifact]))

/** The venue's id of the order acted on. */
export const orderIdIn = (artifact: Artifact): string | null => (isCancel(artifact) ? artifact.orderId : null)

export function callOf(artifact: Artifact): Call {
  if (isCancel(artifact)) {
    const { orderId, marketSlug } = artifact
    return { method: 'POST', path: `/v1/order/${orderId}/cancel`, text: JSON.stringify({ marketSlug }) }
  }
  const { marketSlug, intent, type, price, quantity, tif, goodTillTime, participateDontInitiate } = artifact
  const { value, currency } = price
  const terms = { marketSlug, intent, type, price: { value, currency }, quantity, tif }
  const { manualOrderIndicator } = artifact
  const body = { ...terms, goodTillTime, participateDontInitiate, manualOrderIndicator }
  return { method: 'POST', path: '/v1/orders', text: JSON.stringify(body) }
}

/** Only the stored order id and its market. The key comes with submit. */
export async function buildCancel(_context: LaneContext, target: LaneExecution): Promise<Built> {
  const orderId = orderIdOf('polymarket_us', target)
  const placed = readArtifact(target.unsigned)
  if (isCancel(placed)) throw new Fault('VALIDATION_ERROR', 'a cancellation cannot be cancelled')
  const unsigned = { orderId, marketSlug: placed.marketSlug }
  return cancellation({ unsigned, bounds: boundsOf(unsigned), clientRef: orderId })
}

/** An artifact's self-description. Throws for an invalid one. */
export function boundsOf(unsigned: JsonObject): JsonObject {
  const artifact = readArtifact(unsigned)
  if (isCancel(artifact)) return { kind: 'cancel', ...artifact }
  const { marketSlug, intent, price, quantity, tif } = artifact
  const { postOnly, expiresAt } = optionsOf(artifact)
  const options = heldOptions({ postOnly, expiresAt })
  return { kind: 'order', marketSlug, intent, price: price.value, quantity: String(quantity), tif, ...options }
}

const timesOf = {
  TIME_IN_FORCE_GOOD_TILL_CANCEL: 'good-til-cancel',
  TIME_IN_FORCE_GOOD_TILL_DATE: 'good-til-date',
  TIME_IN_FORCE_FILL_OR_KILL: 'fill-or-kill',
  TIME_IN_FORCE_IMMEDIATE_OR_CANCEL: 'immediate-or-cancel',
} as const

export const optionsOf = ({ tif, goodTillTime, participateDontInitiate }: OrderArtifact) =>
  ({
    timeInForce: timesOf[tif],
    expiresAt: goodTillTime === undefined ? 0 : Date.parse(goodTillTime) / 1_000,
    postOnly: participateDontInitiate,
  }) satisfies StatedOptions

const neverRests = ({ tif }: OrderArtifact): boolean =>
  tif === 'TIME_IN_FORCE_FILL_OR_KILL' || tif === 'TIME_IN_FORCE_IMMEDIATE_OR_CANCEL'

const anotherOrder = 'it cancels another order'

const checkSame = boundsChecker('polymarket_us', boundsOf, {
  order: {
    otherwise: 'a cancellation where an order was built',
    same: {
      marketSlug: 'the artifact is for another market',
      intent: 'the artifact is for another side',
      tif: 'the artifact is for another time in force',
    },
    // Of the long price: buying long and selling short want it low.
    limits: {
      price: 'price',
      size: 'quantity',
      tick: 'tick',
      wantsLow: ({ intent }) => /BUY_LONG|SELL_SHORT/.test(String(intent)),
    },
  },
  cancel: { otherwise: anotherOrder, same: { orderId: anotherOrder, marketSlug: anotherOrder } },
})

export function checkBounds(unsigned: JsonObject, bounds: JsonObject): void {
  checkSame(unsigned, bounds)
  const artifact = readArtifact(unsigned)
  if (isCancel(artifact)) return
  if ((artifact.tif === 'TIME_IN_FORCE_GOOD_TILL_DATE') !== (artifact.goodTillTime !== undefined)) {
    throw violation('polymarket_us', 'its lifetime is not as requested')
  }
  if (neverRests(artifact) && artifact.participateDontInitiate === true)
    throw violation('polymarket_us', 'an order that never rests is post-only')
}
