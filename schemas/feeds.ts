// Reference feeds as served: prices of coins, metals and currencies from outside the prediction markets. Ticker field names are those of the
// compatible API family. Source: the specification's Reference data feeds and Oracle round.
import { z } from 'zod'
import { labMark } from './envelope.ts'

export const feedNames = ['binance', 'chainlink'] as const
export type FeedName = (typeof feedNames)[number]

/** Chains with readable oracles. */
export const chainNames = ['ethereum', 'arbitrum', 'base', 'polygon', 'bnb'] as const
export type ChainName = (typeof chainNames)[number]

export const FeedSource = z.enum(['binance-rest', 'binance-ws', 'chainlink-onchain'])
export type FeedSource = z.infer<typeof FeedSource>

export const FeedProvenance = z.object({ source: FeedSource, ...labMark }).meta({ id: 'FeedProvenance' })
/** Null: unknown or unproven. */
const Figure = z.number().nullable()

/** A round as stored on the chain. */
export const OracleRound = z
  .object({
    /** The pair, e.g. BTC/USD. */
    feed: z.string(),
    /** Decimal string of a uint80: phase × 2^64 + the aggregator's own round. */
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
    /** The upstream's own id, e.g. BTCUSDT or a proxy address. */
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

/**
 * `timestamp` and every price are null unless the price is proven now: a stale price is never served. Prices in the quote currency, volumes in the
 * named unit.
 */
export const FeedTicker = z
  .object({
    symbol: z.string(),
    /** Time of the price, epoch ms. */
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
    /** The upstream's own fields; `unproven` says why there is no price. */
    info: z.record(z.string(), z.unknown()),
    /**
     * Time of the upstream's latest report, even one that proves no price; if it carries no time, when it arrived or when the upstream was
     * found silent.
     */
    asOf: z.iso.datetime(),
    provenance: FeedProvenance,
  })
  .meta({ id: 'FeedTicker' })
export type FeedTicker = z.infer<typeof FeedTicker>

/** `data` of a `feedTicker` frame: the first three fields always, the rest only when the price is proven. */
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

/** Maximum rounds of one history. */
export const oracleRoundsMax = 50
