// Limitless' taker fees, as far as they are published. https://docs.limitless.exchange/user-guide/fees
import type { MarketFees } from '#schemas/fees'

const source = 'https://docs.limitless.exchange/user-guide/fees'

/** As the normalizer stores it in the catalog. */
export const storedFees = {
  clob: { model: 'points of a table, by price and side; buyers pay in shares', maker: '0', source },
  collateralClob: { model: 'points of a table, by price and side; takers pay in USDC', maker: '0', source },
  amm: { model: '0.4 % of a trade', source },
} as const

/**
 * A market that charges nothing says so itself. The others use a table of points (3 % of a buy up to 0.50, 0.40 % at 0.999; 1.5 % of a sale at 0.50)
 * without a formula between them, and a buyer's fee is taken from the shares: no leg is priced by guessing both.
 */
/** The venue's word for a market whose takers pay in USDC, through a contract of its own. Orders there are signed for a fee of zero. */
export const paysFeeInCollateral = (feeModuleType: unknown): boolean => feeModuleType === 'COLLATERAL'

/** Of the notional: the highest points of the table, and what a pool charges. */
const highestRates = { clob: 0.03, amm: 0.004 } as const

function feeModelOf({ synthetic, feeModuleType }: Readonly<Record<string, unknown>>): string {
  if (synthetic === true) return storedFees.amm.model
  return (paysFeeInCollateral(feeModuleType) ? storedFees.collateralClob : storedFees.clob).model
}

export function feeModel({ sourceMetadata }: { sourceMetadata: Readonly<Record<string, unknown>> }): MarketFees {
  const settlementFee = { kind: 'unknown', reason: 'the venue does not say what a settlement costs' } as const
  if (sourceMetadata.feesEnabled === false) return { fee: { kind: 'none' }, settlementFee }
  const model = feeModelOf(sourceMetadata)
  const rate = sourceMetadata.synthetic === true ? highestRates.amm : highestRates.clob
  const reason = `${model}: the venue gives no formula`
  return { fee: { kind: 'unknown', reason, atMost: { kind: 'notional', rate } }, settlementFee }
}
