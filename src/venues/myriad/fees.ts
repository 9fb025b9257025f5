// What Myriad takes. Pools take their part inside of the trade, and their books are told with it: nothing comes on top. Order books take by
// tiers that only a contract on the chain tells. https://docs.myriad.markets/builders/builder-revenue-sharing
import type { MarketFees } from '#schemas/fees'

/** A market's own, as the normaliser left it. */
export function feeModel({ sourceMetadata }: { sourceMetadata: Readonly<Record<string, unknown>> }): MarketFees {
  const settlementFee = { kind: 'unknown', reason: 'the venue does not say what a claim costs' } as const
  if (sourceMetadata.synthetic === true) return { fee: { kind: 'none' }, settlementFee }
  return {
    fee: { kind: 'unknown', reason: 'tiers of the market’s fee module, which no public read shows' },
    settlementFee,
  }
}
