// shares × r × (p(1−p))^e in pUSD, cut after five decimals; makers pay nothing. https://docs.polymarket.com/trading/fees
import { multiplyDecimals, roundDecimal, subtractDecimals } from '#lib/decimal'
import type { JsonObject } from '#schemas/executions'
import { type Hex, zeroBytes32 } from './contracts.ts'
import type { FeeDetails } from './facts.ts'

const exponentMax = 8

/**
 * The venue's own fee. A builder code adds its builder's, which is not in the market's curve: the estimate then says that it lacks it. Null for
 * an exponent that is no small whole number: exact arithmetic cannot follow it.
 */
export function feeEstimate(
  fee: FeeDetails | null,
  price: string,
  size: string,
  builder: Hex = zeroBytes32,
): JsonObject | null {
  const lacks: JsonObject = builder === zeroBytes32 ? {} : { excludes: ['builder fee'] }
  if (fee === null) return { model: 'none', currency: 'pUSD', maker: '0', taker: '0', ...lacks }
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
    ...lacks,
  }
}
