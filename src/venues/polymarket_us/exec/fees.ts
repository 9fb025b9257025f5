// Polymarket US: coefficient × contracts × p × (1 − p), banker's rounding to the cent. The coefficient is the market's own; takers pay it.
// https://docs.polymarket.us/fees
import { multiplyDecimals, roundDecimal, subtractDecimals } from '#lib/decimal'
import type { JsonObject } from '#schemas/executions'

/** `price` of either side: p × (1 − p) is the same. Null when the venue tells no coefficient. */
export function feeEstimate(coefficient: string | null, contracts: string, price: string): JsonObject | null {
  if (coefficient === null) return null
  const spread = multiplyDecimals(price, subtractDecimals('1', price))
  const fee = roundDecimal(multiplyDecimals(coefficient, multiplyDecimals(contracts, spread)), 2, 'halfEven')
  return { model: 'coefficient × contracts × p × (1 − p)', currency: 'USD', coefficient, taker: fee }
}
