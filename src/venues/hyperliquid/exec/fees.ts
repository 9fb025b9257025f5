// HIP-4 fees: opening bills nothing, selling bills the spot rate × (scale + max(scale, 1)), scale being the deployer's. Verified on mainnet
// fills of 2026-09-12. The rates are those of the base tier before discounts, so a seller's estimate is a ceiling for most.
import { addDecimals, compareDecimals, multiplyDecimals } from '#lib/decimal'
import type { JsonObject } from '#schemas/executions'

const baseRates = { maker: '0.0004', taker: '0.0007' }

/** Null for a sale whose scale the venue does not tell. */
export function feeEstimate(
  isBuy: boolean,
  notional: string,
  deployerFeeScale: string | null,
  token: string,
): JsonObject | null {
  if (isBuy) return { model: 'hip4', token, maker: '0', taker: '0', basis: 'opening bills nothing' }
  if (deployerFeeScale === null) return null
  const atLeastOne = compareDecimals(deployerFeeScale, '1') > 0 ? deployerFeeScale : '1'
  const billed = multiplyDecimals(notional, addDecimals(deployerFeeScale, atLeastOne))
  return {
    model: 'hip4',
    token,
    maker: multiplyDecimals(billed, baseRates.maker),
    taker: multiplyDecimals(billed, baseRates.taker),
    basis: 'base tier, before discounts',
  }
}
