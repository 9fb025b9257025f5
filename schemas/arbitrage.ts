// An arbitrage row as users read it, on the stream and at the router alike; src/arbitrage writes it as bytes.
import { z } from 'zod'
import { MatchBand } from './structures.ts'

const Usd = z.number().nullable()

/** What speaks against a match. */
export const MatchDifference = z
  .object({ kind: z.string(), detail: z.string(), points: z.number() })
  .meta({ id: 'MatchDifference' })

export const ArbitrageLeg = z
  .object({
    venue: z.string(),
    canonicalMarketId: z.string().nullable(),
    /** The venue's own outcome that is bought. */
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
    /** Of the leg's book; null when there is none. */
    asOf: z.string().nullable(),
  })
  .meta({ id: 'ArbitrageLeg' })

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

/** What the older API family calls the same thing; on request beside the row's own words. */
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

/** As it is read: with the older words where they were asked for. */
export const ArbitrageReadRow = ArbitrageRow.extend(ArbitrageCompat.partial().shape).meta({ id: 'ArbitrageReadRow' })
