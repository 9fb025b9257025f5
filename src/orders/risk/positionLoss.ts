// The most that open positions can still lose, by venue: what they cost, as if each outcome turned out at its worst. Hedges are not
// credited: neither within a market nor between venues.
import { addDecimals, compareDecimals, subtractDecimals } from '#core/decimal'
import type { AccountPortfolio, MarkedPosition } from '#portfolio/ports'
import type { RiskDeps } from './ports.ts'

/** USD; null: unknown. */
export function lossByVenue(
  { positions }: Pick<AccountPortfolio, 'positions'>,
  isDollar: RiskDeps['isDollar'],
): Map<string, string | null> {
  const sums = new Map<string, string | null>()
  for (const position of positions) {
    if (position.settlement !== null || position.quantity === '0') continue
    const { venue } = position
    const sum = sums.get(venue)
    const loss = isDollar(position) ? lossOf(position) : null
    sums.set(venue, sum === null || loss === null ? null : addDecimals(sum ?? '0', loss))
  }
  return sums
}

/** A share that was sold short pays at most one dollar. */
function lossOf({ quantity, costBasis }: MarkedPosition): string | null {
  if (costBasis === null || compareDecimals(quantity, '0') > 0) return costBasis
  return addDecimals(subtractDecimals('0', quantity), costBasis)
}
