// Reference feeds as users read them: prices of coins, metals and currencies from outside the prediction markets. Names of tickers are those of
// the compatible family. Source: the specification's Reference data feeds and Oracle round.
import { z } from 'zod'
import { labMark } from './envelope.ts'

export const feedNames = ['binance', 'chainlink'] as const
export type FeedName = (typeof feedNames)[number]

/** Chains whose oracles can be read. */
export const chainNames = ['ethereum', 'arbitrum', 'base', 'polygon', 'bnb'] as const
export type ChainName = (typeof chainNames)[number]

export const FeedSource = z.enum(['binance-rest', 'binance-ws', 'chainlink-onchain'])
export type FeedSource = z.infer<typeof FeedSource>

export const FeedProvenance = z.object({ source: FeedSource, ...labMark }).meta({ id: 'FeedProvenance' })
/** Null: not known, or not proven. */
const Figure = z.number().nullable()

/** A round as the chain keeps it. */
export const OracleRound = z
  .object({
    /** The pair: BTC/USD. */
    feed: z.string(),
    /** Decimal text of a uint80: phase × 2^64 + the aggregator's own round. */
    roundId: z.string().regex(/^\d{1,25}$/),
    answer: z.number(),
    /** Epoch seconds. */
    startedAt: z.number().int(),
    updatedAt: z.number().int(),
    answeredInRound: z.string().regex(/^\d{1,25}$/),
    decimals: z.number().int(),
    /** `updatedAt`. */
    asOf: z.iso.datetime(),
    provenance: FeedProvenance,
  })
  .meta({ id: 'OracleRound' })
export type OracleRound = z.infer<typeof OracleRound>

export const FeedMarket = z
  .object({
    /** The upstream's own id: BTCUSDT, or the address of a proxy. */
    id: z.string(),
    symbol: z.string(),
    base: z.string(),
    quote: z.string(),
    active: z.boolean(),
    type: z.literal('spot'),
    info: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'FeedMarket' })
export type FeedMarket = z.infer<typeof FeedMarket>

/** `timestamp` and every price are null where the price is not proven now: an old price is no price. Prices in the quote, volumes in the named unit. */
export const FeedTicker = z
  .object({
    symbol: z.string(),
    /** Epoch ms: of the price. */
    timestamp: z.number().int().nullable(),
    datetime: z.iso.datetime().nullable(),
    high: Figure,
    low: Figure,
    bid: Figure,
    bidVolume: Figure,
    ask: Figure,
    askVolume: Figure,
    vwap: Figure,
    open: Figure,
    close: Figure,
    last: Figure,
    previousClose: Figure,
    change: Figure,
    percentage: Figure,
    average: Figure,
    baseVolume: Figure,
    quoteVolume: Figure,
    indexPrice: Figure,
    markPrice: Figure,
    /** What the upstream says of it in its own words; `unproven` says why there is no price. */
    info: z.record(z.string(), z.unknown()),
    /** Of what the upstream last said of it, also where that proves no price; where it says no time, when it was heard or found silent. */
    asOf: z.iso.datetime(),
    provenance: FeedProvenance,
  })
  .meta({ id: 'FeedTicker' })
export type FeedTicker = z.infer<typeof FeedTicker>

/** `data` of a `feedTicker` frame: the first three always, the others where the price is proven. */
export const FeedTickerData = z
  .strictObject({
    symbol: z.string(),
    asOf: z.iso.datetime(),
    provenance: FeedProvenance,
    price: z.number().positive().optional(),
    volume: z.number().nonnegative().optional(),
    /** Epoch ms. */
    timestamp: z.number().int().optional(),
    datetime: z.iso.datetime().optional(),
    sourceMetadata: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'FeedTickerData' })
export type FeedTickerData = z.infer<typeof FeedTickerData>

/** Rounds of one history. */
export const oracleRoundsMax = 50
