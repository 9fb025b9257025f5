// Connects the risk limits of accounts to their store, the portfolio, live books and trading halts.
import type { Clock } from '#core/clock'
import { FairSemaphore } from '#core/fairSemaphore'
import type { Log } from '#core/log'
import type { RiskDeps } from '#orders/risk/index'
import type { ExposureDeps } from '#portfolio/exposure/index'
import { moneyOf } from '#portfolio/exposure/money'
import { worstLoss } from '#portfolio/exposure/worstLoss'
import type { PortfolioReader, PositionBooks } from '#portfolio/ports'
import { tradesOf } from '#portfolio/trades'
import { haltLockTimeoutMs, insertHalt } from '#storage/postgres/halts/halts'
import { asUnavailable, type Pool } from '#storage/postgres/pool'
import { createRiskStore } from '#storage/postgres/risk/store'

export interface RiskOptions {
  pool: Pool
  portfolio: PortfolioReader
  exposure: ExposureDeps
  books: PositionBooks
  clock: Clock
  log: Log
}

/** Of one account as of a key at the routes that read many rows. Each read holds up to three connections. */
export const portfolioReadLimits = {
  inAll: 4,
  perKey: 2,
  waitingInAll: 1_000,
  waitingPerKey: 100,
  refusal:
    'a risk limit needs the whole portfolio, and too many orders wait for theirs: 2 portfolios of an account are read at once; nothing was sent',
}

export const openRisk = ({ pool, portfolio, exposure, books, clock, log }: RiskOptions): RiskDeps => ({
  store: createRiskStore(pool),
  books,
  portfolio,
  tradesOf: (of, since) => tradesOf(of, since, books),
  portfolioReads: new FairSemaphore(portfolioReadLimits),
  isDollar: (position) => moneyOf([position]) === 'USD',
  worstLoss: (accountId) => worstLoss(exposure, accountId),
  halt: (command) => asUnavailable('EXEC_UNAVAILABLE', insertHalt(pool, command), { withinMs: 2 * haltLockTimeoutMs }),
  clock,
  log,
})

/** For a process without live books: positions are marked at their last known prices. */
export const noBooks: PositionBooks = { read: async (instruments) => instruments.map(() => 'silent' as const) }
