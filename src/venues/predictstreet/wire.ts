// What PredictStreet's public reads send. https://docs.adipredictstreet.com (concepts and API reference, read 2026-11); no recording of ours. Lists
// hold rows as `unknown`: one bad row is skipped and logged, it does not lose the list.
import { z } from 'zod'
import { row, StateWord } from '../shared/data/row.ts'

/** Safe as a path segment: slugs are lower-case words with dashes, ids of events are UUIDs. */
export const Name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,249}$/)

/** A decimal as text. */
const Figure = z.union([z.string(), z.number()]).transform(String)
const Figures = z.array(Figure).nullish().catch(null)

/** Descriptive fields: a different form counts as unknown and does not cost the row. */
const Note = z.string().nullish().catch(null)
const Count = z.number().nullish().catch(null)
const Flag = z.boolean().nullish().catch(null)

const Tags = z
  .array(z.object({ slug: Note, name: Note }))
  .nullish()
  .catch(null)

/** https://docs.adipredictstreet.com/api-reference/markets/market-detail-by-slug */
export const PredictStreetMarket = row(
  z.object({
    id: z.string().min(1),
    eventId: Name,
    /** Identifies its book and its trades. */
    symbol: z.string().min(1),
    /** Identifies the market itself. */
    slug: Name,
    title: z.string(),
    groupItemTitle: Note,
    conditionId: Note,
    questionId: Note,
    yesTokenId: Note,
    /** Null with more than two outcomes. */
    noTokenId: Note,
    status: StateWord,
    currentReviewRound: Count,
    outcomeCount: Count,
    outcomeLabels: z.array(z.string()).min(2),
    initialFairValue: Note,
    /** Prices at which trading began, not current ones. */
    initialOutcomePrices: Figures,
    outcomePrices: Figures,
    feeTakerBps: z.number().nullish(),
    opensAt: Note,
    closesAt: Note,
    kickoff: Note,
    resolutionWindowHours: Count,
    pausedAt: Note,
    resolvedAt: Note,
    /** Documented without a form. As in contracts of this family: one number per outcome, its share of the whole. */
    payoutNumerators: Figures,
    officialDataSource: Note,
    sourceMatchId: Note,
    resolutionCriteria: Note,
    negRiskEligible: Flag,
    isNewMarketType: Flag,
    createdAt: Note,
    updatedAt: Note,
    /** USDC. Read by another client in 2026; the documentation's sample row ends before them. */
    volume24h: Figure.nullish().catch(null),
    totalVolume: Figure.nullish().catch(null),
    tags: Tags,
  }),
)
export type PredictStreetMarket = z.infer<typeof PredictStreetMarket>

/** https://docs.adipredictstreet.com/concepts/events/overview */
export const PredictStreetEvent = row(
  z.object({
    id: Name,
    slug: z.string(),
    title: z.string(),
    group: Note,
    stage: Note,
    teamA: Note,
    teamB: Note,
    tags: Tags,
    eventStartTime: Note,
    createdAt: Note,
    updatedAt: Note,
    volume24h: Figure.nullish().catch(null),
    totalVolume: Figure.nullish().catch(null),
    markets: z.array(z.unknown()),
  }),
)
export type PredictStreetEvent = z.infer<typeof PredictStreetEvent>

export const PredictStreetMarkets = z.object({ markets: z.array(z.unknown()) })
/** Its envelope is undocumented: like that of markets, or none. */
export const PredictStreetEvents = z.object({ events: z.array(z.unknown()) })

const Level = z.object({ price: Figure, quantity: Figure })

/** https://docs.adipredictstreet.com/concepts/markets/orderbook. The construction of its `hash` is undocumented. */
export const PredictStreetBook = z.object({
  marketId: z.string(),
  outcome: Figure,
  bids: z.array(Level),
  asks: z.array(Level),
  ts: Note,
})
export type PredictStreetBook = z.infer<typeof PredictStreetBook>

/**
 * https://docs.adipredictstreet.com/api-reference/markets/public-trade-tape. It names maker and taker of a trade, but not which of them bought.
 */
export const PredictStreetTrade = row(
  z.object({
    id: z.string().min(1),
    price: Figure,
    quantity: Figure,
    createdAt: z.string(),
    outcomeIndex: z.number().int().nonnegative(),
  }),
)
export const PredictStreetTrades = z.object({ symbol: z.string(), trades: z.array(z.unknown()) })

export const PredictStreetRefusal = z.object({ code: z.string() })
