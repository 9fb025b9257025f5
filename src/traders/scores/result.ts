// The result of a wallet's positions once a market was settled. Integers, so that a sum is the same in whatever order and portions it is
// computed; the roll-up does the same in SQL (src/traders/record/statements/wallets.ts), and a test compares the two.

/**
 * All trades of one wallet in one outcome. Shares and their cost in millionths; cost is price times shares, without fees.
 */
export interface Position {
  buyUnits: number
  buyCost: number
  sellUnits: number
  sellCost: number
  /** The final value of one share, millionths: 1,000,000 or 0, or what a void market refunded. */
  payout: number
}

/** Of one market, all of whose positions are settled and priced. */
export interface MarketResult {
  /** Won or lost, millionths of the collateral. */
  result: number
  /** Maximum possible loss, millionths of the collateral. */
  stake: number
  /** Result per share, millionths in [−1, 1]: how much better the wallet was than the prices it took. */
  surprise: number
  /**
   * p (1 − p) of the price per share, millionths in [0, 0.25]: how informative a surprise is. At 0.99 almost not at
   * all.
   */
  information: number
}

const ONE = 1_000_000

/** Null: nothing was at stake, or the prices were not between 0 and 1; such a market is uninformative. */
export function resultOf(positions: readonly Position[]): MarketResult | null {
  let [result, stake, shares, spread] = [0, 0, 0, 0]
  for (const { buyUnits, buyCost, sellUnits, sellCost, payout } of positions) {
    const isLong = buyUnits >= sellUnits
    const units = isLong ? buyUnits : sellUnits
    const cost = isLong ? buyCost : sellCost
    if (units <= 0 || cost <= 0 || cost >= units) continue
    result += sellCost - buyCost + Math.floor(((buyUnits - sellUnits) * payout) / ONE + 0.5)
    // A wallet that sold more than we saw it buy holds the other side at one minus the price.
    stake += isLong
      ? buyCost
      : buyCost + Math.floor(((sellUnits - buyUnits) * (sellUnits - sellCost)) / sellUnits + 0.5)
    shares += units
    spread += Math.floor((cost * (units - cost)) / units + 0.5)
  }
  if (shares <= 0 || stake <= 0) return null
  return {
    result,
    stake,
    surprise: Math.floor((result * ONE) / shares + 0.5),
    information: Math.floor((spread * ONE) / shares + 0.5),
  }
}
