// What a taker pays, as far as the venue says it. https://docs.testnet.dev.adipredictstreet.com/concepts/trading/fees
import type { MarketFees } from '#schemas/fees'

/** k is the market's `feeTakerBps` / 10,000. */
const feeFormula = 'k × p × (1 − p) × shares'

/** As the normaliser leaves it in the catalog. */
export const storedFees = (takerBps: number) => ({ model: feeFormula, takerBps })

/** A buyer is charged in shares, which no row of ours can price; what a wallet pays has tiers; and two pages of the venue disagree about makers. */
export const feeModel = (): MarketFees => ({
  fee: {
    kind: 'unknown',
    reason: `${feeFormula}, taken in shares from a buyer, at a rate that may be the wallet’s own`,
  },
  settlementFee: { kind: 'unknown', reason: 'the venue does not say what redeeming costs' },
})
