// Opinion's fees as data. https://docs.opinion.trade/trade-on-opinion.trade/fees
import type { MarketFees } from '#schemas/fees'

/** Takers alone pay. A floor per order, and three discounts of the trader's, change what is taken. */
export const feeFormula = 'notional × topic rate × p × (1 − p)'

/** As the normaliser leaves it in the catalog. */
export const storedFees = { model: feeFormula, maker: '0' } as const

/** No market row says its topic's rate, and two versions of the documents name different floors: such a leg is not priced. */
export const feeModel = (): MarketFees => ({
  fee: { kind: 'unknown', reason: `${feeFormula}, with a floor: the venue does not say the rate on the market` },
  settlementFee: { kind: 'unknown', reason: 'the venue does not say what a settlement costs' },
})
