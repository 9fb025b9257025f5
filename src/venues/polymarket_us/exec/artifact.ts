// The artifacts: exactly the body that goes out, without any auth. Stored JSON forgets the order of its members; `requestOf` writes the
// text in the order the venue's own client uses.
import { z } from 'zod'
import { Fault } from '#lib/fault'
import type { JsonObject } from '#schemas/executions'
import { Slug } from './catalogFacts.ts'

const OrderArtifact = z.strictObject({
  marketSlug: Slug,
  intent: z.enum([
    'ORDER_INTENT_BUY_LONG',
    'ORDER_INTENT_SELL_LONG',
    'ORDER_INTENT_BUY_SHORT',
    'ORDER_INTENT_SELL_SHORT',
  ]),
  type: z.literal('ORDER_TYPE_LIMIT'),
  /** Always the long side's price, also for a short intent. */
  price: z.strictObject({ value: z.string().regex(/^0\.\d{1,6}$/), currency: z.literal('USD') }),
  /** Contracts; the wire wants a number here, and every digit of it survives as one. */
  quantity: z.number().positive().max(1e9),
  tif: z.enum(['TIME_IN_FORCE_GOOD_TILL_CANCEL', 'TIME_IN_FORCE_IMMEDIATE_OR_CANCEL']),
  manualOrderIndicator: z.literal('MANUAL_ORDER_INDICATOR_AUTOMATIC'),
})
export type OrderArtifact = z.infer<typeof OrderArtifact>

export const OrderId = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/)

const CancelArtifact = z.strictObject({ orderId: OrderId, marketSlug: Slug })
export type CancelArtifact = z.infer<typeof CancelArtifact>

export type Artifact = OrderArtifact | CancelArtifact

export const isCancel = (artifact: Artifact): artifact is CancelArtifact => 'orderId' in artifact

export function readArtifact(unsigned: JsonObject): Artifact {
  const parsed = ('orderId' in unsigned ? CancelArtifact : OrderArtifact).safeParse(unsigned)
  if (parsed.success) return parsed.data
  throw violation('the artifact has no shape this lane builds', z.prettifyError(parsed.error))
}

export function requestOf(artifact: Artifact): { path: string; text: string } {
  if (isCancel(artifact)) {
    const { orderId, marketSlug } = artifact
    return { path: `/v1/order/${orderId}/cancel`, text: JSON.stringify({ marketSlug }) }
  }
  const { marketSlug, intent, type, price, quantity, tif, manualOrderIndicator } = artifact
  const { value, currency } = price
  return {
    path: '/v1/orders',
    text: JSON.stringify({
      marketSlug,
      intent,
      type,
      price: { value, currency },
      quantity,
      tif,
      manualOrderIndicator,
    }),
  }
}

export const violation = (message: string, detail?: string): Fault =>
  new Fault('ARTIFACT_BOUNDS_VIOLATION', message, { exchange: 'polymarket_us', detail })
