// Taker fees, as far as published. https://docs.testnet.dev.adipredictstreet.com/concepts/trading/fees
import { z } from 'zod'
import type { MarketFees } from '#schemas/fees'

/** k is the market's `feeTakerBps` / 10,000. */
const feeFormula = 'k × p × (1 − p) × shares'

/** As the normalizer stores it in the catalog. */
export const storedFees = (takerBps: number) => ({ model: feeFormula, takerBps })
const StoredFees = z.object({ takerBps: z.number().min(0) })

/** A buyer is charged in shares, which none of our rows can price; a wallet's rate has tiers; and two pages of the venue disagree about makers. */
export function feeModel({ sourceMetadata }: { sourceMetadata: Readonly<Record<string, unknown>> }): MarketFees {
  const reason = `${feeFormula}, taken in shares from a buyer, at a rate that may be the wallet’s own`
  const settlementFee = { kind: 'unknown', reason: 'the venue does not say what redeeming costs' } as const
  const stored = StoredFees.safeParse(sourceMetadata.fees)
  if (!stored.success) return { fee: { kind: 'unknown', reason }, settlementFee }
  const rate = stored.data.takerBps / 10_000
  return { fee: { kind: 'unknown', reason, atMost: { kind: 'quadratic', rate } }, settlementFee }
}
