// What an account has lost by trading since its day began (UTC), by venue: realised, and at the marks of its open positions. Where nothing is
// known of a venue's beginning, or of a part of its orders, nothing is known of its loss. What was entered on this day does not count.
import { addDecimals, subtractDecimals } from '#core/decimal'
import type { AccountPortfolio, TradedPosition, Trades } from '#portfolio/ports'
import { isOpenPosition } from '#schemas/openPosition'
import type { DayStart } from '#storage/postgres/risk/dayStarts'
import type { RiskDeps } from './ports.ts'
import { venuesWithGaps } from './positionLoss.ts'

const dayMs = 86_400_000

/** Decimal strings by venue; null: unknown. */
type ByVenue = ReadonlyMap<string, string | null>

interface DayLoss {
  loss: ByVenue
  /** Venues whose beginning is not stored, since what they had gained is unknown. */
  unstarted: readonly string[]
}

export async function readDayLoss(
  deps: Pick<RiskDeps, 'store' | 'isDollar' | 'tradesOf' | 'clock'>,
  accountId: string,
  portfolio: AccountPortfolio,
): Promise<DayLoss> {
  const at = new Date(deps.clock.now())
  const beganAt = at.getTime() - (at.getTime() % dayMs)
  const trades = await deps.tradesOf(portfolio, beganAt)
  const gained = gainByVenue(trades, deps.isDollar)
  for (const venue of venuesWithGaps(portfolio)) gained.set(venue, null)
  /** Had entries before this day: another venue begins at zero. */
  const older = new Set(trades.entries.flatMap((entry) => (entry.at < beganAt ? [entry.venue] : [])))
  const known = [...gained].flatMap(([venue, pnl]): DayStart[] =>
    pnl !== null && older.has(venue) ? [{ venue, pnl }] : [],
  )
  const starts = await deps.store.keepDayStarts({ accountId, at, starts: known })
  const stored = new Map(starts.map(({ venue, pnl }) => [venue, pnl]))
  const loss = [...gained].map(([venue, pnl]): [string, string | null] => {
    const start = stored.get(venue) ?? (older.has(venue) ? null : '0')
    return [venue, pnl === null || start === null ? null : subtractDecimals(start, pnl)]
  })
  return { loss: new Map(loss), unstarted: [...older].filter((venue) => gained.has(venue) && !stored.has(venue)) }
}

/** USD gained in all, realised and marked; null: unknown. */
function gainByVenue({ ledger, positions }: Trades, isDollar: RiskDeps['isDollar']): Map<string, string | null> {
  const sums = new Map<string, string | null>()
  const add = (venue: string, amount: string | null): void => {
    const sum = sums.get(venue)
    sums.set(venue, sum === null || amount === null ? null : addDecimals(sum ?? '0', amount))
  }
  for (const { venue, currency, realizedPnl } of ledger.cash)
    add(venue, isDollar({ venue, marketId: '', currency }) || realizedPnl === '0' ? realizedPnl : null)
  for (const position of positions)
    if (isOpenPosition(position)) add(position.venue, isDollar(position) ? markedGain(position) : null)
  return sums
}

/** At the mid price, else at the last one. */
const markedGain = ({ gain: { mid, last } }: TradedPosition): string | null => mid ?? last
