// A structure as served over HTTP and the stream: legs in several markets that together pay more than they cost, whatever the outcome.
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
    /** The venue's own outcome to buy. */
    side: z.enum(['yes', 'no']),
    contracts: z.number(),
    /** Mean price, dollars per contract, without the fee. */
    price: z.number(),
    /** The worst price taken, on the market's tick: the price to put on an order. */
    limitPrice: z.number(),
    /** Dollars. */
    cost: z.number(),
    fee: z.number(),
    /** Dollars if this answer is true, after the settlement fee. */
    payout: z.number(),
    executable: z.boolean(),
    reasons: z.array(z.string()),
    /** Time of its book; null when unknown. */
    asOf: z.string().nullable(),
  })
  .meta({ id: 'StructureLeg' })

export const MatchBand = z.enum(['verified', 'minor', 'material', 'hidden', 'unscored']).meta({ id: 'MatchBand' })

export const StructureRow = z
  .object({
    /** Derived from the answers bought: the same legs keep the same id. */
    id: z.string(),
    kind: StructureKind,
    legs: z.array(StructureLegRow),
    /** Per leg. */
    contracts: z.number(),
    /** Dollars paid in the worst consistent world. */
    worstPayout: z.number(),
    /** Dollars for all legs, fees included. */
    capital: z.number(),
    /** worstPayout less capital. */
    edge: z.number(),
    /** edge ÷ capital. */
    roi: z.number(),
    /** Relations without which the payout in some world would be lower. */
    relations: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        band: MatchBand,
        /** What is unresolved when not `verified`, or why a set is not complete; null when not stated. */
        reason: z.string().nullable(),
      }),
    ),
    weakest: z.object({ id: z.string(), band: MatchBand }).nullable(),
    /** Every leg can be bought now at this size, and every relation is `verified`. */
    executable: z.boolean(),
    reasons: z.array(z.string()),
    /** False: these legs cannot lose, but a better combination of the same markets may exist. */
    proven: z.boolean(),
    /** Time of the oldest book; null when any is unknown. */
    asOf: z.string().nullable(),
  })
  .meta({ id: 'Structure' })
export type StructureRow = z.infer<typeof StructureRow>

/** What is searched and what is skipped. */
export const StructureCounts = z.object({
  /** Connected sets of related markets being searched, and their markets. */
  sets: z.number(),
  markets: z.number(),
  /** Sets that were searched since the search began or was restarted. */
  searched: z.number(),
  /** False: some sets have not been searched yet, so that the list may lack their structures. */
  complete: z.boolean(),
  /** Sets over the limit. */
  overLimit: z.number(),
  /** Skipped sets, by reason. */
  refusedSets: z.record(z.string(), z.number()),
  /** Markets in which nothing can be bought, by reason. */
  refusedMarkets: z.record(z.string(), z.number()),
})
export type StructureCounts = z.infer<typeof StructureCounts>
