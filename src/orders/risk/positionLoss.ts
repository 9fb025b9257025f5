// The most that open positions can still lose, by venue: what they cost, as if each outcome turned out at its worst. Hedges are not
// credited: neither within a market nor between venues.
import { addDecimals, compareDecimals, subtractDecimals } from '#core/decimal'
import type { AccountPortfolio, JournalView, MarkedPosition } from '#portfolio/ports'
import { isOpenPosition } from '#schemas/openPosition'
import type { RiskDeps } from './ports.ts'

/** USD; null: unknown. */
export function lossByVenue(
  portfolio: Pick<AccountPortfolio, 'positions' | 'unexplained' | 'unreadable' | 'unreadableExchanges'>,
  isDollar: RiskDeps['isDollar'],
): Map<string, string | null> {
  const sums = new Map<string, string | null>()
  const add = (venue: string, loss: string | null): void => {
    const sum = sums.get(venue)
    sums.set(venue, sum === null || loss === null ? null : addDecimals(sum ?? '0', loss))
  }
  for (const position of portfolio.positions)
    if (isOpenPosition(position)) add(position.venue, isDollar(position) ? lossOf(position) : null)
  for (const order of portfolio.unexplained)
    add(order.venue, order.atRisk === '0' || isDollar(order) ? order.atRisk : null)
  for (const { venue } of [...portfolio.unreadable, ...portfolio.unreadableExchanges]) add(venue, null)
  return sums
}

/**
 * Where fills are missing that should be stored by now, or fills or exchanges are stored and cannot be read: what was traded there is
 * unknown.
 */
export const venuesWithGaps = ({
  unexplained,
  unreadable,
  unreadableExchanges,
}: Pick<JournalView, 'unexplained' | 'unreadable' | 'unreadableExchanges'>): string[] => [
  ...unexplained.flatMap(({ venue, cash }) => (cash === null ? [venue] : [])),
  ...[...unreadable, ...unreadableExchanges].map(({ venue }) => venue),
]

/** A share that was sold short pays at most one dollar. */
function lossOf({ quantity, costBasis }: MarkedPosition): string | null {
  if (costBasis === null || compareDecimals(quantity, '0') > 0) return costBasis
  return addDecimals(subtractDecimals('0', quantity), costBasis)
}
