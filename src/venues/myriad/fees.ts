// Myriad's fees. Pools take their share within the trade, and their books already include it: nothing is added. Order books have fee tiers that only
// a contract on the chain knows. https://docs.myriad.markets/builders/builder-revenue-sharing
import type { MarketFees } from '#schemas/fees'

/** A market's own, as the normalizer stored it. */
export function feeModel({ sourceMetadata }: { sourceMetadata: Readonly<Record<string, unknown>> }): MarketFees {
  const settlementFee = { kind: 'unknown', reason: 'the venue does not say what a claim costs' } as const
  if (sourceMetadata.synthetic === true) return { fee: { kind: 'none' }, settlementFee }
  return {
    fee: { kind: 'unknown', reason: 'tiers of the market’s fee module, which no public read shows' },
    settlementFee,
  }
}
