// What changes an account's holdings at a venue. Amounts are decimal strings of at most 18 places; cash is in the
// venue's collateral currency and never converted. Null is unknown, '0' is a value.

export type Provenance = 'journal' | 'venue_api' | 'chain' | 'import'

export interface EntryBase {
  /** Unique in the account. */
  id: string
  /** Epoch ms. */
  at: number
  venue: string
  /** Symbol. */
  currency: string | null
  provenance: Provenance
  /** Epoch ms; only of what the owner entered: when that was. */
  enteredAt?: number
}

export interface FillEntry extends EntryBase {
  kind: 'fill'
  marketId: string
  outcomeId: string
  side: 'buy' | 'sell'
  /** Above zero. */
  size: string
  /** Paid or received before fees. */
  cash: string | null
  /** Above zero: paid, below: a rebate. */
  fee: string | null
  /** A fee in the outcome is paid in shares. */
  feeIn: 'cash' | 'outcome'
  executionId: string | null
}

/**
 * The venue reverted an entry, or its owner undid it: it counts as if it had never been. A correction itself cannot be
 * withdrawn.
 */
export interface CorrectionEntry extends EntryBase {
  kind: 'correction'
  /** Id of an entry, which may arrive later. */
  withdraws: string
}

/** The market resolved. */
export interface SettlementEntry extends EntryBase {
  kind: 'settlement'
  marketId: string
  outcomeId: string
  /** Payout of one share, 0 to 1. */
  value: string
  /** The venue pays without a claim. */
  paysItself: boolean
}

/** Shares of a resolved market were exchanged for cash by their owner. */
export interface RedemptionEntry extends EntryBase {
  kind: 'redemption'
  marketId: string
  /** Null: every outcome of the market that is held. */
  outcomeId: string | null
  /** Null: all that is held. With `outcomeId` null: so many of each outcome, at most what is held. */
  size: string | null
  /** Received before fees, of all outcomes together. Null: size times value. */
  cash: string | null
  fee: string | null
}

/** A full set of a market's outcomes was bought from (`split`) or sold to (`merge`) its contract for 1. */
export interface SetEntry extends EntryBase {
  kind: 'split' | 'merge'
  marketId: string
  outcomeIds: readonly string[]
  /** Number of sets. */
  size: string
}

/** An outcome's shares, above zero. */
export interface OutcomeShares {
  marketId: string
  outcomeId: string
  size: string
}

/**
 * NO shares of some outcomes of an event were exchanged for YES shares of the others and for cash, both after the fee
 * of the contract.
 */
export interface ConversionEntry extends EntryBase {
  kind: 'conversion'
  gives: readonly OutcomeShares[]
  /** None: all outcomes were given, for cash alone. */
  receives: readonly OutcomeShares[]
  /** Received. */
  cash: string
}

export interface TransferEntry extends EntryBase {
  kind: 'transfer'
  /** Above zero: paid in, below: paid out. */
  cash: string
}

/** A position that was acquired without us and that its owner entered: a deposit in kind of `cost`. */
export interface ImportEntry extends EntryBase {
  kind: 'import'
  marketId: string
  outcomeId: string
  /** Below zero: a short position; its cost is then below zero, too. */
  size: string
  cost: string | null
}

export type LedgerEntry =
  | FillEntry
  | CorrectionEntry
  | SettlementEntry
  | RedemptionEntry
  | SetEntry
  | ConversionEntry
  | TransferEntry
  | ImportEntry
