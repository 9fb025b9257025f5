// Responses of Gamma, the CLOB and the Data API as zod schemas: the fields we read. https://docs.polymarket.com/api-reference
// Descriptive fields of a different type count as absent; ids, prices and sizes fail loudly. Stream frames: wireStream.ts.
import { z } from 'zod'
import { row, StateFlag, StateWord } from '../shared/data/row.ts'

const MaybeNumber = z.number().nullish().catch(null)
/** A number, or the same as text. */
const Figure = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+(\.\d+)?$/)
    .transform(Number),
])
const MaybeText = z.string().nullish().catch(null)
const MaybeFlag = z.boolean().nullish().catch(null)
/** Gamma writes ids as strings; some embedded objects had numbers (observed 2026-02). */
const Id = z.union([z.string(), z.number()]).transform(String)
const MaybeId = Id.nullish().catch(null)
/**
 * JSON-encoded string holding an array of strings (observed), or the array itself (the venue's own parser accepts both).
 */
const EncodedList = z.union([z.string(), z.array(z.string())]).nullish()

const parts = <T extends z.ZodType>(part: T) => z.array(part).nullish().catch(null)

/** https://docs.polymarket.com/market-data/fetching-markets ; observed 2026-07-25 */
export const GammaTag = z.object({ id: MaybeId, label: MaybeText, slug: MaybeText })

/** Observed 2026-02-13 inside events. */
export const GammaSeries = row(
  z.object({
    id: Id,
    title: MaybeText,
    ticker: MaybeText,
    slug: MaybeText,
    description: MaybeText,
    recurrence: MaybeText,
    image: MaybeText,
    icon: MaybeText,
    seriesType: MaybeText,
    active: MaybeFlag,
    closed: MaybeFlag,
  }),
)
export type GammaSeries = z.infer<typeof GammaSeries>

/** `{exponent: 1, rate: 0.04, takerOnly: true, rebateRate: 0.25}`, observed 2026-07-25. */
export const GammaFeeSchedule = z.object({
  exponent: z.number(),
  rate: z.number(),
  takerOnly: MaybeFlag,
  rebateRate: MaybeNumber,
})

/** The event fields that also appear in a market's `events`. */
const eventFields = {
  id: Id,
  slug: MaybeText,
  title: MaybeText,
  ticker: MaybeText,
  description: MaybeText,
  resolutionSource: MaybeText,
  startDate: MaybeText,
  endDate: MaybeText,
  startTime: MaybeText,
  eventDate: MaybeText,
  updatedAt: MaybeText,
  image: MaybeText,
  icon: MaybeText,
  category: MaybeText,
  active: MaybeFlag,
  closed: MaybeFlag,
  archived: MaybeFlag,
  negRisk: MaybeFlag,
  negRiskAugmented: MaybeFlag,
  enableNegRisk: MaybeFlag,
  negRiskMarketID: MaybeText,
  gameId: MaybeId,
  volume: MaybeNumber,
  liquidity: MaybeNumber,
  openInterest: MaybeNumber,
  seriesSlug: MaybeText,
  series: parts(GammaSeries),
  tags: parts(GammaTag),
}
export const GammaEventHead = z.object(eventFields)
export type GammaEventHead = z.infer<typeof GammaEventHead>

/** https://docs.polymarket.com/api-reference/markets/get-market-by-id ; observed 2026-07-25. Volumes and liquidity in USD. */
export const GammaMarket = row(
  z.object({
    id: Id,
    question: z.string(),
    conditionId: MaybeText,
    questionID: MaybeText,
    slug: MaybeText,
    description: MaybeText,
    resolutionSource: MaybeText,
    image: MaybeText,
    icon: MaybeText,
    category: MaybeText,
    /** Parallel lists; index 0 is yes (or the first side). */
    outcomes: EncodedList,
    outcomePrices: EncodedList,
    clobTokenIds: EncodedList,
    /** `v1` or `v2`: which of the two lists has the ids. Both may be filled. Absent on older rows, which are `v1`. */
    version: StateWord,
    positionIds: EncodedList,
    active: StateFlag,
    closed: StateFlag,
    archived: StateFlag,
    acceptingOrders: StateFlag,
    enableOrderBook: MaybeFlag,
    negRisk: MaybeFlag,
    negRiskOther: MaybeFlag,
    negRiskMarketID: MaybeText,
    orderPriceMinTickSize: MaybeNumber,
    orderMinSize: MaybeNumber,
    /** Of the first outcome. 0 and 1 (or nothing) when that side is empty; left over from the last book on closed markets. */
    bestBid: MaybeNumber,
    bestAsk: MaybeNumber,
    lastTradePrice: MaybeNumber,
    /** Absent and 0 both occur: absent is unknown. */
    volume24hr: MaybeNumber,
    volumeNum: MaybeNumber,
    volume: MaybeText,
    liquidityNum: MaybeNumber,
    liquidityClob: MaybeNumber,
    liquidity: MaybeText,
    feesEnabled: MaybeFlag,
    feeType: MaybeText,
    feeSchedule: GammaFeeSchedule.nullish().catch(null),
    makerBaseFee: MaybeNumber,
    takerBaseFee: MaybeNumber,
    startDate: MaybeText,
    endDate: MaybeText,
    endDateIso: MaybeText,
    closedTime: MaybeText,
    updatedAt: MaybeText,
    gameStartTime: MaybeText,
    /** requested, proposed, disputed, resolved, settled or "". */
    umaResolutionStatus: StateWord,
    /** Of version 2: inactive, active or resolved. */
    resolutionStatus: StateWord,
    sportsMarketType: MaybeText,
    line: MaybeNumber,
    gameId: MaybeId,
    groupItemTitle: MaybeText,
    /** `scalar` or `normal` on AMM-era markets. */
    marketType: MaybeText,
    tags: parts(GammaTag),
    events: parts(GammaEventHead),
  }),
  { essential: ['outcomes', 'clobTokenIds'] },
)
export type GammaMarket = z.infer<typeof GammaMarket>

/** Markets are parsed one by one, so that one odd market does not hide its event. */
export const GammaEvent = row(z.object({ ...eventFields, markets: z.array(z.unknown()).nullish() }))
export type GammaEvent = z.infer<typeof GammaEvent>

/** `GET /events/keyset`; events are parsed one by one. `next_cursor` is absent on the last page. */
export const GammaEventsPage = z.object({ events: z.array(z.unknown()), next_cursor: z.string().nullish() })
/** `GET /markets/keyset` */
export const GammaMarketsPage = z.object({ markets: z.array(z.unknown()) })

export const ClobLevel = z.object({ price: z.string(), size: z.string() })

/** `GET /book`, `POST /books`. Worst level first on both sides. https://docs.polymarket.com/api-reference/market-data/get-order-book ; observed 2026-07-25 */
export const ClobBook = z.object({
  asset_id: z.string(),
  /** Epoch ms in digits. */
  timestamp: z.string().nullish(),
  bids: z.array(ClobLevel),
  asks: z.array(ClobLevel),
  tick_size: z.string().nullish(),
  neg_risk: z.boolean().nullish(),
  /** `""` before the first trade. */
  last_trade_price: z.string().nullish(),
})
export type ClobBook = z.infer<typeof ClobBook>

/** `GET /markets-by-token/{token}` */
export const ClobTokenMarket = z.object({ condition_id: z.string() })

/** Every list of the Data API, version 2. The end is where `next_cursor` is null: a short page is not the last one. */
export const DataPage = z.object({
  data: z.array(z.unknown()),
  pagination: z.object({ has_more: z.boolean(), next_cursor: z.string().nullish() }),
})

/** Data API `GET /v2/trades` row. Unix seconds, shares. Observed 2026-10-05. */
export const DataTrade = row(
  z.object({
    token_id: z.string().min(1),
    condition_id: z.string().min(1),
    /** BUY or SELL, of this wallet. */
    side: z.string(),
    price: Figure,
    size: Figure.pipe(z.number().nonnegative()),
    timestamp: Figure,
    transaction_hash: MaybeText,
    proxy_wallet: MaybeText,
    /** Empty: none. */
    name: MaybeText,
    pseudonym: MaybeText,
  }),
)
export type DataTrade = z.infer<typeof DataTrade>

/** Data API `GET /v2/prices-history` row: unix seconds and probability. Observed 2026-10-05. */
export const DataPricePoint = z.object({ timestamp: Figure, price: Figure })
export type DataPricePoint = z.infer<typeof DataPricePoint>

/** Data API v2, priced, in dollars. */
export const DataOpenInterest = z.object({
  data: z.array(z.object({ condition_id: z.string(), value: z.union([z.string(), z.number()]).nullish() })),
})
