// The artifacts: authless bodies of the V2 order endpoints. Stored JSON forgets the order of its members; `bodyText` says it.
// https://docs.kalshi.com/api-reference/orders/create-order-v2
import { z } from 'zod'
import { Fault } from '#lib/fault'
import type { JsonObject } from '#schemas/executions'

const Ticker = z.string().min(1).max(200)
const Side = z.enum(['bid', 'ask'])
const Count = z.string().regex(/^[1-9]\d{0,8}\.00$/)
const Price = z.string().regex(/^0\.(?!00)\d\d00$/)
/** It becomes part of a path. */
export const OrderId = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/)

const OrderArtifact = z.strictObject({
  ticker: Ticker,
  client_order_id: z.uuidv4(),
  side: Side,
  count: Count,
  price: Price,
  time_in_force: z.literal('good_till_canceled'),
  self_trade_prevention_type: z.literal('taker_at_cross'),
  /** Only where it was asked for. */
  reduce_only: z.literal(true).optional(),
})
export type OrderArtifact = z.infer<typeof OrderArtifact>

const CancelArtifact = z.strictObject({ order_id: OrderId })
export type CancelArtifact = z.infer<typeof CancelArtifact>

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

export type Artifact =
  | { kind: 'order'; order: OrderArtifact }
  | { kind: 'cancel'; cancel: CancelArtifact }
  | { kind: 'modify'; amend: AmendArtifact }

export function readArtifact(unsigned: JsonObject): Artifact {
  if ('updated_client_order_id' in unsigned) return { kind: 'modify', amend: parse(AmendArtifact, unsigned) }
  if ('order_id' in unsigned) return { kind: 'cancel', cancel: parse(CancelArtifact, unsigned) }
  return { kind: 'order', order: parse(OrderArtifact, unsigned) }
}

export interface Call {
  method: 'POST' | 'DELETE'
  /** Behind the base URL. */
  path: string
  text: string | null
}

const orders = '/portfolio/events/orders'

/** The one request an artifact stands for. */
export function callOf(artifact: Artifact): Call {
  if (artifact.kind === 'cancel') return { method: 'DELETE', path: `${orders}/${artifact.cancel.order_id}`, text: null }
  if (artifact.kind === 'modify') {
    const { order_id, ticker, side, price, count, client_order_id, updated_client_order_id } = artifact.amend
    const body = { ticker, side, price, count, client_order_id, updated_client_order_id }
    return { method: 'POST', path: `${orders}/${order_id}/amend`, text: JSON.stringify(body) }
  }
  const { ticker, client_order_id, side, count, price, time_in_force, self_trade_prevention_type, reduce_only } =
    artifact.order
  const body = { ticker, client_order_id, side, count, price, time_in_force, self_trade_prevention_type, reduce_only }
  return { method: 'POST', path: orders, text: JSON.stringify(body) }
}

function parse<T>(schema: z.ZodType<T>, unsigned: JsonObject): T {
  const parsed = schema.safeParse(unsigned)
  if (parsed.success) return parsed.data
  throw violation('the artifact has no shape this lane builds', z.prettifyError(parsed.error))
}

export const violation = (message: string, detail?: string): Fault =>
  new Fault('ARTIFACT_BOUNDS_VIOLATION', message, { exchange: 'kalshi', detail })
