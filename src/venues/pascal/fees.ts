// Pascal's fees as data: contracts × p × (1 − p) × the market's own taker rate (https://docs.pascal.trade, as of July 2026). Rounding, an account's
// discounts and the settlement cost are unknown.
import { z } from 'zod'
import type { MarketFees } from '#schemas/fees'

/** As the normalizer stored it in the catalog. */
const StoredRate = z.number().min(0)

export function feeModel({ sourceMetadata }: { sourceMetadata: Readonly<Record<string, unknown>> }): MarketFees {
  const settlementFee = { kind: 'unknown', reason: 'the venue does not say what a settlement costs' } as const
  const stored = StoredRate.safeParse(sourceMetadata.takerFeeRate)
  if (!stored.success) return { fee: { kind: 'unknown', reason: 'the market names no rate' }, settlementFee }
  if (stored.data === 0) return { fee: { kind: 'none' }, settlementFee }
  const reason = `contracts × p × (1 − p) × ${stored.data}, less an account’s discount: how it is rounded is not known`
  return { fee: { kind: 'unknown', reason, atMost: { kind: 'quadratic', rate: stored.data } }, settlementFee }
}
