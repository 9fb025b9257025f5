// What an account holds, as its entries add up. Amounts are canonical decimal strings.
//
// Unknown amounts. A purchase without a known price makes `costBasis` null until the position is flat or settled, and
// `realizedPnl` null for good as soon as some of it is sold: at average cost by any sale, first in first out by a sale
// of those very shares. A sale without known proceeds makes `realizedPnl` null and leaves the cost of the rest known.
// An unknown fee makes `fees` null; cost and PnL are then before that fee. `isPartial` of the balance marks all of
// these.

export interface Ledger {
  /** By venue, market and outcome; closed ones included. */
  positions: readonly LedgerPosition[]
  /** By venue and currency. */
  cash: readonly CashBalance[]
}

export interface CashBalance {
  venue: string
  currency: string | null
  /**
   * Flow of the entries, not the venue's balance: deposits in cash + sales + payouts - purchases - fees. Null: part of
   * it is unknown.
   */
  cash: string | null
  /** Transfers and the cost of imports; an unknown cost counts as 0. */
  deposits: string
  /** Paid in cash; unknown ones count as 0. */
  fees: string
  /** Of the positions in this currency, at average cost. */
  realizedPnl: string | null
  /** An amount that belongs here is unknown, or cash cannot be attributed to a position. */
  isPartial: boolean
}

export interface LedgerPosition {
  venue: string
  marketId: string
  outcomeId: string
  /** That of the first entry. Amounts in another currency are unknown to this position. */
  currency: string | null
  /** Below zero: more was sold or redeemed than came in. */
  quantity: string
  /**
   * Of the open quantity at average cost, fees included; below zero for a short. The payout once the market is settled.
   */
  costBasis: string | null
  /** Per share, rounded half even to 9 places; null when flat. */
  averageCost: string | null
  /** First in, first out. */
  costBasisFifo: string | null
  /** At average cost, fees included. */
  realizedPnl: string | null
  realizedPnlFifo: string | null
  /** Paid in cash; a fee in shares is part of the cost instead. */
  fees: string | null
  /** Shares that came in by fills and splits, less fees in shares; not by imports. */
  bought: string
  /** Shares that left by fills and merges, with fees in shares; not by imports. */
  sold: string
  settlement: {
    value: string
    /** Shares with a payout that is not collected; below zero for a short. */
    unclaimed: string
    /** Cash received by settlement and redemptions, before fees. */
    paid: string
  } | null
  /** When the open position was opened; null when flat. */
  openedAt: number | null
  updatedAt: number
}
