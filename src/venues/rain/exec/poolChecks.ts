// Checks of a caller's request before any contract is read. Nothing is rounded: what the contract cannot represent is
// refused.
import { compareDecimals, readDecimal, toUnits } from '#core/decimal'
import { Fault } from '#core/fault'
import type { ErrorCode } from '#schemas/errors'

/** Of a price in the contracts. */
export const priceDecimals = 18
/** Of the base token, or shares; no plausible order is larger. */
const amountMax = '1000000000'
/** Out of ten thousand. */
export const slippageOf = 10_000n
const deadlineSecondsMax = 86_400

type InputCode = Extract<ErrorCode, `RAIN_INVALID_${string}` | 'RAIN_SLIPPAGE_REQUIRED'>

export const wrong = (code: InputCode, message: string): Fault => new Fault(code, message, { exchange: 'rain' })

/** A probability strictly between 0 and 1; decimal text. */
export function readPrice(given: number | string | undefined): string {
  const price = given === undefined ? null : readDecimal(given)
  if (price === null) throw wrong('RAIN_INVALID_PRICE', 'price: must be a plain decimal')
  if (compareDecimals(price, '0') <= 0 || compareDecimals(price, '1') >= 0) {
    throw wrong('RAIN_INVALID_PRICE', 'price: must lie between 0 and 1')
  }
  unitsOf(price, priceDecimals, () => wrong('RAIN_INVALID_PRICE', `price: has more than ${priceDecimals} decimals`))
  return price
}

/** `decimals`: of the base token, and so of shares. Decimal text. */
export function readAmount(given: number | string, decimals: number): string {
  const amount = readDecimal(given)
  if (amount === null || compareDecimals(amount, '0') <= 0) {
    throw wrong('RAIN_INVALID_AMOUNT', 'amount: must be a plain decimal above 0')
  }
  if (compareDecimals(amount, amountMax) > 0) throw wrong('RAIN_INVALID_AMOUNT', `amount: must be at most ${amountMax}`)
  unitsOf(amount, decimals, () => wrong('RAIN_INVALID_AMOUNT', `amount: has more than ${decimals} decimals`))
  return amount
}

export function readSlippage(bps: number | undefined): bigint {
  if (bps !== undefined && Number.isInteger(bps) && bps > 0 && BigInt(bps) < slippageOf) return BigInt(bps)
  throw wrong('RAIN_SLIPPAGE_REQUIRED', 'slippageBps: a market order needs whole basis points from 1 to 9999')
}

export function readDeadline(seconds: number | undefined): number {
  if (seconds !== undefined && Number.isInteger(seconds) && seconds > 0 && seconds <= deadlineSecondsMax) return seconds
  throw wrong(
    'RAIN_INVALID_DEADLINE',
    `deadlineSecondsFromNow: a market order needs whole seconds from 1 to ${deadlineSecondsMax}`,
  )
}

function unitsOf(text: string, decimals: number, refused: () => Fault): bigint {
  try {
    return toUnits(text, decimals)
  } catch {
    throw refused()
  }
}
