// Totals of the account by venue and currency.
import { PortfolioSummary, portfolioFields } from '#schemas/portfolio'
import { defineRoute } from '#server/http/defineRoute'
import type { PortfolioRouteDeps } from '../ports.ts'
import { summaryOf } from '../statements/totals.ts'
import { access, accountOf, fieldsOf, tag } from './shapes.ts'

export const getPortfolioSummary = defineRoute({
  operationId: 'getPortfolioSummary',
  method: 'get',
  path: '/v1/portfolio/summary',
  access,
  heavy: true,
  summary: 'Totals by venue and currency, and by currency: cash flow, fees, PnL and value, and what is unknown in each',
  tag,
  data: PortfolioSummary,
  topLevelFields: portfolioFields,
  errors: ['NOT_SUPPORTED', 'EXEC_UNAVAILABLE'],
  async handle(input, { portfolio }: PortfolioRouteDeps) {
    const found = await portfolio.reader.read(accountOf(input))
    return { data: summaryOf(found), siblings: fieldsOf(found) }
  },
})
