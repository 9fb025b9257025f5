// An arbitrage row as served by the stream and the router; src/arbitrage encodes it to bytes.
import { z } from 'zod'
import { MatchBand } from './structures.ts'

const Usd = z.number().nullable()

/** Evidence against a match. */
export const MatchDifference = z
  .object({ kind: z.string(), detail: z.string(), points: z.number() })
  .meta({ id: 'MatchDifference' })

export const ArbitrageLeg = z
  .object({
    venue: z.string(),
    canonicalMarketId: z.string().nullable(),
    /** The venue's own outcome to buy. */
    side: z.enum(['yes', 'no']),
    executable: z.boolean(),
    reasons: z.array(z.string()),
    vwap: z.number().nullable(),
    cost: Usd,
    fee: Usd,
    filled: z.number(),
    fullyFilled: z.boolean(),
    note: z.string().optional(),
    feeBasis: z.string(),
    /** Timestamp of the leg's book; null when there is no book. */
    asOf: z.string().nullable(),
  })
  .meta({ id: 'ArbitrageLeg' })
export type ArbitrageLeg = z.infer<typeof ArbitrageLeg>

export const ArbitrageRow = z
  .object({
    /** `<clusterId>:<venueA>:<venueB>` */
    clusterId: z.string(),
    question: z.string(),
    similarity: z.number().nullable(),
    contracts: z.number(),
    legs: z.object({ buyYes: ArbitrageLeg, buyNo: ArbitrageLeg }),
    resolution: z.object({
      compatible: z.boolean().nullable(),
      reason: z.string().nullable(),
      auditReasons: z.array(z.string()),
    }),
    settlementFee: Usd,
    totalCost: Usd,
    payout: z.number(),
    netEdge: Usd,
    roi: z.number().nullable(),
    resolutionEquivalence: z.string(),
    matchScore: z.number().int().min(0).max(100).nullable(),
    matchBand: MatchBand,
    matchDifferences: z.array(MatchDifference),
    executable: z.boolean(),
    reasons: z.array(z.string()),
    label: z.enum(['arbitrage', 'indicative price discrepancy']),
    asOf: z.string().nullable(),
  })
  .meta({ id: 'ArbitrageRow' })
export type ArbitrageRow = z.infer<typeof ArbitrageRow>

/** Field names of the older API family for the same values; added on request next to the row's own names. */
export const ArbitrageCompat = z.object({
  marketA: z.unknown(),
  marketB: z.unknown(),
  spread: z.number().nullable(),
  buyVenue: z.string(),
  sellVenue: z.string(),
  buyPrice: z.number().nullable(),
  sellPrice: z.number().nullable(),
  relation: z.literal('identity').nullable(),
  confidence: z.number().nullable(),
})

/** The row as read: includes the older field names when requested. */
export const ArbitrageReadRow = ArbitrageRow.extend(ArbitrageCompat.partial().shape).meta({ id: 'ArbitrageReadRow' })
