// Gemini Predictions' fees as data: contracts × min(P, 1 − P) × rate. https://www.gemini.com/fees/predictions
import type { MarketFees } from '#schemas/fees'

/** Dollars per contract and dollar of the cheaper side, as decimal text. The venue states no rounding. */
export const feeRates = { maker: '0.01', taker: '0.05' } as const

export const feeFormula = 'contracts × min(p, 1 − p) × rate'

/** As the normalizer stores it in the catalog. */
export const storedFees = { model: feeFormula, currency: 'USD', ...feeRates }

/** The rates are published, but not their rounding nor the settlement fee: such a leg is not priced. */
export const feeModel = (): MarketFees => ({
  fee: {
    kind: 'unknown',
    reason: `${feeFormula}, taker ${feeRates.taker}: the venue names no rounding`,
    atMost: { kind: 'cheaper_side', rate: Number(feeRates.taker) },
  },
  settlementFee: { kind: 'unknown', reason: 'the venue does not say what a settlement costs' },
})
