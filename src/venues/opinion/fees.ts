// Opinion's fees as data. https://docs.opinion.trade/trade-on-opinion.trade/fees
import type { MarketFees } from '#schemas/fees'

/** Only takers pay. A floor per order, and three discounts of the trader's, change the amount. */
export const feeFormula = 'notional × topic rate × p × (1 − p)'

/** As the normalizer stores it in the catalog. */
export const storedFees = { model: feeFormula, maker: '0' } as const

/**
 * No market row has its topic's rate, and two versions of the documentation name different floors: such a leg is not priced.
 */
export const feeModel = (): MarketFees => ({
  fee: { kind: 'unknown', reason: `${feeFormula}, with a floor: the venue does not say the rate on the market` },
  settlementFee: { kind: 'unknown', reason: 'the venue does not say what a settlement costs' },
})
