// Books, trades and candles as served. Prices are probabilities in [0,1]; times are epoch milliseconds.
import { z } from 'zod'
import { labMark } from './envelope.ts'

export const Level = z
  .object({ price: z.number().min(0).max(1), size: z.number().positive() })
  .meta({ id: 'BookLevel' })
export type Level = z.infer<typeof Level>

/**
 * Where the data came from. `service-live`: our live book; `venue-rest`: requested now; `archive`: our tape; `fixture`: a recording.
 */
export const ProvenanceSource = z.enum(['venue-rest', 'service-live', 'archive', 'fixture'])
export type ProvenanceSource = z.infer<typeof ProvenanceSource>

export const OrderBook = z
  .object({
    /** Best first: bids descending, asks ascending. */
    bids: z.array(Level),
    asks: z.array(Level),
    timestamp: z.number().int(),
    datetime: z.iso.datetime(),
    isNegRisk: z.boolean().nullable(),
    lastTradePrice: z.number().nullable(),
    asOf: z.iso.datetime(),
    provenance: z.object({ source: ProvenanceSource, ...labMark }),
    /** False for a real depth snapshot; true when derived from a spot price, a pool or odds. */
    synthetic: z.boolean(),
    /** True when the venue itself serves cached books. */
    cached: z.boolean(),
    sourceMetadata: z.object({ synthetic: z.boolean() }),
  })
  .meta({ id: 'OrderBook' })
export type OrderBook = z.infer<typeof OrderBook>

export const Trade = z
  .object({
    id: z.string(),
    timestamp: z.number().int(),
    price: z.number().nullable(),
    /** Contracts or shares. */
    amount: z.number(),
    /** From the taker's side. */
    side: z.enum(['buy', 'sell', 'unknown']),
    outcomeId: z.string(),
  })
  .meta({ id: 'Trade' })
export type Trade = z.infer<typeof Trade>

export const Candle = z
  .object({
    /** Start of the bucket. */
    timestamp: z.number().int(),
    open: z.number(),
    high: z.number(),
    low: z.number(),
    close: z.number(),
    volume: z.number().nullable(),
  })
  .meta({ id: 'Candle' })
export type Candle = z.infer<typeof Candle>
