// The most an order can cost, before fees: `notionalUsd`, and what a spend cap reserves.
import { multiplyDecimals, subtractDecimals } from '#core/decimal'

interface Risk {
  isBuy: boolean
  /** Probability dollars and contracts, decimal strings. */
  price: string
  size: string
  /** True: the venue itself restricts the order to closing what is held. */
  closesOnly: boolean
}

/** Decimal string in the quote's units. Selling what is not held means buying the other side. */
export function moneyAtRisk({ isBuy, price, size, closesOnly }: Risk): string {
  if (closesOnly) return '0'
  return multiplyDecimals(isBuy ? price : subtractDecimals('1', price), size)
}
