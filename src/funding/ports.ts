// What funding needs from outside. src/run joins it to the venue's read.

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
    /** Spot USDC of a Hyperliquid account, by address. Throws NETWORK_ERROR. */
    hyperliquidSpot(owner: string, signal: AbortSignal): Promise<SpotBalance>
  }
}
