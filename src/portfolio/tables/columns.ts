// Rows of the portfolio as tables: the columns of CSV and Parquet.
import type { PortfolioFill, PortfolioPosition } from '#schemas/portfolio'

/** `decimal`: exact, as text. `time`: ISO. */
export type ColumnType = 'text' | 'decimal' | 'boolean' | 'time'

export interface Column<Row> {
  name: string
  type: ColumnType
  of(row: Row): string | boolean | null
}

const text = <Row>(name: string, of: Column<Row>['of']): Column<Row> => ({ name, type: 'text', of })
const decimal = <Row>(name: string, of: Column<Row>['of']): Column<Row> => ({ name, type: 'decimal', of })
const time = <Row>(name: string, of: Column<Row>['of']): Column<Row> => ({ name, type: 'time', of })
const boolean = <Row>(name: string, of: Column<Row>['of']): Column<Row> => ({ name, type: 'boolean', of })

export const positionColumns: readonly Column<PortfolioPosition>[] = [
  text('venue', ({ venue }) => venue),
  text('marketId', ({ marketId }) => marketId),
  text('outcomeId', ({ outcomeId }) => outcomeId),
  text('market', ({ market }) => market),
  text('label', ({ label }) => label),
  text('marketStatus', ({ marketStatus }) => marketStatus),
  time('resolutionDate', ({ resolutionDate }) => resolutionDate),
  text('currency', ({ currency }) => currency),
  decimal('quantity', ({ quantity }) => quantity),
  decimal('costBasis', ({ costBasis }) => costBasis),
  decimal('averageCost', ({ averageCost }) => averageCost),
  decimal('costBasisFifo', ({ costBasisFifo }) => costBasisFifo),
  decimal('realizedPnl', ({ realizedPnl }) => realizedPnl),
  decimal('realizedPnlFifo', ({ realizedPnlFifo }) => realizedPnlFifo),
  decimal('fees', ({ fees }) => fees),
  decimal('bought', ({ bought }) => bought),
  decimal('sold', ({ sold }) => sold),
  decimal('settlementValue', ({ settlement }) => settlement?.value ?? null),
  decimal('unclaimed', ({ settlement }) => settlement?.unclaimed ?? null),
  decimal('paid', ({ settlement }) => settlement?.paid ?? null),
  time('settledAt', ({ settlement }) => settlement?.at ?? null),
  text('settledAtSource', ({ settlement }) => settlement?.timeSource ?? null),
  decimal('markMid', ({ marks }) => marks.mid),
  decimal('markBid', ({ marks }) => marks.bid),
  decimal('markLast', ({ marks }) => marks.last),
  decimal('valueMid', ({ value }) => value.mid),
  decimal('valueBid', ({ value }) => value.bid),
  decimal('valueLast', ({ value }) => value.last),
  decimal('valueSettlement', ({ value }) => value.settlement),
  decimal('unrealizedPnlMid', ({ unrealizedPnl }) => unrealizedPnl.mid),
  decimal('unrealizedPnlBid', ({ unrealizedPnl }) => unrealizedPnl.bid),
  decimal('unrealizedPnlLast', ({ unrealizedPnl }) => unrealizedPnl.last),
  time('openedAt', ({ openedAt }) => openedAt),
  time('updatedAt', ({ updatedAt }) => updatedAt),
]

export const fillColumns: readonly Column<PortfolioFill>[] = [
  text('fillId', ({ fillId }) => fillId),
  text('executionId', ({ executionId }) => executionId),
  text('venue', ({ venue }) => venue),
  text('marketId', ({ marketId }) => marketId),
  text('outcomeId', ({ outcomeId }) => outcomeId),
  text('side', ({ side }) => side),
  decimal('size', ({ size }) => size),
  decimal('price', ({ price }) => price),
  decimal('cash', ({ cash }) => cash),
  decimal('fee', ({ fee }) => fee),
  text('feeIn', ({ feeIn }) => feeIn),
  text('currency', ({ currency }) => currency),
  boolean('isWithdrawn', ({ isWithdrawn }) => isWithdrawn),
  text('provenance', ({ provenance }) => provenance),
  time('filledAt', ({ filledAt }) => filledAt),
]

/** A statement as one table. Of a total, `unknown` counts the entries whose fee or cost is not in it. */
export interface StatementRow {
  section: 'opening' | 'entry' | 'closing' | 'total'
  /** Of any section. */
  cells: Readonly<Record<string, string | boolean | null | undefined>>
}

const cell = (type: ColumnType, name: string): Column<StatementRow> => ({
  name,
  type,
  of: ({ cells }) => cells[name] ?? null,
})

export const statementColumns: readonly Column<StatementRow>[] = [
  text('section', ({ section }) => section),
  ...['venue', 'currency', 'id'].map((name) => cell('text', name)),
  cell('time', 'at'),
  ...['kind', 'marketId', 'outcomeId', 'side'].map((name) => cell('text', name)),
  ...['size', 'cash', 'fee'].map((name) => cell('decimal', name)),
  ...['feeIn', 'executionId', 'withdraws'].map((name) => cell('text', name)),
  cell('boolean', 'isWithdrawn'),
  cell('text', 'provenance'),
  ...['quantity', 'costBasis', 'averageCost', 'costBasisFifo', 'realizedPnl', 'realizedPnlFifo', 'fees'].map((name) =>
    cell('decimal', name),
  ),
  ...['bought', 'sold', 'cashFlow', 'deposits', 'unknown'].map((name) => cell('decimal', name)),
]
