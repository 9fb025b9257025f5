// What structures are made of: plain data from the matcher, the catalog and the books. Nothing here looks anything up.
import type { MatchBand } from '../cluster.ts'
import type { FeeModel, SettlementFee } from '../fees.ts'

/** One answer of a binary market. */
export interface Answer {
  /** `<venue>:<marketId>` */
  market: string
  side: 'yes' | 'no'
}

export interface StructureMarket {
  /** `<venue>:<marketId>` */
  key: string
  venue: string
  fee: FeeModel
  settlementFee: SettlementFee
  /** Smallest step of a limit price, micros. */
  tickMicros: number
  /** Orders are whole multiples of this, hundredths of a contract. */
  stepUnits: number
  /** Smallest order, hundredths of a contract. */
  minimumUnits: number
  /** Smallest order by what it costs before fees, micro-dollars; 0 where the venue has none. */
  minimumMicros: number
  /** The same of what the other answer would cost at the order's price turned round. */
  minimumOtherMicros: number
}

/** One price level of what can be bought. */
export interface Offer {
  micros: number
  /** Hundredths of a contract. */
  units: number
}

/** What stands in the book of one answer, best first. */
export interface Offers {
  levels: readonly Offer[]
  /** Bits of `sideFlag`: why it cannot be bought as it stands. */
  flags: number
  /** Time of the book, epoch ms; null when unknown. */
  asOf: number | null
}

/** Null: no book is known. */
export type OffersOf = (market: string, side: 'yes' | 'no') => Offers | null

/** Between the YES of two markets. */
export const pairRelations = ['same', 'inverse', 'a_implies_b', 'b_implies_a', 'exclusive'] as const
export type PairRelation = (typeof pairRelations)[number]

interface Stated {
  id: string
  band: MatchBand
  /** What is open, or why it says no more. */
  reason?: string
}

/** What is known of markets' answers. `other` is no relation: it says nothing that a guarantee could rest on. */
export type Relation = Stated &
  (
    | { kind: PairRelation; a: string; b: string }
    /**
     * At most one of these answers is true; with `complete` exactly one. A threshold and the ranges above it are a complete set, too: the
     * NO of "above 80" with the YES of "80 to 89" and of "90 or more".
     */
    | { kind: 'outcomes'; members: readonly Answer[]; complete: boolean }
  )
