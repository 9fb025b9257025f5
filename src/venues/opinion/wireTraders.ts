// A wallet's trades as Opinion sends them, only with the operator's key. Source: the types of @opinion-labs/opinion-api
// 0.3.1.
import { z } from 'zod'
import { answer } from './wire.ts'

const Amount = z.union([z.string(), z.number()]).nullish().catch(null)
const Note = z.string().nullish().catch(null)

export const OpinionWalletTrades = answer(
  z.object({ total: z.number().int().nonnegative(), list: z.array(z.unknown()).nullable() }),
)

/** Names no token. */
export const OpinionWalletTrade = z.object({
  tradeNo: z.string().min(1),
  marketId: z.union([z.number(), z.string()]).transform(String),
  /** In words. */
  side: Note,
  price: Amount,
  shares: Amount,
  usdAmount: Amount,
  /** Unix seconds. */
  createdAt: z.union([z.number(), z.string()]),
})
export type OpinionWalletTrade = z.infer<typeof OpinionWalletTrade>
