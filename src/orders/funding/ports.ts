// External dependencies of funding. src/roles connects it to the venue's read.

/** Decimal strings in units of the coin. */
export interface SpotBalance {
  coin: string
  total: string
  hold: string
  /** total − hold, never below zero. */
  spendable: string
}

export interface FundingDeps {
  funding: {
    /** USDC on the spot ledger of an account at the venue, by address. Throws NETWORK_ERROR. */
    spotBalance(owner: string, signal: AbortSignal): Promise<SpotBalance>
  }
}
