// External dependencies of risk limits: the store, live books, and the account's portfolio.
import type { Clock } from '#core/clock'
import type { FairSemaphore } from '#core/fairSemaphore'
import type { Log } from '#core/log'
import type { AccountPortfolio, PortfolioReader, PositionBooks, Trades } from '#portfolio/ports'
import type { HaltCommand } from '#storage/postgres/halts/halts'
import type { RiskStore } from '#storage/postgres/risk/store'

/** Whose money a limit in dollars counts. */
interface Denominated {
  venue: string
  marketId: string
  currency: string | null
}

export interface RiskDeps {
  store: RiskStore
  books: PositionBooks
  portfolio: PortfolioReader
  /** What of it comes from trading, without what its owner entered since then (epoch ms). */
  tradesOf(portfolio: AccountPortfolio, since: number): Promise<Trades>
  /** Bounds reads of whole portfolios, per account and in total. */
  portfolioReads: Pick<FairSemaphore, 'run'>
  /** Whether its currency is worth a dollar. */
  isDollar(position: Denominated): boolean
  /**
   * USD that the positions at all venues can still lose together: hedges between related markets are credited. Null: unknown. Throws
   * EXEC_UNAVAILABLE.
   */
  worstLoss(accountId: string): Promise<string | null>
  /** False: it was already halted. */
  halt(command: HaltCommand): Promise<boolean>
  clock: Clock
  log: Log
}

export interface RiskRouteDeps {
  risk: RiskDeps
}
