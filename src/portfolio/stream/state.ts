// What a subscriber of a portfolio has: its open positions and totals, as REST returns them, by key.
import type { PortfolioPosition, VenueTotals } from '#schemas/portfolio'

export interface PortfolioRows {
  /** Epoch ms. */
  asOf: number
  unavailable: readonly string[]
  /** The one changed last comes first. */
  positions: readonly PortfolioPosition[]
  summary: readonly VenueTotals[]
}

export interface PortfolioState {
  /** ISO. */
  asOf: string
  unavailable: readonly string[]
  positions: ReadonlyMap<string, Encoded<PortfolioPosition>>
  /** Keys of all positions, also of those left out. */
  held: ReadonlySet<string>
  summary: ReadonlyMap<string, Encoded<VenueTotals>>
  truncated: boolean
}

export interface Encoded<Row> {
  row: Row
  /** JSON: two states of a row are compared by it. */
  text: string
}

/** More than these are left out, those changed longest ago first. */
export const positionsMax = 1_000

export function stateOf({ asOf, unavailable, positions, summary }: PortfolioRows): PortfolioState {
  return {
    asOf: new Date(asOf).toISOString(),
    unavailable,
    positions: encoded(positions.slice(0, positionsMax), positionKey),
    held: new Set(positions.map(positionKey)),
    summary: encoded(summary, ({ venue, currency }) => JSON.stringify([venue, currency])),
    truncated: positions.length > positionsMax,
  }
}

const positionKey = ({ venue, marketId, outcomeId }: PortfolioPosition): string =>
  JSON.stringify([venue, marketId, outcomeId])

const encoded = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<string, Encoded<Row>> =>
  new Map(rows.map((row) => [keyOf(row), { row, text: JSON.stringify(row) }]))
