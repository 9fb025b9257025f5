// What limits of the price, the day's loss and the exposure are compared with: a live book and the account's portfolio.
import { addDecimals, multiplyDecimals, readDecimal } from '#core/decimal'
import { Fault } from '#core/fault'
import type { RiskInputs, RiskSubject } from '#orders/executions/ports'
import type { Level } from '#schemas/marketData'
import type { RiskLimitRow } from '#storage/postgres/risk/limits'
import { readDayLoss } from './dayLoss.ts'
import type { RiskDeps } from './ports.ts'
import { lossByVenue } from './positionLoss.ts'

/** Reads only what these limits need. */
export async function readInputs(
  deps: RiskDeps,
  subject: RiskSubject,
  limits: readonly RiskLimitRow[],
): Promise<RiskInputs> {
  const kinds = new Set(limits.map(({ kind }) => kind))
  const exposures = limits.filter(({ kind }) => kind === 'exposure')
  const needsPortfolio = kinds.has('dailyLoss') || exposures.some(({ venue }) => venue !== null)
  // Independent reads.
  const [mid, worstLoss, portfolio] = await Promise.all([
    kinds.has('priceCollar') ? midFor(deps, subject) : null,
    exposures.some(({ venue }) => venue === null) ? orUnknown(deps.worstLoss(subject.accountId)) : null,
    needsPortfolio ? orUnknown(deps.portfolio.read(subject.accountId)) : null,
  ])
  return {
    kinds,
    mid,
    worstLoss,
    dayLoss:
      portfolio !== null && kinds.has('dailyLoss') ? await readDayLoss(deps, subject.accountId, portfolio) : null,
    positionLoss: portfolio === null ? null : lossByVenue(portfolio, deps.isDollar),
  }
}

/** A portfolio that is too large to be computed is unknown. */
async function orUnknown<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Fault && error.code === 'NOT_SUPPORTED') return null
    throw error
  }
}

async function midFor({ books }: Pick<RiskDeps, 'books'>, subject: RiskSubject): Promise<string | null> {
  const { venue, marketId, outcomeId, triggerMid } = subject
  if (triggerMid !== undefined) return triggerMid
  if (marketId === null || outcomeId === null) return null
  const [book] = await books.read([{ venue, marketId, outcomeId }])
  if (book === undefined || typeof book === 'string') return null
  const [bid, ask] = [bestOf(book.bids, Math.max), bestOf(book.asks, Math.min)]
  return bid === null || ask === null ? null : multiplyDecimals(addDecimals(bid, ask), '0.5')
}

/** Null: the side is empty. */
function bestOf(levels: readonly Level[], best: (...prices: number[]) => number): string | null {
  return levels.length === 0 ? null : readDecimal(best(...levels.map(({ price }) => price)))
}
