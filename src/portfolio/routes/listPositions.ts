// The account's positions over all venues, with what they are worth now.
import { z } from 'zod'
import { cursorBinding } from '#core/cursor'
import { NextCursor } from '#schemas/envelope'
import { PortfolioPosition, portfolioFields, portfolioFormats, positionStatuses } from '#schemas/portfolio'
import { defineRoute } from '#server/http/defineRoute'
import { clampedLimit } from '#server/http/queryNumbers'
import type { MarkedPosition, PortfolioRouteDeps } from '../ports.ts'
import { positionColumns } from '../tables/columns.ts'
import {
  access,
  accountOf,
  checkMarket,
  fieldsOf,
  isHeld,
  isWanted,
  marketFilter,
  positionRow,
  readFilter,
  tableAnswer,
  tableHeaders,
  tableMedia,
  tag,
} from './shapes.ts'

const limitDefault = 100
const limitMax = 500

/** The last row of the previous page. */
const Position = z.tuple([z.string(), z.string(), z.string()])
type Key = z.infer<typeof Position>

export const listPositions = defineRoute({
  operationId: 'listPositions',
  method: 'get',
  path: '/v1/portfolio/positions',
  access,
  heavy: true,
  summary: 'The account’s positions over all venues: cost, realized and unrealized PnL, and three marks',
  tag,
  query: z.object({
    ...marketFilter,
    status: z
      .enum(positionStatuses)
      .default('open')
      .describe('open: with shares, or with a payout that is not collected'),
    cursor: z.string().optional(),
    limit: clampedLimit(limitDefault, limitMax),
    format: z.enum(portfolioFormats).default('json'),
  }),
  data: z.array(PortfolioPosition),
  topLevelFields: { ...portfolioFields, nextCursor: NextCursor },
  media: tableMedia('one row per position'),
  headers: tableHeaders,
  errors: ['EXCHANGE_NOT_AVAILABLE', 'MARKET_NOT_FOUND', 'NOT_SUPPORTED', 'EXEC_UNAVAILABLE'],
  async handle(input, { portfolio }: PortfolioRouteDeps) {
    const { status, cursor, limit, format, ...given } = input.query
    const filter = readFilter(given)
    const accountId = accountOf(input)
    const bind = cursorBinding({ accountId, status, ...filter })
    const after = cursor === undefined ? null : Position.parse(portfolio.cursors.decode('positions', bind, cursor))
    const found = await portfolio.reader.read(accountId)
    const inMarket = found.positions.filter((position) => isWanted(position, filter))
    const missing = inMarket.length === 0 ? await checkMarket(portfolio, filter) : []
    // Sorted by venue, market and outcome, as the key is.
    const rest = inMarket.filter(
      (position) =>
        (status === 'all' || isHeld(position) === (status === 'open')) &&
        (after === null || isAfter(keyOf(position), after)),
    )
    const page = rest.slice(0, limit)
    return tableAnswer({
      format,
      rows: page.map((position) => positionRow(position, found)),
      columns: positionColumns,
      fields: fieldsOf(found, missing),
      nextCursor: rest.length > limit ? portfolio.cursors.encode('positions', bind, keyOf(page.at(-1)!)) : null,
    })
  },
})

const keyOf = ({ venue, marketId, outcomeId }: MarkedPosition): Key => [venue, marketId, outcomeId]

/** By code units, as the ledger sorts. */
function isAfter(key: Key, after: Key): boolean {
  for (const [i, part] of key.entries()) if (part !== after[i]) return part > after[i]!
  return false
}
