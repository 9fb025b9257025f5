// Predict.fun's fees as data. https://docs.predict.fun/the-basics/predict-fees-and-limits

import type { MarketFees } from '#schemas/fees'
import type { Market } from '#schemas/market'

/** For a taker; makers pay nothing. A buyer pays in shares, at their price. */
export const feeFormula = 'shares × min(p, 1 − p) × rate'

/** As the normalizer stores it in the catalog. */
export const storedFees = (feeRateBps: number | null | undefined) =>
  typeof feeRateBps === 'number' && feeRateBps >= 0
    ? { model: feeFormula, maker: '0', taker: String(feeRateBps / 10_000) }
    : undefined

/** The rate is the market's, and recorded fills agree with it; but a trader's discount, rounding, and the settlement cost are unpublished. */
export const feeModel = ({ sourceMetadata }: Pick<Market, 'sourceMetadata'>): MarketFees => {
  const { fees } = sourceMetadata as { fees?: ReturnType<typeof storedFees> }
  const rate = fees === undefined ? 'an unknown rate' : `rate ${fees.taker}`
  const reason = `${feeFormula}, ${rate}, of buyers in shares: the venue names no rounding`
  const atMost = fees === undefined ? {} : { atMost: { kind: 'cheaper_side', rate: Number(fees.taker) } as const }
  return {
    fee: { kind: 'unknown', reason, ...atMost },
    settlementFee: { kind: 'unknown', reason: 'the venue does not say what a settlement costs' },
  }
}
