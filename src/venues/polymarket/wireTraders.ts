// The Data API's responses about traders: only the fields we use. https://docs.polymarket.com/developers/data-api
// Lists hold rows as `unknown`: one bad row is skipped and logged, and the rest of the page is kept.
import { z } from 'zod'

const Note = z.string().nullish().catch(null)
const Amount = z.union([z.number(), z.string()]).nullish().catch(null)

/** Second version, since 2026-09-04. The cursor holds only the position: filters are sent again with each page. */
export const DataPage = z.object({
  data: z.array(z.unknown()),
  pagination: z.object({ has_more: z.boolean(), next_cursor: z.string().nullish() }),
})

export const DataTraderTrade = z.object({
  proxy_wallet: z.string().min(1),
  /** BUY or SELL, of this wallet. */
  side: z.string(),
  token_id: z.string().min(1),
  condition_id: z.string().min(1),
  size: z.number().nonnegative(),
  price: z.number(),
  /** Unix seconds. */
  timestamp: z.number(),
  /** Empty: none. */
  name: Note,
  pseudonym: Note,
  transaction_hash: Note,
})
export type DataTraderTrade = z.infer<typeof DataTraderTrade>

export const DataHolders = z.object({ token_id: z.string().min(1), holders: z.array(z.unknown()) })
export const DataHolder = z.object({
  proxy_wallet: z.string().min(1),
  amount: z.number().nonnegative(),
  name: Note,
  pseudonym: Note,
  /** USDC, requested with `include_pnl`. */
  current_value: Amount,
})

/** First version, the only one whose path is known. `rank` is text. */
export const DataLeaders = z.array(z.unknown())
export const DataLeader = z.object({
  rank: z.union([z.string(), z.number()]),
  proxyWallet: z.string().min(1),
  userName: Note,
  vol: Amount,
  pnl: Amount,
})
export type DataLeader = z.infer<typeof DataLeader>

/** Number of markets that a wallet has traded. */
export const DataTraded = z.object({ traded: z.number().int().nonnegative() })
