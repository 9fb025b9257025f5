// What Gemini's public reads send, unchanged. https://docs.gemini.com/prediction-markets/ (events), https://docs.gemini.com/rest/market-data
// (book, trades). Envelopes hold rows as `unknown`: one bad row is skipped and logged, and the rest of the page is kept.
import { z } from 'zod'
import { row, StateWord } from '../shared/data/row.ts'
import { WholeNumber } from '../shared/data/wholeNumber.ts'

/** A decimal as text, as the catalog and the v1 paths write all figures. */
const Figure = z.union([z.string(), z.number()]).transform(String)

/** Text we only pass on: a different form counts as unknown and does not cost the row. None of our recordings pins its type. */
const Note = z.string().nullish().catch(null)

/** Quotes are only `bestBid` and `bestAsk`: `buy` and `sell` fall back to an indicative mark when nothing rests. */
const Prices = z.object({
  /** Absent without quotes, and on settled contracts. */
  bestBid: Figure.nullish(),
  bestAsk: Figure.nullish(),
  /** Absent before the first trade, and on settled contracts. */
  lastTradePrice: Figure.nullish(),
})

const Strike = z.object({
  type: Note,
  /** Usually a decimal, sometimes a fragment of the label. */
  value: Figure.nullish(),
  availableAt: Note,
})

export const GeminiContract = row(
  z.object({
    id: Figure.nullish(),
    label: z.string().nullish(),
    abbreviatedName: Note,
    ticker: z.string().nullish(),
    instrumentSymbol: z.string().min(1),
    /** A rich-text tree, or plain text. */
    description: z.unknown().optional(),
    prices: Prices.nullish(),
    totalShares: Figure.nullish().catch(null),
    status: StateWord,
    marketState: StateWord,
    imageUrl: Note,
    createdAt: Note,
    effectiveDate: Note,
    expiryDate: z.string().nullish(),
    resolutionSide: z.string().nullish(),
    resolvedAt: Note,
    settlementValue: Figure.nullish(),
    strike: Strike.nullish().catch(null),
    /** The grid of its orders. Observed 2026-11; absent means cents and whole contracts. */
    priceIncrement: Figure.nullish(),
    priceMinimum: Figure.nullish(),
    quantityIncrement: Figure.nullish(),
    quantityMinimum: Figure.nullish(),
    sortOrder: z.number().nullish().catch(null),
    termsAndConditionsUrl: Note,
  }),
)
export type GeminiContract = z.infer<typeof GeminiContract>

export const GeminiEvent = row(
  z.object({
    id: Figure.nullish(),
    ticker: z.string().min(1),
    title: z.string(),
    slug: Note,
    description: z.unknown().optional(),
    imageUrl: Note,
    /** binary or categorical. */
    type: Note,
    category: z.string().nullish(),
    subcategory: z.object({ name: Note }).nullish().catch(null),
    /** Only on some events. */
    series: Note,
    status: StateWord,
    contracts: z.array(z.unknown()).nullish(),
    /** Of all its contracts together, in contracts traded. */
    volume: Figure.nullish(),
    volume24h: Figure.nullish(),
    liquidity: Figure.nullish(),
    tags: z.array(z.string()).nullish(),
    createdAt: Note,
    effectiveDate: Note,
    startTime: Note,
    expiryDate: z.string().nullish(),
    resolvedAt: Note,
    source: Note,
    template: Note,
    isLive: z.boolean().nullish().catch(null),
  }),
)
export type GeminiEvent = z.infer<typeof GeminiEvent>

export const GeminiEventsPage = z.object({
  data: z.array(z.unknown()),
  pagination: z.object({ total: z.number().int().nonnegative().nullish() }).nullish(),
})

const Level = z.object({ price: Figure, amount: Figure })
/** Both sides empty when settled. The levels' `timestamp` is documented as a dummy value, not the time of the book. */
export const GeminiBook = z.object({ bids: z.array(Level), asks: z.array(Level) })
export type GeminiBook = z.infer<typeof GeminiBook>

export const GeminiTrade = row(
  z.object({
    /** 16 digits. */
    tid: Figure,
    timestampms: WholeNumber.pipe(z.number().nonnegative().max(8.64e15)),
    price: Figure,
    amount: Figure,
    /** The taker's side: `buy` took an ask. */
    type: z.string().nullish(),
  }),
)
export type GeminiTrade = z.infer<typeof GeminiTrade>
export const GeminiTrades = z.array(z.unknown())

/** Both forms of a refusal. */
export const GeminiRefusal = z.object({
  reason: z.string().nullish(),
  error: z.string().nullish(),
  message: z.string().nullish(),
})

// Frames of the socket. https://developer.gemini.com/specs/asyncapi/websocket.yaml

/** Price and quantity; a quantity of zero is a level that is gone. */
const Pair = z.tuple([z.string(), z.string()])

/** Of `depth`. Whether its numbering matches the frames' is undocumented. */
export const GeminiPairs = z.object({ bids: z.array(Pair), asks: z.array(Pair) })
export type GeminiPairs = z.infer<typeof GeminiPairs>

export const GeminiDepth = z.object({
  e: z.literal('depthUpdate'),
  /** Epoch ns: more precise than a double. */
  E: z.number(),
  /** Also seen in lower case. */
  s: z.string(),
  /** The first and the last update that the frame covers. */
  U: z.number(),
  u: z.number(),
  b: z.array(Pair),
  a: z.array(Pair),
})
export type GeminiDepth = z.infer<typeof GeminiDepth>

export const GeminiStreamTrade = z.object({
  E: z.number(),
  s: z.string(),
  t: z.number(),
  p: z.string(),
  q: z.string(),
  /** The buyer was the maker: the taker sold. */
  m: z.boolean(),
})
export type GeminiStreamTrade = z.infer<typeof GeminiStreamTrade>

export const GeminiAnswer = z.object({
  id: z.union([z.string(), z.number()]),
  /** An HTTP status. */
  status: z.number(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), msg: z.string() }).optional().catch(undefined),
})
export type GeminiAnswer = z.infer<typeof GeminiAnswer>
