// What Limitless' public reads send. Shapes: recorded rows of 2026-05 and 2026-06, the types of the venue's own client
// (github.com/limitless-labs-group/limitless-exchange-ts-sdk), https://docs.limitless.exchange/api-reference. Lists hold rows as `unknown`:
// one bad row is skipped and logged, and the rest of the page is kept.
import { z } from 'zod'
import { row, StateFlag, StateWord, unreadableWord } from '../shared/data/row.ts'

/** Figures come as numbers and as text, even in the same field. */
const Figure = z.union([z.number(), z.string()])

/** Fields we only pass on: a different form counts as unknown and does not cost the row. */
const Note = z.string().nullish().catch(null)
const Flag = z.boolean().nullish().catch(null)
const Count = Figure.nullish().catch(null)
const Words = z.array(z.string()).nullish().catch(null)
const Thing = z.record(z.string(), z.unknown()).nullish().catch(null)

/** YES before NO. */
const Pair = z.tuple([Figure, Figure])

/** 77 digits each. */
export const LimitlessTokens = z.object({ yes: z.string(), no: z.string() })
export type LimitlessTokens = z.infer<typeof LimitlessTokens>

export const LimitlessMarket = row(
  z.object({
    id: Count,
    slug: z.string(),
    /** Of a pool. CLOB markets have none, or not their own. */
    address: Note,
    title: z.string(),
    proxyTitle: Note,
    /** HTML. */
    description: Note,
    conditionId: Note,
    negRiskRequestId: Note,
    /** A number that no read accepts; standalone markets have none. */
    groupId: Figure.nullish().catch(unreadableWord),
    collateralToken: z.object({ address: Note, decimals: Figure, symbol: z.string() }).nullish().catch(null),
    /** Epoch ms. */
    expirationTimestamp: Count,
    expired: StateFlag,
    hidden: Flag,
    status: StateWord,
    tokens: LimitlessTokens.nullish(),
    /** Fair price of either side: 0 to 1, for pools usually 0 to 100. */
    prices: Pair.nullish().catch(null),
    /** Per side: what an immediate order would pay or get (`market`), and the best resting order (`limit`). */
    tradePrices: z
      .object({ buy: z.object({ market: Pair }), sell: z.object({ market: Pair }) })
      .nullish()
      .catch(null),
    /** clob, amm; `group` for groups. */
    tradeType: Note,
    /** single, group. */
    marketType: Note,
    /** `feeModuleType` COLLATERAL: takers pay their fee in USDC through `feeModule`. Absent: buyers pay it in shares. */
    venue: z.object({ exchange: Note, adapter: Note, feeModule: Note, feeModuleType: Note }).nullish().catch(null),
    /** 0: YES paid; 1: NO; null before that, and when both were paid in part. */
    winningOutcomeIndex: Count,
    payoutNumerators: z.array(Figure).nullish().catch(null),
    /** All-time, in base units of the collateral. There is no daily figure. */
    volume: Count,
    liquidity: Count,
    openInterest: Count,
    createdAt: Note,
    startAt: Note,
    updatedAt: Note,
    imageUrl: Note,
    logo: Note,
    categories: Words,
    tags: Words,
    automationType: Note,
    isRewardable: Flag,
    isOther: Flag,
    /** Of a recurring question. */
    stableSlug: Note,
    settings: Thing,
    metadata: Thing,
    priceOracleMetadata: Thing,
    /** Of a group. */
    negRiskMarketId: Note,
    markets: z.array(z.unknown()).nullish().catch(null),
  }),
)
export type LimitlessMarket = z.infer<typeof LimitlessMarket>

export const LimitlessPage = z.object({
  data: z.array(z.unknown()),
  totalMarketsCount: z.number().int().nonnegative().nullish(),
})

/** Sizes are base units: 2000000000 are 2,000 shares. */
const Level = z.object({ price: Figure, size: Figure })

/** Of YES, with bids for NO already among its asks. No time, no sequence number. */
export const LimitlessBook = z.object({
  bids: z.array(Level),
  asks: z.array(Level),
  /** Of YES. */
  tokenId: Note,
  lastTradePrice: Figure.nullish().catch(null),
})
export type LimitlessBook = z.infer<typeof LimitlessBook>

/** Epoch ms or ISO; the server's own time. */
const Moment = z.union([z.number(), z.string()]).nullish().catch(null)

/** The whole book, in the same form as over REST. */
export const LimitlessBookUpdate = z.object({
  marketSlug: z.string(),
  orderbook: LimitlessBook,
  timestamp: Moment,
  /**
   * One undocumented count for the whole venue: it never decreased in order of arrival, also across reconnects (observed by third parties
   * 2026-09-01).
   */
  version: z.int().nullish().catch(null),
})

/** Of a pool; each price at a block of the chain. */
export const LimitlessPrices = z.object({
  updatedPrices: z.array(z.object({ marketAddress: z.string(), yesPrice: Figure, noPrice: Figure })),
  blockNumber: z.number().nullish().catch(null),
  timestamp: Moment,
})

export const LimitlessResolution = z.object({ slug: z.string(), resolutionDate: Moment })

export const LimitlessTrade = row(
  z.object({
    createdAt: z.string(),
    /** The trade is from this token's perspective, which may be either side's. */
    tokenId: z.string(),
    /** 0: the taker bought it; 1: sold it. */
    side: Figure.nullish().catch(null),
    price: Figure,
    /** Base units. */
    matchedSize: Figure,
    /** One transaction may settle several. */
    txHash: z.string(),
  }),
)
export type LimitlessTrade = z.infer<typeof LimitlessTrade>

/** Newest first. */
export const LimitlessTrades = z.object({ events: z.array(z.unknown()), totalPages: Count })
