// SX Bet's charges. Rates are an account's own (GET /user/fees-v3, zero unless the venue says otherwise), and published statements of
// different years disagree, so no other rate is known.
import type { MarketFees } from '#schemas/fees'

const reason = 'rates are each account’s own, and no public read shows them'

export const feeModel = (): MarketFees => ({
  fee: { kind: 'unknown', reason },
  settlementFee: { kind: 'unknown', reason },
})
