// What came of a wallet's positions once a market was settled. Integers, so that a sum is the same in whatever order and portions it is made; the
// roll-up says the same in SQL (src/traders/record/statements/wallets.ts), and a test holds the two together.

/** All trades of one wallet in one outcome. Shares and their cost in millionths; cost is price by shares, fees left out. */
export interface Position {
  buyUnits: number
  buyCost: number
  sellUnits: number
  sellCost: number
  /** What one share was worth in the end, millionths: 1,000,000 or 0, or what a void market paid back. */
  payout: number
}

/** Of one market, all of whose positions are settled and priced. */
export interface MarketResult {
  /** Won or lost, millionths of the collateral. */
  result: number
  /** Most that could be lost, millionths of the collateral. */
  stake: number
  /** Result a share, millionths in [−1, 1]: by how much the wallet was righter than the prices it took. */
  surprise: number
  /** p (1 − p) of the price a share, millionths in [0, 0.25]: how much a surprise says. At 0.99 nearly nothing. */
  information: number
}

const ONE = 1_000_000

/** Null: nothing was at stake, or the prices were not between 0 and 1; such a market says nothing. */
export function resultOf(positions: readonly Position[]): MarketResult | null {
  let [result, stake, shares, spread] = [0, 0, 0, 0]
  for (const { buyUnits, buyCost, sellUnits, sellCost, payout } of positions) {
    const isLong = buyUnits >= sellUnits
    const units = isLong ? buyUnits : sellUnits
    const cost = isLong ? buyCost : sellCost
    if (units <= 0 || cost <= 0 || cost >= units) continue
    result += sellCost - buyCost + Math.floor(((buyUnits - sellUnits) * payout) / ONE + 0.5)
    // A wallet that sold more than we saw it buy holds the other side at what is left to one.
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
