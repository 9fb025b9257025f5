// What an order costs in fees by the published rates (../fees.ts). The venue names no rounding, so none is made.
import { compareDecimals, multiplyDecimals, subtractDecimals } from '#lib/decimal'
import type { JsonObject } from '#schemas/executions'
import { feeFormula, feeRates } from '../fees.ts'

export function feeEstimate(contracts: string, price: string): JsonObject {
  const rest = subtractDecimals('1', price)
  const base = multiplyDecimals(contracts, compareDecimals(price, rest) <= 0 ? price : rest)
  return {
    model: feeFormula,
    currency: 'USD',
    maker: multiplyDecimals(base, feeRates.maker),
    taker: multiplyDecimals(base, feeRates.taker),
  }
}
