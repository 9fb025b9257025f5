// shares × r × (p(1−p))^e in pUSD, cut after five decimals; makers pay nothing. https://docs.polymarket.com/trading/fees
import { multiplyDecimals, roundDecimal, subtractDecimals } from '#lib/decimal'
import type { JsonObject } from '#schemas/executions'
import type { FeeDetails } from './facts.ts'

const exponentMax = 8

/** Null for an exponent that is no small whole number: exact arithmetic cannot follow it. */
export function feeEstimate(fee: FeeDetails | null, price: string, size: string): JsonObject | null {
  if (fee === null) return { model: 'none', currency: 'pUSD', maker: '0', taker: '0' }
  const { rate, exponent } = fee
  if (!Number.isInteger(exponent) || exponent > exponentMax) return null
  const base = multiplyDecimals(price, subtractDecimals('1', price))
  let taker = multiplyDecimals(size, rate)
  for (let i = 0; i < exponent; i++) taker = roundDecimal(multiplyDecimals(taker, base), 40, 'down')
  return {
    model: 'shares × rate × (p × (1 − p))^exponent',
    currency: 'pUSD',
    rate,
    exponent,
    maker: '0',
    taker: roundDecimal(taker, 5, 'down'),
  }
}
