// Order rows of Gemini Predictions. https://docs.gemini.com/prediction-markets/ (orders)
import { z } from 'zod'

export const paths = {
  order: '/v1/prediction-markets/order',
  cancel: '/v1/prediction-markets/order/cancel',
  active: '/v1/prediction-markets/orders/active',
  history: '/v1/prediction-markets/orders/history',
} as const

/** Digits, whether they came as a number or as text. */
export const OrderId = z
  .union([z.number().int().nonnegative(), z.string()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,20}$/))

const Amount = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d+(\.\d+)?$/))
/** ISO text or epoch ms. */
const When = z.union([z.string(), z.number()])

/** Kept whole beside the fields we read: fills are told venue-shaped. */
export const GeminiOrder = z
  .object({
    orderId: OrderId,
    clientOrderId: z.string().nullish(),
    status: z.string(),
    symbol: z.string(),
    side: z.string(),
    outcome: z.string(),
    quantity: Amount.nullish(),
    filledQuantity: Amount.nullish(),
    remainingQuantity: Amount.nullish(),
    price: Amount.nullish(),
    avgExecutionPrice: Amount.nullish(),
    createdAt: When.nullish(),
    updatedAt: When.nullish(),
    cancelledAt: When.nullish(),
  })
  .loose()
export type GeminiOrder = z.infer<typeof GeminiOrder>

/** Of a cancellation. */
export const GeminiDone = z.object({ result: z.literal('ok') })

/** Both lists have been seen bare and wrapped. */
export const GeminiOrders = z
  .union([z.array(GeminiOrder), z.object({ orders: z.array(GeminiOrder) }), z.object({ data: z.array(GeminiOrder) })])
  .transform((answer) => (Array.isArray(answer) ? answer : 'orders' in answer ? answer.orders : answer.data))
