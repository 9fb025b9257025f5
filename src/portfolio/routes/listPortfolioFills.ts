// The account's fills over all venues in venue-neutral terms, oldest first.
import { z } from 'zod'
import { cursorBinding } from '#core/cursor'
import { divideDecimals } from '#core/decimal'
import { NextCursor } from '#schemas/envelope'
import { PortfolioFill, portfolioFields, portfolioFormats } from '#schemas/portfolio'
import { defineRoute } from '#server/http/defineRoute'
import { clampedLimit } from '#server/http/queryNumbers'
import type { FillEntry, LedgerEntry } from '../ledger/entry.ts'
import { compareIds, withdrawnIds } from '../ledger/order.ts'
import type { PortfolioRouteDeps } from '../ports.ts'
import { fillColumns } from '../tables/columns.ts'
import {
  access,
  accountOf,
  checkMarket,
  fieldsOf,
  isoOf,
  isWanted,
  marketFilter,
  readFilter,
  tableAnswer,
  tableHeaders,
  tableMedia,
  tag,
} from './shapes.ts'

const limitDefault = 100
const limitMax = 1_000
const places = 9

/** The last row of the previous page. */
const Position = z.tuple([z.number(), z.string()])

const Instant = z.iso.datetime({ offset: true })

export const listPortfolioFills = defineRoute({
  operationId: 'listPortfolioFills',
  method: 'get',
  path: '/v1/portfolio/fills',
  access,
  heavy: true,
  summary: 'The account’s fills over all venues in the same terms, oldest first; withdrawn ones are marked',
  tag,
  query: z.object({
    ...marketFilter,
    since: Instant.optional().describe('inclusive'),
    until: Instant.optional().describe('exclusive'),
    cursor: z.string().optional(),
    limit: clampedLimit(limitDefault, limitMax),
    format: z.enum(portfolioFormats).default('json'),
  }),
  data: z.array(PortfolioFill),
  topLevelFields: { ...portfolioFields, nextCursor: NextCursor },
  media: tableMedia('one row per fill'),
  headers: tableHeaders,
  errors: ['EXCHANGE_NOT_AVAILABLE', 'MARKET_NOT_FOUND', 'NOT_SUPPORTED', 'EXEC_UNAVAILABLE'],
  async handle(input, { portfolio }: PortfolioRouteDeps) {
    const { since, until, cursor, limit, format, ...given } = input.query
    const filter = readFilter(given)
    const accountId = accountOf(input)
    const bind = cursorBinding({ accountId, since, until, ...filter })
    const after = cursor === undefined ? null : Position.parse(portfolio.cursors.decode('portfolioFills', bind, cursor))
    const found = await portfolio.reader.readEntries(accountId)
    const inMarket = found.entries.filter((entry): entry is FillEntry => isFill(entry) && isWanted(entry, filter))
    const missing = inMarket.length === 0 ? await checkMarket(portfolio, filter) : []
    const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since)
    const to = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until)
    const rest = inMarket
      .filter(({ at, id }) => at >= from && at < to && (after === null || compare({ at, id }, after) > 0))
      .sort((a, b) => compare(a, [b.at, b.id]))
    const page = rest.slice(0, limit)
    const last = page.at(-1)
    const withdrawn = withdrawnIds(found.entries)
    return tableAnswer({
      format,
      rows: page.map((fill) => fillRow(fill, withdrawn.has(fill.id))),
      columns: fillColumns,
      fields: fieldsOf(found, missing),
      nextCursor:
        last === undefined || rest.length <= limit
          ? null
          : portfolio.cursors.encode('portfolioFills', bind, [last.at, last.id]),
    })
  },
})

const isFill = (entry: LedgerEntry): entry is FillEntry => entry.kind === 'fill'

const compare = (a: Pick<FillEntry, 'at' | 'id'>, [at, id]: z.infer<typeof Position>): number =>
  a.at - at || compareIds(a.id, id)

const fillRow = ({ id, kind: _, at, cash, size, ...same }: FillEntry, isWithdrawn: boolean): PortfolioFill => ({
  ...same,
  fillId: id.slice(id.indexOf(':') + 1),
  size,
  price: cash === null ? null : divideDecimals(cash, size, places, 'halfEven'),
  cash,
  isWithdrawn,
  filledAt: isoOf(at),
})
