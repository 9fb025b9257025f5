// Shared by the portfolio routes: the caller, filters, what accompanies every answer, and tables in the requested format.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { isOpenPosition } from '#schemas/openPosition'
import { type PortfolioPosition, type portfolioFields, type portfolioFormats, provenances } from '#schemas/portfolio'
import { withoutVenue } from '#schemas/venues'
import type { Media, RouteAnswer, RouteInput } from '#server/http/defineRoute'
import { TradedVenue } from '#server/http/venueName'
import type { JournalView, MarkedPosition, PortfolioDeps } from '../ports.ts'
import { isUnclaimed } from '../statements/totals.ts'
import type { Column } from '../tables/columns.ts'
import { csvOf } from '../tables/csv.ts'
import { parquetOf } from '../tables/parquet.ts'

export const tag = 'portfolio'
export const access = { scope: 'trade', credits: 1, anywhere: true } as const

export const accountOf = ({ principal }: Pick<RouteInput, 'principal'>): string => principal!.accountId

export const marketFilter = {
  venue: TradedVenue.optional(),
  marketId: z.string().min(1).optional().describe('needs venue'),
}

export interface MarketFilter {
  venue?: string | undefined
  marketId?: string | undefined
}

/** The filter with the market's own id. Throws VALIDATION_ERROR. */
export function readFilter({ venue, marketId }: MarketFilter): MarketFilter {
  if (marketId === undefined) return { venue }
  if (venue === undefined) throw new Fault('VALIDATION_ERROR', 'marketId: needs venue')
  return { venue, marketId: withoutVenue(venue, marketId) }
}

export const isWanted = (of: { venue: string; marketId: string }, { venue, marketId }: MarketFilter): boolean =>
  (venue === undefined || of.venue === venue) && (marketId === undefined || of.marketId === marketId)

/** A market in which nothing was found must exist. Throws MARKET_NOT_FOUND, and returns what did not answer. */
export async function checkMarket(
  { catalog }: Pick<PortfolioDeps, 'catalog'>,
  { venue, marketId }: MarketFilter,
): Promise<string[]> {
  if (venue === undefined || marketId === undefined) return []
  try {
    if ((await catalog.findMarket(venue, marketId)) !== null) return []
  } catch (error) {
    if (error instanceof Fault && error.code === 'CATALOG_UNAVAILABLE') return ['catalog']
    throw error
  }
  throw new Fault('MARKET_NOT_FOUND', 'no such market', { exchange: venue })
}

/** Listed of a gap; all are counted. */
const listedMax = 100

export function fieldsOf(view: JournalView, alsoUnavailable: readonly string[] = []) {
  const kinds = new Set(view.entries.map(({ provenance }) => provenance))
  return {
    asOf: isoOf(view.asOf),
    provenance: { source: 'journal' as const, entries: provenances.filter((kind) => kinds.has(kind)) },
    unavailable: [...new Set([...view.unavailable, ...alsoUnavailable])],
    gaps: {
      unexplained: {
        total: view.unexplained.length,
        orders: view.unexplained.slice(0, listedMax).map(({ executionId, venue, marketId, outcomeId, size }) => ({
          ...{ executionId, venue, marketId, outcomeId, size },
        })),
      },
      unreadable: { total: view.unreadable.length, fills: view.unreadable.slice(0, listedMax) },
      exchanges: {
        total: view.unreadableExchanges.length,
        executions: view.unreadableExchanges.slice(0, listedMax),
      },
    },
  } satisfies { [Name in keyof typeof portfolioFields]: unknown }
}

export const isoOf = (ms: number): string => new Date(ms).toISOString()

type Format = (typeof portfolioFormats)[number]

export const contentTypes = {
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
} as const

export const tableMedia = (rows: string): Record<string, Media> => ({
  'text/csv': { words: `A header line, then ${rows}` },
  [contentTypes.parquet]: { binary: true, words: `${rows}; decimals are texts` },
})

export const tableHeaders = {
  'X-As-Of': 'For csv and parquet: as `asOf`',
  'X-Provenance': 'For csv and parquet: as `provenance.entries`, separated by commas',
  'X-Unavailable': 'For csv and parquet: as `unavailable`, separated by commas; absent: none',
  'X-Unexplained-Orders': 'For csv and parquet: as `gaps.unexplained.total`',
  'X-Unreadable-Fills': 'For csv and parquet: as `gaps.unreadable.total`',
  'X-Unreadable-Exchanges': 'For csv and parquet: as `gaps.exchanges.total`',
  'X-Next-Cursor': 'For csv and parquet; absent: exhausted',
}

export interface Table<Row> {
  format: Format
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  fields: ReturnType<typeof fieldsOf>
  nextCursor: string | null
}

export function tableAnswer<Row>({ format, rows, columns, fields, nextCursor }: Table<Row>): RouteAnswer {
  const next = nextCursor === null ? {} : { nextCursor }
  if (format === 'json') return { data: rows, siblings: { ...fields, ...next } }
  const headers = {
    ...rawHeaders(fields),
    ...(nextCursor !== null && { 'x-next-cursor': nextCursor }),
  }
  const body = format === 'csv' ? csvOf(columns, rows) : parquetOf(columns, rows)
  return { raw: { contentType: contentTypes[format], body }, headers }
}

export const rawHeaders = ({ asOf, provenance, unavailable, gaps }: ReturnType<typeof fieldsOf>) => ({
  'x-as-of': asOf,
  'x-provenance': provenance.entries.join(','),
  ...(unavailable.length > 0 && { 'x-unavailable': unavailable.join(',') }),
  'x-unexplained-orders': String(gaps.unexplained.total),
  'x-unreadable-fills': String(gaps.unreadable.total),
  'x-unreadable-exchanges': String(gaps.exchanges.total),
})

/** Held, or worth a payout that is not collected. */
export const isHeld = (position: MarkedPosition): boolean => isOpenPosition(position) || isUnclaimed(position)

export function positionRow(position: MarkedPosition, { settlementTimes }: JournalView): PortfolioPosition {
  const { settlement, openedAt, updatedAt, ...same } = position
  const time = settlementTimes.find(({ venue, marketId }) => venue === position.venue && marketId === position.marketId)
  return {
    ...same,
    settlement: settlement && {
      ...settlement,
      at: time === undefined ? null : isoOf(time.at),
      timeSource: time?.source ?? null,
    },
    openedAt: openedAt === null ? null : isoOf(openedAt),
    updatedAt: isoOf(updatedAt),
  }
}
