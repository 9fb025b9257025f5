// What the public gateway sends. https://docs.polymarket.us/api-reference (protos/gateway/market/v1/market.proto); rows recorded 2026-09-05 and -06.
import { z } from 'zod'
import { row, StateFlag, StateWord } from '../shared/data/row.ts'

export const Slug = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/, 'must be a market slug')

/** Dollars as decimal text; four decimals observed. */
export const UsAmount = z.object({ value: z.string(), currency: z.literal('USD') })
export type UsAmount = z.infer<typeof UsAmount>

/** Text today, a number in the older client's types. */
const Id = z.union([z.string().min(1), z.int()]).transform(String)

// Descriptive fields count as unknown when unreadable; those that matter to orders refuse the row.
const Text = z.string().nullish().catch(null)
const Count = z.number().nullish().catch(null)
const Flag = z.boolean().nullish()
/** Numbers today; the venue writes other decimals as text. */
const Decimal = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,9}(\.\d{1,9})?$/)
      .transform(Number),
  ])
  .nullish()

/** `label` is the human-readable part; the rest of a tag is pictures and sport ids. */
const Tags = z
  .array(z.object({ label: Text }))
  .nullish()
  .catch(null)

/**
 * One of the two instruments of a market. `price` is the displayed one, usually the current cost of buying this side.
 */
export const UsSide = z.object({ description: Text, long: z.boolean(), price: Text, tradable: Flag, teamId: Count })
export type UsSide = z.infer<typeof UsSide>

export const UsMarket = row(
  z.object({
    id: Id,
    slug: Slug,
    question: Text,
    title: Text,
    titleShort: Text,
    subtitle: Text,
    description: Text,
    category: Text,
    tags: Tags,
    image: Text,
    active: StateFlag,
    closed: StateFlag,
    archived: StateFlag,
    hidden: Flag,
    /** The gateway's own lifecycle word; words may be added. Missing in older rows. */
    status: StateWord,
    startDate: Text,
    endDate: Text,
    gameStartTime: Text,
    createdAt: Text,
    updatedAt: Text,
    marketType: Text,
    sportsMarketType: Text,
    sportsMarketTypeV2: Text,
    line: Count,
    /**
     * Exactly two, one long and one short, in either order. The `outcomes` next to them is deprecated and observed as
     * `["No","Yes"]`.
     */
    marketSides: z.array(UsSide).length(2),
    bestBidQuote: UsAmount.nullish(),
    bestAskQuote: UsAmount.nullish(),
    orderPriceMinTickSize: Decimal,
    minimumTradeQty: Decimal,
    feeCoefficient: Decimal,
    /** Lifetime, contracts. Documented, not seen in a recorded row. */
    volume: Count,
    rulesDisclaimer: Text,
    comboEnabled: Flag,
  }),
)
export type UsMarket = z.infer<typeof UsMarket>

/** Its markets are read one by one: an unreadable one does not affect the others. */
export const UsEvent = row(
  z.object({
    id: Id,
    slug: Text,
    title: Text,
    subtitle: Text,
    description: Text,
    category: Text,
    subcategory: Text,
    tags: Tags,
    image: Text,
    ticker: Text,
    active: Flag,
    closed: Flag,
    archived: Flag,
    live: Flag,
    ended: Flag,
    volume: Count,
    openInterest: Count,
    liquidity: Count,
    startDate: Text,
    startTime: Text,
    endDate: Text,
    endTime: Text,
    eventDate: Text,
    createdAt: Text,
    updatedAt: Text,
    seriesSlug: Text,
    /** In the older client's types, in place of `seriesSlug`. */
    series: z
      .object({ slug: z.string().min(1), title: Text })
      .nullish()
      .catch(null),
    gameId: Count,
    resolutionSource: Text,
    markets: z.array(z.unknown()).nullish(),
  }),
)
export type UsEvent = z.infer<typeof UsEvent>

export const UsEventsPage = z.object({ events: z.array(z.unknown()) })
export const UsEventBody = z.object({ event: z.unknown() })
/** `GET /v1/markets/{slug}/settlement` */
export const UsSettlement = z.object({ slug: z.string(), settlement: z.number().min(0).max(1) })
export const UsMarketBody = z.object({ market: UsMarket })

const UsLevel = z.object({ px: UsAmount, qty: z.string() })
export type UsLevel = z.infer<typeof UsLevel>

/** One book per slug, priced on the long side. The venue sends empty sides as empty lists: one that is absent is unknown. */
export const UsBook = z.object({
  marketSlug: z.string(),
  bids: z.array(UsLevel),
  offers: z.array(UsLevel),
  state: Text,
  stats: z.object({ lastTradePx: UsAmount.nullish() }).nullish(),
  /** RFC 3339 with nanoseconds. */
  transactTime: Text,
})
export type UsBook = z.infer<typeof UsBook>
export const UsBookBody = z.object({ marketData: UsBook })

/** gRPC style. A 404 from a proxy in front of the venue looks different. */
export const UsRefusal = z.object({ code: z.int(), message: z.string() })

/** A frame of the markets' socket: a book, an error, or the venue's own heartbeat. */
export const UsFrame = z.object({
  requestId: z.string().optional().catch(undefined),
  marketData: UsBook.optional(),
  error: z.string().optional(),
  heartbeat: z.unknown().optional(),
})
