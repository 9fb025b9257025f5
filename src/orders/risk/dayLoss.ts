// What an account has lost since its day began (UTC), by venue: realised, and at the marks of its open positions. Where nothing is known of a
// venue's beginning, nothing is known of its loss.
import { addDecimals, subtractDecimals } from '#core/decimal'
import type { AccountPortfolio, MarkedPosition } from '#portfolio/ports'
import type { DayStart } from '#storage/postgres/risk/dayStarts'
import type { RiskDeps } from './ports.ts'

const dayMs = 86_400_000

export async function readDayLoss(
  deps: Pick<RiskDeps, 'store' | 'isDollar' | 'clock'>,
  accountId: string,
  portfolio: AccountPortfolio,
): Promise<ReadonlyMap<string, string | null>> {
  const pnl = pnlByVenue(portfolio, deps.isDollar)
  const at = new Date(deps.clock.now())
  const known = [...pnl].flatMap(([venue, amount]): DayStart[] => (amount === null ? [] : [{ venue, pnl: amount }]))
  const starts = await deps.store.keepDayStarts({ accountId, at, starts: known.filter(isOld(portfolio, at.getTime())) })
  return lossSince(pnl, starts, portfolio, at.getTime())
}

const beganAt = (now: number): number => now - (now % dayMs)

/** It had entries before this day: another venue begins at zero. */
const isOld =
  ({ entries }: Pick<AccountPortfolio, 'entries'>, now: number) =>
  ({ venue }: { venue: string }): boolean =>
    entries.some((entry) => entry.venue === venue && entry.at < beganAt(now))

function lossSince(
  pnl: ReadonlyMap<string, string | null>,
  starts: readonly DayStart[],
  portfolio: Pick<AccountPortfolio, 'entries'>,
  now: number,
): Map<string, string | null> {
  const stored = new Map(starts.map((start) => [start.venue, start.pnl]))
  const isKnownBefore = isOld(portfolio, now)
  return new Map(
    [...pnl].map(([venue, amount]) => {
      const start = stored.get(venue) ?? (isKnownBefore({ venue }) ? null : '0')
      return [venue, amount === null || start === null ? null : subtractDecimals(start, amount)]
    }),
  )
}

/** USD gained in all, realised and marked; null: unknown. */
function pnlByVenue(
  { ledger, positions }: Pick<AccountPortfolio, 'ledger' | 'positions'>,
  isDollar: RiskDeps['isDollar'],
): Map<string, string | null> {
  const sums = new Map<string, string | null>()
  const add = (venue: string, amount: string | null): void => {
    const sum = sums.get(venue)
    sums.set(venue, sum === null || amount === null ? null : addDecimals(sum ?? '0', amount))
  }
  for (const { venue, currency, realizedPnl } of ledger.cash)
    add(venue, isDollar({ venue, marketId: '', currency }) || realizedPnl === '0' ? realizedPnl : null)
  for (const position of positions)
    if (isOpen(position)) add(position.venue, isDollar(position) ? markedPnl(position) : null)
  return sums
}

/** Not resolved: what resolved shares are worth is realised. */
const isOpen = ({ quantity, settlement }: MarkedPosition): boolean => settlement === null && quantity !== '0'

/** At the mid price, else at the last one. */
const markedPnl = ({ unrealizedPnl: { mid, last } }: MarkedPosition): string | null => mid ?? last
