// Taker fees, as far as published. https://docs.testnet.dev.adipredictstreet.com/concepts/trading/fees
import type { MarketFees } from '#schemas/fees'

/** k is the market's `feeTakerBps` / 10,000. */
const feeFormula = 'k × p × (1 − p) × shares'

/** As the normalizer stores it in the catalog. */
export const storedFees = (takerBps: number) => ({ model: feeFormula, takerBps })

/** A buyer is charged in shares, which none of our rows can price; a wallet's rate has tiers; and two pages of the venue disagree about makers. */
export const feeModel = (): MarketFees => ({
  fee: {
    kind: 'unknown',
    reason: `${feeFormula}, taken in shares from a buyer, at a rate that may be the wallet’s own`,
  },
  settlementFee: { kind: 'unknown', reason: 'the venue does not say what redeeming costs' },
})
