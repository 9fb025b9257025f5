// A pool's payouts, in its contract's own integers: trades keep the product of the reserves constant. PredictionMarketV3_4, calcBuyAmount and
// calcSellAmount (polkamarkets-js, ISC). Pure.
import { toUnits } from '#core/decimal'
import { numberOf } from '../../shared/data/parsers.ts'
import { type MyriadMarket, MyriadPoolFees } from '../wire.ts'

const one = 10n ** 18n

const up = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

export interface Pool {
  /** Base units of the collateral, one reserve per outcome. */
  reserves: readonly bigint[]
  outcome: number
  /** Of the traded value, in 1e-18. */
  fee: bigint
}

/** The reserve of `outcome` that keeps the product when every other one changes by `by`; null when one would be exhausted. */
function folded({ reserves, outcome }: Pool, by: bigint): bigint | null {
  let end = reserves[outcome]! * one
  for (const [i, reserve] of reserves.entries()) {
    if (i === outcome) continue
    if (reserve + by <= 0n) return null
    end = up(end * reserve, reserve + by)
  }
  return up(end, one)
}

/** Shares for a value, fees included. Null when the pool has none to give. */
export function sharesBought(pool: Pool, value: bigint): bigint | null {
  const net = value - (value * pool.fee) / one
  const end = folded(pool, net)
  const shares = end === null ? 0n : pool.reserves[pool.outcome]! + net - end
  return shares > 0n ? shares : null
}

/** Shares that must be given so that a value is left after fees. Null when the pool has too few. */
export function sharesSold(pool: Pool, value: bigint): bigint | null {
  if (pool.fee >= one) return null
  const gross = (value * one) / (one - pool.fee)
  const end = folded(pool, -gross)
  const shares = end === null ? 0n : gross + end - pool.reserves[pool.outcome]!
  return shares > 0n ? shares : null
}

/** Parts of one. */
const feeDecimals = 18

const percentsOf = (raw: MyriadMarket, action: 'buy' | 'sell'): bigint | null => {
  const fees = MyriadPoolFees.safeParse(raw.fees).data?.[action]
  if (fees === undefined) return null
  const parts = [fees.fee, fees.treasury_fee, fees.distributor_fee].map(numberOf)
  return parts.every((part) => part !== null && part >= 0 && part < 1)
    ? parts.reduce((sum, part) => sum + toUnits(part!.toFixed(12), feeDecimals), 0n)
    : null
}

/** The reserves behind one outcome, from its market's row; null when that does not contain them all. */
export function poolOf(raw: MyriadMarket, outcome: string, action: 'buy' | 'sell'): Pool | null {
  const decimals = numberOf(raw.token?.decimals)
  const fee = percentsOf(raw, action)
  const index = raw.outcomes.findIndex(({ id }) => id === outcome)
  if (decimals === null || !Number.isInteger(decimals) || decimals < 0 || decimals > 36 || fee === null) return null
  const reserves = raw.outcomes.map(({ shares }) => reserveOf(shares, decimals))
  return index < 0 || reserves.includes(null) ? null : { reserves: reserves as bigint[], outcome: index, fee }
}

/** Digits beyond the token's own are cut off: no pool holds them. */
function reserveOf(shares: string | null | undefined, decimals: number): bigint | null {
  const [, whole, part = ''] = /^(\d{1,30})(?:\.(\d{1,40}))?$/.exec(shares ?? '') ?? []
  return whole === undefined ? null : BigInt(whole + part.slice(0, decimals).padEnd(decimals, '0'))
}
