// Taker fees. Since V2 the operator sets the fee at match time, in pUSD; makers pay nothing.
import { z } from 'zod'
import type { MarketFees } from '#schemas/fees'

/** From `feeSchedule` (Gamma) or `fd` (CLOB): the market's own curve, never a constant of ours. */
export interface FeeCurve {
  rate: number
  exponent: number
}

/** The fee in pUSD has five decimals, the rest is truncated. */
const feeUnitsPerPusd = 100_000
/**
 * Doubles land slightly below the exact product (0.08499999999 for 0.085): this many units are forgiven before
 * truncating.
 */
const roundingSlackUnits = 1e-6

/** Taker fee in pUSD: shares × r × (p(1−p))^e, floored to five decimals. */
export function takerFee(shares: number, price: number, { rate, exponent }: FeeCurve): number {
  const exact = shares * rate * (price * (1 - price)) ** exponent
  return Math.floor(exact * feeUnitsPerPusd + roundingSlackUnits) / feeUnitsPerPusd
}

/** As the normalizer stored it in the catalog. */
const StoredSchedule = z.object({ rate: z.number().min(0), exponent: z.number().min(0) })

/** The curve of a market from the catalog. The fee is zero only if the venue itself says that fees are off. */
export function feeModel({ sourceMetadata }: { sourceMetadata: Readonly<Record<string, unknown>> }): MarketFees {
  const settlementFee = { kind: 'none' } as const
  if (sourceMetadata.feesEnabled === false) return { fee: { kind: 'none' }, settlementFee }
  const stored = StoredSchedule.safeParse(sourceMetadata.feeSchedule)
  const fee = stored.success
    ? ({ kind: 'polymarket_curve', rate: stored.data.rate, exponent: stored.data.exponent } as const)
    : ({ kind: 'unknown', reason: 'the market names no fee schedule' } as const)
  return { fee, settlementFee }
}
