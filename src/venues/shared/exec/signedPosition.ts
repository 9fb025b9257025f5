// Positions of venues that have one signed position per market: below zero is the second outcome.
import { subtractDecimals } from '#core/decimal'

interface HeldSide {
  isSecond: boolean
  outcomeId: string
  /** Above zero. */
  quantity: string
}

/** Null: nothing is held. */
export function sideHeld(signed: string, [first, second]: readonly [string, string]): HeldSide | null {
  if (signed === '0') return null
  const isSecond = signed.startsWith('-')
  return {
    isSecond,
    outcomeId: isSecond ? second : first,
    quantity: isSecond ? subtractDecimals('0', signed) : signed,
  }
}
