// What Predict.fun's reads send. https://dev.predict.fun (categories, markets, orderbook, order matches) and answers recorded in `ccxt`. Envelopes
// hold rows
// as `unknown`: one bad row is skipped and logged, and the rest of the page is kept.
import { z } from 'zod'
import { row, StateWord } from '../shared/data/row.ts'
import { WholeNumber } from '../shared/data/wholeNumber.ts'

/** Text, figures and flags we only pass on: a different form counts as unknown and does not cost the row. */
const Note = z.string().nullish().catch(null)
const Count = z.number().nullish().catch(null)
/** Orders depend on it: as text it is the same number. */
const Whole = WholeNumber.nullish().catch(null)
const Flag = z.boolean().nullish().catch(null)

/** With `includeStats`; in the form third-party clients read, null in every recording. */
const Stats = z
  .object({ volume24hUsd: Count, volumeTotalUsd: Count, totalLiquidityUsd: Count, liquidityValueUsd: Count })
  .nullish()
  .catch(null)

const Quote = z.object({ price: z.number(), size: Count }).nullish().catch(null)

const Outcome = z.object({
  name: z.string(),
  /** 1 or 2; the book is quoted in 1. */
  indexSet: WholeNumber.pipe(z.number().positive()).nullish().catch(null),
  /** The token, a number in decimal. */
  onChainId: z.string().nullish(),
  /** WON, LOST; null before. */
  status: Note,
  bestBid: Quote,
  bestAsk: Quote,
  team: z.unknown().optional(),
  variantData: z.unknown().optional(),
})

export const PredictMarket = row(
  z.object({
    id: WholeNumber.pipe(z.number().positive()),
    title: z.string(),
    question: Note,
    description: Note,
    /** The category around a market says the same. */
    categorySlug: z.string().min(1).nullish().catch(null),
    conditionId: Note,
    oracleQuestionId: Note,
    questionIndex: Count,
    resolverAddress: Note,
    /** REGISTERED, PRICE_PROPOSED, PRICE_DISPUTED, PAUSED, UNPAUSED, RESOLVED, REMOVED. https://dev.predict.fun/marketstatus-14037482d0.md */
    status: StateWord,
    /** OPEN, MATCHING_NOT_ENABLED, CANCEL_ONLY, CLOSED. https://dev.predict.fun/markettradingstatus-14037484d0.md */
    tradingStatus: StateWord,
    /** Decimals of a price: 2 or 3. */
    decimalPrecision: Whole,
    feeRateBps: Whole,
    isNegRisk: Flag,
    isYieldBearing: Flag,
    isVisible: Flag,
    isBoosted: Flag,
    boostStartsAt: Note,
    boostEndsAt: Note,
    spreadThreshold: Count,
    shareThreshold: Count,
    rewards: z.unknown().optional(),
    outcomes: z.array(Outcome),
    polymarketConditionIds: z.array(z.string()).nullish().catch(null),
    kalshiMarketTicker: Note,
    resolution: z.unknown().optional(),
    marketType: Note,
    marketVariant: Note,
    variantData: z.unknown().optional(),
    team: z.unknown().optional(),
    imageUrl: Note,
    createdAt: Note,
    stats: Stats,
  }),
)
export type PredictMarket = z.infer<typeof PredictMarket>

const Tag = z.object({ name: Note })

export const PredictCategory = row(
  z.object({
    id: Count,
    slug: z.string().min(1),
    title: z.string(),
    shortTitle: Note,
    description: Note,
    imageUrl: Note,
    /** OPEN or RESOLVED. */
    status: Note,
    marketVariant: Note,
    isNegRisk: Flag,
    isYieldBearing: Flag,
    isVisible: Flag,
    negRiskOnChainId: Note,
    parentSlug: Note,
    startsAt: Note,
    endsAt: Note,
    publishedAt: Note,
    createdAt: Note,
    resolutionProvider: Note,
    tags: z.array(Tag.loose()).nullish().catch(null),
    stats: Stats,
    teams: z.unknown().optional(),
    variantData: z.unknown().optional(),
    variantDetails: z.unknown().optional(),
    markets: z.array(z.unknown()).nullish(),
  }),
)
export type PredictCategory = z.infer<typeof PredictCategory>

const answer = <S extends z.ZodType>(data: S) => z.object({ success: z.literal(true), data })
/** The cursor is null on the last page. */
export const PredictPage = answer(z.array(z.unknown())).extend({ cursor: z.string().nullish() })
export const PredictMarketAnswer = answer(PredictMarket)
export const PredictCategoryAnswer = answer(PredictCategory)

const Level = z.tuple([z.number(), z.number()]).rest(z.unknown())
/** Levels of the first outcome, best first. `lastOrderSettled` is an order at its limit, not its fill price. */
export const PredictBook = z.object({
  marketId: WholeNumber,
  updateTimestampMs: Count,
  bids: z.array(Level),
  asks: z.array(Level),
})
export type PredictBook = z.infer<typeof PredictBook>
export const PredictBookAnswer = answer(PredictBook)

/** Amounts and prices in 10^-18. The taker's own price is its limit; `priceExecuted` is what it paid, a mean over its makers. */
export const PredictMatch = row(
  z.object({
    settlementId: z.string().min(1),
    executedAt: z.string(),
    amountFilled: z.string(),
    priceExecuted: z.string(),
    taker: z.object({
      /** Bid bought the named outcome, Ask sold it. */
      quoteType: Note,
      outcome: z.object({ indexSet: WholeNumber }),
    }),
  }),
)
export type PredictMatch = z.infer<typeof PredictMatch>

export const PredictRefusal = z.object({
  success: z.literal(false),
  /** Stable. */
  error: z.string().nullish(),
  message: z.string().nullish(),
})

/** https://dev.predict.fun (response format). A heartbeat's data must be echoed unchanged. */
export const PredictPush = z.object({ type: z.literal('M'), topic: z.string(), data: z.unknown().optional() })
export type PredictPush = z.infer<typeof PredictPush>

export const PredictReply = z.object({
  type: z.literal('R'),
  requestId: z.number(),
  success: z.boolean(),
  error: z.unknown().optional(),
})
export type PredictReply = z.infer<typeof PredictReply>
