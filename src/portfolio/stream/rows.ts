// The rows of a portfolio that are streamed: positions as GET /v1/portfolio/positions returns them, totals as the summary does.
import type { AccountPortfolio } from '../ports.ts'
import { isHeld, positionRow } from '../routes/shapes.ts'
import { summaryOf } from '../statements/totals.ts'
import type { PortfolioRows } from './state.ts'

export function rowsOf(portfolio: AccountPortfolio): PortfolioRows {
  const held = portfolio.positions.filter(isHeld).sort((a, b) => b.updatedAt - a.updatedAt)
  return {
    asOf: portfolio.asOf,
    unavailable: portfolio.unavailable,
    positions: held.map((position) => positionRow(position, portfolio)),
    summary: summaryOf(portfolio).byVenue,
  }
}
