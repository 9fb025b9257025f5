// Taker fees: unpublished.
import type { MarketFees } from '#schemas/fees'

export const feeModel = (): MarketFees => ({
  fee: { kind: 'unknown', reason: 'orders carry a fee rate of 0; what else the venue takes is not documented' },
  settlementFee: { kind: 'unknown', reason: 'the venue does not say what redeeming costs' },
})
