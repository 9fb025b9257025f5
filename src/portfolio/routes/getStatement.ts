// The statement of a day or a month.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { portfolioFields, Statement } from '#schemas/portfolio'
import { defineRoute } from '#server/http/defineRoute'
import type { PortfolioRouteDeps } from '../ports.ts'
import { parsePeriod } from '../statements/periods.ts'
import { statementOf } from '../statements/statement.ts'
import { type StatementRow, statementColumns } from '../tables/columns.ts'
import { csvOf } from '../tables/csv.ts'
import { access, accountOf, contentTypes, fieldsOf, rawHeaders, tableHeaders, tag } from './shapes.ts'

const { 'X-Next-Cursor': _none, ...headers } = tableHeaders

export const getStatement = defineRoute({
  operationId: 'getStatement',
  method: 'get',
  path: '/v1/portfolio/statements/{period}',
  access,
  heavy: true,
  summary: 'A day or month (UTC): positions before and after, every entry, and what was added',
  tag,
  params: z.object({
    period: z
      .string()
      .regex(/^\d{4}-\d{2}(-\d{2})?$/, { error: 'must be a month, 2026-11, or a day, 2026-11-30' })
      .meta({ examples: ['2026-11'] }),
  }),
  query: z.object({ format: z.enum(['json', 'csv']).default('json') }),
  data: Statement,
  topLevelFields: portfolioFields,
  media: { 'text/csv': { words: 'A header line, then the rows of each section: opening, entry, closing, total' } },
  headers,
  errors: ['NOT_SUPPORTED', 'EXEC_UNAVAILABLE'],
  async handle(input, { portfolio }: PortfolioRouteDeps) {
    const period = parsePeriod(input.params.period)
    const now = portfolio.clock.now()
    if (period === null) throw new Fault('VALIDATION_ERROR', 'period: there is no such day or month')
    if (period.from > now) throw new Fault('VALIDATION_ERROR', 'period: has not begun')
    const found = await portfolio.reader.readEntries(accountOf(input))
    const statement = await statementOf(found.entries, period, now)
    const fields = fieldsOf(found)
    if (input.query.format === 'json') return { data: statement, siblings: fields }
    const body = csvOf(statementColumns, rowsOf(statement))
    return { raw: { contentType: contentTypes.csv, body }, headers: rawHeaders(fields) }
  },
})

function rowsOf({ opening, entries, closing, totals }: Statement): StatementRow[] {
  const section = (name: StatementRow['section'], rows: readonly StatementRow['cells'][]) =>
    rows.map((cells) => ({ section: name, cells }))
  return [
    ...section('opening', opening),
    ...section('entry', entries),
    ...section('closing', closing),
    ...section(
      'total',
      totals.map(({ fees, deposits, ...same }) => ({
        ...{ ...same, fees: fees.known, deposits: deposits.known },
        unknown: String(fees.unknown + deposits.unknown),
      })),
    ),
  ]
}
