// Pascal's fees as data: each market names a rate for takers. Of what it is a rate, how it is rounded, and what a settlement costs is not documented.
import { z } from 'zod'
import type { MarketFees } from '#schemas/fees'

/** As the normaliser left it in the catalog. */
const StoredRate = z.number().min(0)

export function feeModel({ sourceMetadata }: { sourceMetadata: Readonly<Record<string, unknown>> }): MarketFees {
  const settlementFee = { kind: 'unknown', reason: 'the venue does not say what a settlement costs' } as const
  const stored = StoredRate.safeParse(sourceMetadata.takerFeeRate)
  if (!stored.success) return { fee: { kind: 'unknown', reason: 'the market names no rate' }, settlementFee }
  if (stored.data === 0) return { fee: { kind: 'none' }, settlementFee }
  const reason = `taker rate ${stored.data}: the venue does not say of what, nor how it is rounded`
  return { fee: { kind: 'unknown', reason }, settlementFee }
}
