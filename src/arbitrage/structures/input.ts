// The input of structures: plain data from the matcher, the catalog and the books. Nothing here looks anything up.
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
  /** Minimum order cost before fees, micro-dollars; 0 if the venue has none. */
  minimumMicros: number
  /** The same for the cost of the other answer at one minus the order's price. */
  minimumOtherMicros: number
}

/** One price level of what can be bought. */
export interface Offer {
  micros: number
  /** Hundredths of a contract. */
  units: number
}

/** The offers of one answer, best first. */
export interface Offers {
  levels: readonly Offer[]
  /** Bits of `sideFlag`: why it cannot be bought now. */
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
  /** What is unresolved, or why the relation is limited. */
  reason?: string
}

/** What is known about markets' answers. `other` is not a relation: no guarantee can rest on it. */
export type Relation = Stated &
  (
    | { kind: PairRelation; a: string; b: string }
    /**
     * At most one of these answers is true; with `complete` exactly one. A threshold and the ranges above it are a complete set, too: the
     * NO of "above 80" with the YES of "80 to 89" and of "90 or more".
     */
    | { kind: 'outcomes'; members: readonly Answer[]; complete: boolean }
  )
