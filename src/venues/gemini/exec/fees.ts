// Gemini Predictions: contracts × min(P, 1 − P) × rate. The venue names no rounding, so none is made.
// https://www.gemini.com/fees/predictions
import { compareDecimals, multiplyDecimals, subtractDecimals } from '#lib/decimal'
import type { JsonObject } from '#schemas/executions'

const rates = { maker: '0.01', taker: '0.05' }

export function feeEstimate(contracts: string, price: string): JsonObject {
  const rest = subtractDecimals('1', price)
  const base = multiplyDecimals(contracts, compareDecimals(price, rest) <= 0 ? price : rest)
  return {
    model: 'contracts × min(p, 1 − p) × rate',
    currency: 'USD',
    maker: multiplyDecimals(base, rates.maker),
    taker: multiplyDecimals(base, rates.taker),
  }
}
