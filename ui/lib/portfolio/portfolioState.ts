// The account's open positions and totals from the frames of the stream's `portfolio` channel: a snapshot in parts, then changes. Pure: each
// step returns the next state.
import type { PortfolioPosition, VenueTotals } from '#schemas/portfolio'
import type { PortfolioData } from '#schemas/stream'

type Snapshot = Extract<PortfolioData, { kind: 'snapshot' }>
type Change = Extract<PortfolioData, { kind: 'change' }>

export interface PortfolioState {
  /** Of the last frame; null: there is no complete snapshot, or a frame was missed since. */
  seq: number | null
  /** When the portfolio was read, ISO; null: no snapshot was complete yet. */
  asOf: string | null
  /** Sources that did not answer. */
  unavailable: readonly string[]
  positions: ReadonlyMap<string, PortfolioPosition>
  summary: ReadonlyMap<string, VenueTotals>
  /** Older positions exist that the stream does not include. */
  truncated: boolean
  /** How many positions were closed since the first snapshot. */
  closed: number
  /** Of a snapshot that is not complete yet. */
  parts: readonly Snapshot[]
  /** A frame was missed: a new snapshot is needed. */
  missed: boolean
}

export const emptyPortfolio: PortfolioState = {
  seq: null,
  asOf: null,
  unavailable: [],
  positions: new Map(),
  summary: new Map(),
  truncated: false,
  closed: 0,
  parts: [],
  missed: false,
}

export const positionKey = ({
  venue,
  marketId,
  outcomeId,
}: Pick<PortfolioPosition, 'venue' | 'marketId' | 'outcomeId'>): string => JSON.stringify([venue, marketId, outcomeId])

export const totalsKey = ({ venue, currency }: Pick<VenueTotals, 'venue' | 'currency'>): string =>
  JSON.stringify([venue, currency])

export const applyPortfolio = (state: PortfolioState, data: PortfolioData): PortfolioState =>
  data.kind === 'snapshot' ? withPart(state, data) : withChange(state, data)

function withPart(state: PortfolioState, data: Snapshot): PortfolioState {
  const { i, n } = data.part
  const parts = i === 1 ? [data] : [...state.parts, data]
  if (i !== parts.length) return missed(state)
  if (i < n) return { ...state, parts, missed: false }
  const positions = new Map(parts.flatMap((part) => part.positions).map((row) => [positionKey(row), row]))
  const gone = [...state.positions.keys()].filter((key) => !positions.has(key))
  return {
    ...{ seq: data.seq, asOf: data.asOf, unavailable: data.unavailable, truncated: data.truncated, positions },
    summary: new Map(parts.flatMap((part) => part.summary).map((row) => [totalsKey(row), row])),
    closed: state.closed + gone.length,
    parts: [],
    missed: false,
  }
}

function withChange(state: PortfolioState, data: Change): PortfolioState {
  if (state.seq === null || data.seq !== state.seq + 1) return missed(state)
  const positions = new Map(state.positions)
  for (const row of data.removed) positions.delete(positionKey(row))
  for (const row of data.positions) positions.set(positionKey(row), row)
  const summary = new Map(state.summary)
  for (const row of data.removedSummary) summary.delete(totalsKey(row))
  for (const row of data.summary) summary.set(totalsKey(row), row)
  return {
    ...state,
    ...{ seq: data.seq, asOf: data.asOf, unavailable: data.unavailable, positions, summary },
    closed: state.closed + data.removed.length,
  }
}

const missed = (state: PortfolioState): PortfolioState => ({ ...state, seq: null, parts: [], missed: true })

/** What the open positions of the page are taken from. `read`: they are read over HTTP, because the stream does not have them all. */
export type PositionSource = 'waiting' | 'stream' | 'read'

export function sourceOf(
  { seq, truncated }: Pick<PortfolioState, 'seq' | 'truncated'>,
  staleBecause: string | null,
): PositionSource {
  if (seq !== null) return truncated ? 'read' : 'stream'
  return staleBecause === null ? 'waiting' : 'read'
}
