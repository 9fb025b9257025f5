// What limits of the price, the day's loss and the exposure are compared with: a live book and the account's portfolio.
import { midPriceOf } from '#core/books/midPrice'
import { Fault } from '#core/fault'
import type { RiskInputs, RiskSubject } from '#orders/executions/ports'
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
  const readAccount = () => readPortfolio(deps, subject.accountId, { exposures, kinds })
  // Independent reads. Those of the portfolio hold the event loop and connections, and wait for others of the account.
  const [mid, held] = await Promise.all([
    kinds.has('priceCollar') ? midFor(deps, subject) : null,
    kinds.has('dailyLoss') || exposures.length > 0
      ? deps.portfolioReads.run(subject.accountId, readAccount)
      : { worstLoss: null, dayLoss: null, positionLoss: null },
  ])
  return { kinds, mid, ...held }
}

interface Wanted {
  exposures: readonly RiskLimitRow[]
  kinds: ReadonlySet<RiskLimitRow['kind']>
}

async function readPortfolio(
  deps: RiskDeps,
  accountId: string,
  { exposures, kinds }: Wanted,
): Promise<Pick<RiskInputs, 'worstLoss' | 'dayLoss' | 'positionLoss'>> {
  const needsPortfolio = kinds.has('dailyLoss') || exposures.some(({ venue }) => venue !== null)
  const [worstLoss, portfolio] = await Promise.all([
    exposures.some(({ venue }) => venue === null) ? orUnknown(deps.worstLoss(accountId)) : null,
    needsPortfolio ? orUnknown(deps.portfolio.read(accountId)) : null,
  ])
  return {
    worstLoss,
    dayLoss: portfolio !== null && kinds.has('dailyLoss') ? (await readDayLoss(deps, accountId, portfolio)).loss : null,
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
  return midPriceOf(book)
}
