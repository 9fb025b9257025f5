// The CLOB's answers that order entry reads. https://docs.polymarket.com/api-reference
import { z } from 'zod'
import type { ExecutionStatus } from '#schemas/executions'
import { ExactDecimal, OptionalDecimal } from '../../shared/exec/decimalShape.ts'
import { MatchedSize } from '../../shared/exec/filledSize.ts'
import { optionalStateReader } from '../../shared/exec/orderStates.ts'

export const paths = {
  version: '/version',
  tickSize: '/tick-size',
  negRisk: '/neg-risk',
  clobMarket: '/clob-markets/',
  order: '/order',
  readOrder: '/data/order/',
  readOrders: '/data/orders',
  trades: '/data/trades',
} as const

const Decimal = z
  .union([z.number(), z.string()])
  .transform(String)
  .pipe(z.string().regex(/^\d*\.?\d+$/))

export const ClobVersion = z.object({ version: z.number().int() })
export const ClobTickSize = z.object({ minimum_tick_size: Decimal })
export const ClobNegRisk = z.object({ neg_risk: z.boolean() })
/** `fd` absent: no fee. `nr` absent: false. `v`: the market's protocol, absent in older answers. */
export const ClobMarket = z.object({
  t: z.array(z.object({ t: z.string() }).nullable()),
  mos: Decimal.nullish(),
  nr: z.boolean().nullish(),
  v: z.string().nullish(),
  fd: z.object({ r: z.number().min(0), e: z.number().min(0), to: z.boolean().nullish() }).nullish(),
})

export const ClobPlaced = z.object({
  success: z.boolean(),
  orderID: z.string().nullish(),
  errorMsg: z.string().nullish(),
  status: z.string().nullish(),
  /** Matched at once: what the order gives, and what it gets. */
  makingAmount: MatchedSize,
  takingAmount: MatchedSize,
})
export const ClobCanceled = z.object({
  canceled: z.array(z.string()),
  not_canceled: z.record(z.string(), z.string()).nullish(),
})
export const ClobError = z.object({ error: z.string().min(1), code: z.string().optional() })

export const ClobOrder = z.object({
  id: z.string(),
  status: z.string().catch(''),
  original_size: Decimal.nullish().catch(null),
  size_matched: Decimal.nullish().catch(null),
})
export type ClobOrder = z.infer<typeof ClobOrder>

/** Descriptive: an odd one costs itself, not the trade. */
const Text = z.string().nullish().catch(null)

export const ClobTrade = z.object({
  id: z.string(),
  taker_order_id: z.string(),
  market: Text,
  asset_id: Text,
  side: Text,
  size: Decimal,
  price: Decimal,
  fee_rate_bps: z.union([z.string(), z.number()]).nullish(),
  status: z.string(),
  /** Unix seconds. */
  match_time: z
    .union([z.string().regex(/^\d{1,12}$/), z.number()])
    .nullish()
    .catch(null),
  outcome: z.string().nullish(),
  bucket_index: z.number().nullish(),
  transaction_hash: z.string().nullish(),
  maker_orders: z
    .array(
      z.object({
        order_id: z.string(),
        matched_amount: Decimal,
        price: Decimal,
        asset_id: Text,
        side: Text,
        outcome: z.string().nullish(),
        fee_rate_bps: z.union([z.string(), z.number()]).nullish(),
      }),
    )
    .nullish(),
})
export type ClobTrade = z.infer<typeof ClobTrade>

/** `data` is required: only a list that is explicitly empty counts as empty. Trades are read one by one: another order's must not hide ours. */
export const ClobTrades = z.object({ next_cursor: z.string().nullish(), data: z.array(z.unknown()).nullable() })
export const ClobOrders = z.object({ data: z.array(ClobOrder).nullable() })

/** Order states mapped to ours. */
const states: Readonly<Record<string, ExecutionStatus>> = {
  LIVE: 'acked',
  DELAYED: 'acked',
  /** Marketable, not matched yet, and kept: it rests like a live one. */
  UNMATCHED: 'acked',
  MATCHED: 'filled',
  CANCELED: 'canceled',
  CANCELED_MARKET_RESOLVED: 'canceled',
  INVALID: 'failed',
}
/** With or without the prefix of the OpenAPI page. Null for an unlisted word. */
export const statusOf = optionalStateReader(states, {
  spelled: (word) => word.toUpperCase().replace(/^ORDER_STATUS_/, ''),
})

/** A row of the Data API's positions: shares, with at most six digits after the point. */
export const DataPosition = z.object({
  token_id: z.string().regex(/^\d{1,78}$/),
  current_size: ExactDecimal,
  avg_price: OptionalDecimal,
})
export type DataPosition = z.infer<typeof DataPosition>
