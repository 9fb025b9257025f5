// What each day or month added to the portfolio.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { historyIntervals, PortfolioPeriod, portfolioFields } from '#schemas/portfolio'
import { defineRoute } from '#server/http/defineRoute'
import type { PortfolioRouteDeps } from '../ports.ts'
import { historyOf } from '../statements/history.ts'
import { type Interval, parsePeriod } from '../statements/periods.ts'
import { access, accountOf, fieldsOf, tag } from './shapes.ts'

const dayMs = 86_400_000
const rangeDefaultMs: Readonly<Record<Interval, number>> = { day: 30 * dayMs, month: 365 * dayMs }
const rangeMaxMs: Readonly<Record<Interval, number>> = { day: 400 * dayMs, month: 3_660 * dayMs }

export const getPortfolioHistory = defineRoute({
  operationId: 'getPortfolioHistory',
  method: 'get',
  path: '/v1/portfolio/history',
  access,
  heavy: true,
  summary: 'Realized PnL, fees, deposits and trading by day or month (UTC), venue and currency',
  tag,
  query: z.object({
    interval: z.enum(historyIntervals).default('day'),
    from: z.iso.date().optional().describe('first day; default: 30 days, or a year, before the last'),
    to: z.iso.date().optional().describe('last day, inclusive; default: today'),
  }),
  data: z.array(PortfolioPeriod),
  topLevelFields: portfolioFields,
  errors: ['NOT_SUPPORTED', 'EXEC_UNAVAILABLE'],
  async handle(input, { portfolio }: PortfolioRouteDeps) {
    const { interval, ...query } = input.query
    const last = dayOf('to', query.to ?? new Date(portfolio.clock.now()).toISOString().slice(0, 10))
    const from = query.from === undefined ? last.from - rangeDefaultMs[interval] : dayOf('from', query.from).from
    if (from >= last.to) throw new Fault('VALIDATION_ERROR', 'from: must not be after to')
    if (last.to - from > rangeMaxMs[interval]) {
      throw new Fault('VALIDATION_ERROR', `from, to: at most ${rangeMaxMs[interval] / dayMs} days by ${interval}`)
    }
    const found = await portfolio.reader.readEntries(accountOf(input))
    return { data: await historyOf(found.entries, { interval, from, to: last.to }), siblings: fieldsOf(found) }
  },
})

function dayOf(name: string, text: string) {
  const period = parsePeriod(text)
  if (period === null) throw new Fault('VALIDATION_ERROR', `${name}: is not a day`)
  return period
}
