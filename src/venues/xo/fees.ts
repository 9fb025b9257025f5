// XO has no published table of fees. A client has observed takers paying nothing; that is not guaranteed by the venue.
import type { MarketFees } from '#schemas/fees'

export const feeModel = (): MarketFees => ({
  fee: { kind: 'unknown', reason: 'the venue publishes no fees' },
  settlementFee: { kind: 'unknown', reason: 'the venue does not say what a settlement costs' },
})
