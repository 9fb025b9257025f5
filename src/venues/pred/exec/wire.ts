// What PRED's order service sends. https://pred-1.gitbook.io/pred-docs/api-reference (Orders; OpenAPI as published in July 2026)
import { z } from 'zod'

/** Each is for one parent market. */
export const paths = {
  place: (parentId: string) => `/api/v1/order/${parentId}/place`,
  cancel: (parentId: string) => `/api/v1/order/${parentId}/cancel`,
  openOrders: (parentId: string) => `/api/v1/order/${parentId}/open-orders`,
} as const

export const OrderId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\x21-\x7e]+$/)

const Taken = z.object({
  status: z.enum(['order_created', 'matched', 'partial_matched', 'open_order']),
  order_id: OrderId,
})
const Failed = z.object({ status: z.literal('failed'), message: z.string().min(1) })

/** Of an order: accepted for processing, fully or partly matched, resting; or not placed. */
export const PredPlaced = z.union([Taken, Failed])

export const PredCanceled = z.object({
  status: z.literal('user_cancelled'),
  order_id: OrderId.nullish(),
  success: z.boolean().nullish(),
})

export const PredError = z.object({
  success: z.literal(false),
  message: z.string().nullish(),
  error: z.object({ code: z.string().nullish(), message: z.string().nullish(), details: z.string().nullish() }),
})
export type PredError = z.infer<typeof PredError>

const Decimal = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d+(\.\d+)?$/))

/** As the venue writes it. */
const UnchangedDecimal = Decimal.nullish()
  .catch(null)
  .transform((value) => value ?? null)
const Text = z.string().nullish().catch(null)

/** It has neither salt nor time. A field that cannot be read costs that field alone. */
export const PredOpenOrder = z.object({
  order_id: OrderId,
  market_id: Text,
  /** `long` or `short`. */
  side: Text,
  /** Cents. */
  price: UnchangedDecimal,
  /** Shares. */
  quantity: UnchangedDecimal,
  remaining_quantity: UnchangedDecimal,
})
export type PredOpenOrder = z.infer<typeof PredOpenOrder>

/** All of a parent; the list has no pages. Rows are read one by one: another order's row must not hide ours. */
export const PredOpenOrders = z.object({ orders: z.array(z.unknown()) })
