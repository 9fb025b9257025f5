// The portfolio of an account: what it holds over all venues, what that is worth, and statements of it.
import { getPortfolioHistory } from './routes/getPortfolioHistory.ts'
import { getPortfolioSummary } from './routes/getPortfolioSummary.ts'
import { getStatement } from './routes/getStatement.ts'
import { createPortfolioImport, listPortfolioImports } from './routes/imports.ts'
import { listPortfolioFills } from './routes/listPortfolioFills.ts'
import { listPositions } from './routes/listPositions.ts'

export { createPositionBooks } from './liveBooks.ts'
export type {
  AccountPortfolio,
  MarkedPosition,
  PortfolioDeps,
  PortfolioReader,
  PortfolioRouteDeps,
} from './ports.ts'
export { createPortfolioReader } from './reader.ts'

export const portfolioRoutes = [
  listPositions,
  getPortfolioSummary,
  listPortfolioFills,
  getPortfolioHistory,
  getStatement,
  createPortfolioImport,
  listPortfolioImports,
] as const
