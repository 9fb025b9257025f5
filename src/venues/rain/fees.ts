// Rain's fees are in each pool's contract; the documentation names defaults and discounts, not what a trade pays.
import type { MarketFees } from '#schemas/fees'

export const feeModel = (): MarketFees => ({
  fee: {
    kind: 'unknown',
    reason: 'each pool has its own shares of platform, liquidity, creator and resolver, with discounts',
  },
  settlementFee: { kind: 'unknown', reason: 'a pool’s closing fee is not published' },
})
