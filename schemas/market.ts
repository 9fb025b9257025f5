// Catalog shapes as served: markets, outcomes, events, series. null means unknown (or the field is absent where marked optional); 0 means
// zero.
import { z } from 'zod'

const Delta = z.number().nullable()

/** How the outcome's tape is recorded, so that a reader can judge its gaps. */
export const Coverage = z
  .object({
    mechanism: z.enum(['ws-lossless', 'ws-top20', 'rest-adaptive', 'rest-top-of-book', 'synthetic-spot']),
    tapeSince: z.iso.datetime().nullable(),
    /** Start of trade recording and candle building; null: never recorded, so an empty tape says nothing about trading. */
    tradesSince: z.iso.datetime().nullable(),
    /**
     * Trades are recorded up to this time; for a live stream, up to this response. Later trades may not be on the tape
     * yet.
     */
    tradesUntil: z.iso.datetime().nullable(),
    effectiveIntervalMs: z.number().nullable(),
    gaps24h: z.number().int(),
    lastGapAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Coverage' })
export type Coverage = z.infer<typeof Coverage>

export const priceChangeKeys = [
  'priceChange1m',
  'priceChange5m',
  'priceChange15m',
  'priceChange1h',
  'priceChange6h',
  'priceChange24h',
  'priceChange7d',
  'priceChange30d',
] as const

export const Outcome = z
  .object({
    /** Venue-native: polymarket CLOB token id; kalshi ticker (YES) or `<ticker>-NO`. */
    outcomeId: z.string(),
    marketId: z.string(),
    label: z.string(),
    /** Last known probability in [0,1]; null when unknown. */
    price: z.number().nullable(),
    bestBid: z.number().nullable().optional(),
    bestAsk: z.number().nullable().optional(),
    /** Changes in probability; null never means zero. Filled from the tape on snapshot-enriched reads. */
    priceChange1m: Delta,
    priceChange5m: Delta,
    priceChange15m: Delta,
    priceChange1h: Delta,
    priceChange6h: Delta,
    priceChange24h: Delta,
    priceChange7d: Delta,
    priceChange30d: Delta,
    coverage: Coverage.nullable(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Outcome' })
export type Outcome = z.infer<typeof Outcome>

export const MarketStatus = z
  .enum(['active', 'inactive', 'closed', 'resolved', 'archived', 'unknown'])
  .meta({ id: 'MarketStatus' })
export type MarketStatus = z.infer<typeof MarketStatus>

export const Market = z.object({
  /** Venue-native on venue routes; `<venue>:<marketId>` on router routes. */
  marketId: z.string(),
  eventId: z.string().nullable(),
  title: z.string(),
  description: z.string(),
  slug: z.string().optional(),
  outcomes: z.array(Outcome),
  /** ISO; absent when unknown, never epoch 0. */
  resolutionDate: z.iso.datetime().optional(),
  volume24h: z.number().nullable(),
  volume24hSource: z.enum(['venue', 'derived_cumulative', 'derived_tape']).optional(),
  /** Lifetime, in the venue's volume unit. */
  volume: z.number().nullable(),
  liquidity: z.number().nullable(),
  openInterest: z.number().nullable(),
  url: z.string(),
  image: z.string().optional(),
  category: z.string().optional(),
  tags: z.array(z.string()).optional(),
  /** Smallest price step of the finest band, probability units. */
  tickSize: z.number().nullable(),
  status: MarketStatus,
  contractAddress: z.string().optional(),
  sourceExchange: z.string(),
  /** Venue fields without a field of their own: fees, price grid, negRisk, marketType, executionModel, collateral … */
  sourceMetadata: z.record(z.string(), z.unknown()),
})
export type Market = z.infer<typeof Market>

export const Volume24hSum = z
  .object({ sources: z.array(z.string()), partial: z.boolean() })
  .meta({ id: 'VolumeSources' })

export const Event = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  slug: z.string(),
  markets: z.array(Market),
  /** Sum over members; null when no member has a value. */
  volume24h: z.number().nullable(),
  volume24hSource: Volume24hSum.optional(),
  volume: z.number().nullable(),
  url: z.string(),
  image: z.string().optional(),
  category: z.string().optional(),
  tags: z.array(z.string()).optional(),
  seriesId: z.string().nullable(),
  sourceExchange: z.string(),
  sourceMetadata: z.record(z.string(), z.unknown()),
})
export type Event = z.infer<typeof Event>

export const Series = z
  .object({
    id: z.string(),
    title: z.string(),
    ticker: z.string().optional(),
    slug: z.string().optional(),
    description: z.string().optional(),
    recurrence: z.string().optional(),
    url: z.string().optional(),
    image: z.string().optional(),
    sourceExchange: z.string(),
    sourceMetadata: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Series' })
export type Series = z.infer<typeof Series>

/** All eight deltas as null: normalizers cannot know them until the tape has them. */
export const noPriceChanges = {
  priceChange1m: null,
  priceChange5m: null,
  priceChange15m: null,
  priceChange1h: null,
  priceChange6h: null,
  priceChange24h: null,
  priceChange7d: null,
  priceChange30d: null,
} as const
