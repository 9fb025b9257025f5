// A structure as users read it, over HTTP and on the stream: legs of several markets that together pay more than they cost, whichever way
// these markets end.
import { z } from 'zod'

export const StructureKind = z
  .enum(['equality', 'implication', 'exclusion', 'partition', 'ladder', 'combination'])
  .meta({ id: 'StructureKind' })

export const StructureLegRow = z
  .object({
    /** `<venue>:<marketId>` */
    market: z.string(),
    venue: z.string(),
    title: z.string(),
    /** The venue's own outcome that is bought. */
    side: z.enum(['yes', 'no']),
    contracts: z.number(),
    /** Mean price, dollars a contract, without the fee. */
    price: z.number(),
    /** The worst price taken, on the market's tick: what an order names. */
    limitPrice: z.number(),
    /** Dollars. */
    cost: z.number(),
    fee: z.number(),
    /** Dollars where this answer is true, less what settling takes. */
    payout: z.number(),
    executable: z.boolean(),
    reasons: z.array(z.string()),
    /** Of its book; null when unknown. */
    asOf: z.string().nullable(),
  })
  .meta({ id: 'StructureLeg' })

export const MatchBand = z.enum(['verified', 'minor', 'material', 'hidden', 'unscored']).meta({ id: 'MatchBand' })

export const StructureRow = z
  .object({
    /** Of the answers that are bought: the same legs keep it. */
    id: z.string(),
    kind: StructureKind,
    legs: z.array(StructureLegRow),
    /** Of every leg. */
    contracts: z.number(),
    /** Dollars that the worst consistent world pays. */
    worstPayout: z.number(),
    /** Dollars for all legs, fees included. */
    capital: z.number(),
    /** worstPayout less capital. */
    edge: z.number(),
    /** edge ÷ capital. */
    roi: z.number(),
    /** Relations without which some world would pay less. */
    relations: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        band: MatchBand,
        /** What is open where it is not `verified`, or why a set is not complete; null when not stated. */
        reason: z.string().nullable(),
      }),
    ),
    weakest: z.object({ id: z.string(), band: MatchBand }).nullable(),
    /** Every leg can be bought now at this size, and every relation is `verified`. */
    executable: z.boolean(),
    reasons: z.array(z.string()),
    /** False: these legs cannot lose, but others of the same markets may earn more. */
    proven: z.boolean(),
    /** Of the oldest book; null when one is unknown. */
    asOf: z.string().nullable(),
  })
  .meta({ id: 'Structure' })
export type StructureRow = z.infer<typeof StructureRow>

/** What is searched, and what is not. */
export const StructureCounts = z.object({
  /** Sets of markets that relations tie together, searched now, and their markets. */
  sets: z.number(),
  markets: z.number(),
  /** Sets beyond the limit. */
  overLimit: z.number(),
  /** Sets that are not searched, by reason. */
  refusedSets: z.record(z.string(), z.number()),
  /** Markets of which nothing can be bought, by reason. */
  refusedMarkets: z.record(z.string(), z.number()),
})
export type StructureCounts = z.infer<typeof StructureCounts>
