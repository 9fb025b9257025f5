// What a pool gives, by its contract's own integers: a product of reserves that a trade does not change. PredictionMarketV3_4, calcBuyAmount and
// calcSellAmount (polkamarkets-js, ISC). Pure.
const one = 10n ** 18n

const up = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

export interface Pool {
  /** Base units of the collateral, one reserve an outcome. */
  reserves: readonly bigint[]
  outcome: number
  /** Of the value traded, in 1e-18. */
  fee: bigint
}

/** The reserve of `outcome` that keeps the product when every other one changes by `by`; null where one would have nothing left. */
function folded({ reserves, outcome }: Pool, by: bigint): bigint | null {
  let end = reserves[outcome]! * one
  for (const [i, reserve] of reserves.entries()) {
    if (i === outcome) continue
    if (reserve + by <= 0n) return null
    end = up(end * reserve, reserve + by)
  }
  return up(end, one)
}

/** Shares for a value, fees within. Null where the pool has none to give. */
export function sharesBought(pool: Pool, value: bigint): bigint | null {
  const net = value - (value * pool.fee) / one
  const end = folded(pool, net)
  const shares = end === null ? 0n : pool.reserves[pool.outcome]! + net - end
  return shares > 0n ? shares : null
}

/** Shares that must be given for a value to be left after fees. Null where the pool has not so much. */
export function sharesSold(pool: Pool, value: bigint): bigint | null {
  if (pool.fee >= one) return null
  const gross = (value * one) / (one - pool.fee)
  const end = folded(pool, -gross)
  const shares = end === null ? 0n : gross + end - pool.reserves[pool.outcome]!
  return shares > 0n ? shares : null
}
