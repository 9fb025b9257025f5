// What changed between two states of a portfolio.
import type { PortfolioData } from '#schemas/stream'
import type { Encoded, PortfolioState } from './state.ts'

export type PortfolioChange = Omit<Extract<PortfolioData, { kind: 'change' }>, 'kind' | 'seq'>

/** No change leads from the one to the other: a position that is held is left out from now on, or all are shown again. */
export function isShownOtherwise(before: PortfolioState, after: PortfolioState): boolean {
  if (before.truncated !== after.truncated) return true
  return [...before.positions.keys()].some((key) => !after.positions.has(key) && after.held.has(key))
}

/** Null: nothing that is sent. */
export function changesBetween(before: PortfolioState, after: PortfolioState): PortfolioChange | null {
  const positions = changedRows(before.positions, after.positions)
  const removed = removedRows(before.positions, after.positions)
  const summary = changedRows(before.summary, after.summary)
  const removedSummary = removedRows(before.summary, after.summary)
  const isSame =
    [positions, removed, summary, removedSummary].every(({ length }) => length === 0) &&
    before.unavailable.join() === after.unavailable.join()
  if (isSame) return null
  return {
    asOf: after.asOf,
    unavailable: [...after.unavailable],
    positions,
    removed: removed.map(({ venue, marketId, outcomeId }) => ({ venue, marketId, outcomeId })),
    summary,
    removedSummary: removedSummary.map(({ venue, currency }) => ({ venue, currency })),
  }
}

type Rows<Row> = ReadonlyMap<string, Encoded<Row>>

const changedRows = <Row>(before: Rows<Row>, after: Rows<Row>): Row[] =>
  [...after].flatMap(([key, { row, text }]) => (before.get(key)?.text === text ? [] : [row]))

const removedRows = <Row>(before: Rows<Row>, after: Rows<Row>): Row[] =>
  [...before].flatMap(([key, { row }]) => (after.has(key) ? [] : [row]))
