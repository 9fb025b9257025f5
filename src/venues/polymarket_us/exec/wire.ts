// Orders as Polymarket US tells them. https://docs.polymarket.us/api-reference/orders/overview
import { z } from 'zod'

const Amount = z.object({ value: z.string(), currency: z.string() })
const Quantity = z
  .union([z.number(), z.string()])
  .transform(String)
  .pipe(z.string().regex(/^\d+(\.\d+)?$/))

/** Kept whole beside the fields we read: fills are told venue-shaped. */
export const UsOrder = z
  .object({
    id: z.string(),
    marketSlug: z.string(),
    intent: z.string().optional(),
    type: z.string().optional(),
    price: Amount.nullish(),
    quantity: Quantity.nullish(),
    cumQuantity: Quantity.nullish(),
    leavesQuantity: Quantity.nullish(),
    state: z.string(),
    avgPx: Amount.nullish(),
    /** RFC 3339. */
    insertTime: z.string().nullish(),
    createTime: z.string().nullish(),
  })
  .loose()
export type UsOrder = z.infer<typeof UsOrder>

/** A trade of the caller's; it names neither its order nor its side. */
export const UsTrade = z
  .object({
    id: z.string(),
    marketSlug: z.string(),
    createTime: z.string().nullish(),
    updateTime: z.string().nullish(),
  })
  .loose()
export type UsTrade = z.infer<typeof UsTrade>

export const ActivitiesAnswer = z.object({ activities: z.array(z.object({ trade: UsTrade.optional() })) })
export const OrderAnswer = z.object({ order: UsOrder })
export const OpenOrdersAnswer = z.object({ orders: z.array(UsOrder) })
