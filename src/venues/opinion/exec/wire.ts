// What order entry reads from Opinion. Types of @opinion-labs/opinion-api 0.3.1, and orders recorded by `ccxt`.
import { z } from 'zod'
import type { ExecutionStatus } from '#schemas/executions'
import { ExactDecimal, OptionalDecimal } from '../../shared/exec/decimalShape.ts'
import { MatchedSize } from '../../shared/exec/filledSize.ts'
import { optionalStateReader } from '../../shared/exec/orderStates.ts'
import { hexText } from '../../shared/exec/typedOrder.ts'
import { answer } from '../wire.ts'

export const paths = { order: '/order', cancel: '/order/cancel', quoteTokens: '/quoteToken' } as const

const Decimal = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d+(\.\d+)?$/))
const Note = z.union([z.string(), z.number()]).nullish().catch(null)
/** Unix seconds. A time that cannot be read is unknown. */
const Seconds = z.number().int().nonnegative().nullish().catch(null)
/** As the venue writes it. */
const UnchangedDecimal = Decimal.nullish().catch(null)

export const QuoteToken = z.object({
  chainId: z.union([z.string(), z.number()]).transform(String),
  quoteTokenAddress: hexText(40),
  /** Where its orders are settled. */
  ctfExchangeAddress: hexText(40),
  decimal: z.number().int().min(0).max(18),
  symbol: z.string().min(1).max(20).nullish().catch(null),
})
/** Rows of other chains may have a different form. */
export const QuoteTokensAnswer = answer(z.object({ list: z.array(z.unknown()) }))

/** Fields other than its id are not documented for every answer. */
export const PlacedAnswer = answer(
  z.object({
    orderData: z.object({
      orderId: z.string().min(1).max(100),
      filledShares: MatchedSize,
      marketId: z.number().nullish().catch(null),
      sideEnum: z.string().nullish().catch(null),
      outcomeSide: Note,
      price: UnchangedDecimal,
      orderShares: UnchangedDecimal,
    }),
  }),
)

/** It names no order: it is about the requested one. */
export const CanceledAnswer = answer(z.object({ result: z.literal(true) }))

/** Returned only with a single order read by its id. Canceled, Expired and Failed ones came to nothing. */
export const OpinionTrade = z.object({
  tradeNo: z.string().min(1),
  orderNo: Note,
  txHash: Note,
  side: Note,
  outcomeSide: Note,
  price: UnchangedDecimal,
  shares: Decimal,
  amount: Note,
  /** In units; `fee` is the same as a mere number. */
  feeFormatted: Note,
  status: Note,
  statusEnum: Note,
  createdAt: Seconds,
})
export type OpinionTrade = z.infer<typeof OpinionTrade>

export const OpinionOrder = z.object({
  orderId: z.string().min(1),
  marketId: z.union([
    z.number().int(),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ]),
  /** Buy or Sell. `side` has been recorded as 0 for a purchase where the documentation says 1: the word is read. */
  sideEnum: z.string().nullish().catch(null),
  /** 1 YES, 2 NO. */
  outcomeSide: Note,
  /** 1 market, 2 limit. */
  tradingMethod: Note,
  price: UnchangedDecimal,
  orderShares: UnchangedDecimal,
  filledShares: UnchangedDecimal,
  status: Note,
  statusEnum: z.string().nullish().catch(null),
  createdAt: Seconds,
  /** Read one by one. */
  trades: z.array(z.unknown()).nullish().catch(null),
})
export type OpinionOrder = z.infer<typeof OpinionOrder>

/** The format of an unknown order is undocumented: "not found", or an answer without an order. */
const Unknown = z
  .union([
    z.object({ errno: z.number(), errmsg: z.string().regex(/not (?:found|exist)/i) }),
    answer(z.union([z.null(), z.object({ orderData: z.null() })])),
  ])
  .transform(() => null)

export const OneOrderAnswer = z.union([
  answer(z.object({ orderData: OpinionOrder })).transform(({ result }) => result.orderData),
  Unknown,
])
/** `total`: of all pages. Rows are read one by one: another order's row must not hide ours. */
export const OrdersAnswer = answer(
  z.object({ total: z.number().int().nonnegative().nullish(), list: z.array(z.unknown()) }),
)

/** Order states mapped to ours: by word, and by number when there is no word. */
const states: Readonly<Record<string, ExecutionStatus>> = {
  pending: 'acked',
  finished: 'filled',
  canceled: 'canceled',
  expired: 'expired',
  failed: 'failed',
  1: 'acked',
  2: 'filled',
  3: 'canceled',
  4: 'expired',
  5: 'failed',
}
const readState = optionalStateReader(states, { spelled: (word) => word.toLowerCase() })
/** The venue's word, its number where there is no word, or nothing. */
export const statusWord = ({ status, statusEnum }: Pick<OpinionOrder, 'status' | 'statusEnum'>): string =>
  statusEnum || String(status ?? '')
/** Null for an unlisted word. */
export const statusOf = ({ status, statusEnum }: Pick<OpinionOrder, 'status' | 'statusEnum'>): ExecutionStatus | null =>
  readState(statusWord({ status, statusEnum }))

/** Lists of the account; rows are read one by one. */
export const OpinionList = answer(
  z.object({ total: z.number().int().nonnegative(), list: z.array(z.unknown()).nullish() }),
)
export const OpinionPosition = z.object({
  marketId: z.union([z.number().int(), z.string()]).transform(String),
  tokenId: z.string().regex(/^\d{20,78}$/),
  sharesOwned: ExactDecimal,
  avgEntryPrice: OptionalDecimal,
})
export type OpinionPosition = z.infer<typeof OpinionPosition>

export const OpinionBalances = answer(z.object({ balances: z.array(z.unknown()) }))
export const OpinionBalance = z.object({
  quoteToken: z.string().min(1),
  totalBalance: OptionalDecimal,
  availableBalance: OptionalDecimal,
})
