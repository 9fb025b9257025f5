// Which positions are listed, and in which order.
import { isUnclaimed } from '#portfolio/statements/totals'
import { isOpenPosition } from '#schemas/openPosition'
import type { PortfolioPosition } from '#schemas/portfolio'
import { positionKey } from './portfolioState.ts'

export const shownStatuses = ['open', 'closed', 'all'] as const
export type ShownStatus = (typeof shownStatuses)[number]

/** With shares, or with a payout that is not collected. */
export const isHeld = (position: Pick<PortfolioPosition, 'quantity' | 'settlement'>): boolean =>
  isOpenPosition(position) || isUnclaimed(position)

/** Of a resolved market, at a loss, and with nothing left to collect. */
export const isLost = ({
  settlement,
  value,
  realizedPnl,
}: Pick<PortfolioPosition, 'settlement' | 'value' | 'realizedPnl'>): boolean =>
  settlement !== null && value.settlement === '0' && realizedPnl?.startsWith('-') === true

interface Choice {
  status: ShownStatus
  /** Empty: all venues. */
  venue: string
  showsLost: boolean
}

interface ShownPositions {
  rows: PortfolioPosition[]
  /** Lost positions that would be listed, and are not. */
  hidden: number
}

/** Open positions come first, the largest cost before others; closed ones follow, the one changed last first. A position is listed once. */
export function shownPositions(
  positions: Iterable<PortfolioPosition>,
  { status, venue, showsLost }: Choice,
): ShownPositions {
  const byKey = new Map<string, PortfolioPosition>()
  for (const row of positions) {
    // Of two reads of one position the newer one counts.
    const known = byKey.get(positionKey(row))
    if (known === undefined || known.updatedAt <= row.updatedAt) byKey.set(positionKey(row), row)
  }
  const wanted = [...byKey.values()].filter(
    (row) => (venue === '' || row.venue === venue) && (status === 'all' || isHeld(row) === (status === 'open')),
  )
  const rows = showsLost ? wanted : wanted.filter((row) => !isLost(row))
  return { rows: rows.toSorted(byCost), hidden: wanted.length - rows.length }
}

function byCost(a: PortfolioPosition, b: PortfolioPosition): number {
  const isHeldA = isHeld(a)
  if (isHeldA !== isHeld(b)) return isHeldA ? -1 : 1
  if (!isHeldA) return Date.parse(b.updatedAt) - Date.parse(a.updatedAt) || compare(positionKey(a), positionKey(b))
  return costOf(b) - costOf(a) || compare(positionKey(a), positionKey(b))
}

/** An unknown cost comes after all others. */
const costOf = ({ costBasis }: PortfolioPosition): number => (costBasis === null ? -1 : Math.abs(Number(costBasis)))

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
