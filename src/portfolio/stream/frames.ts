// Frames of the stream's `portfolio` channel. Encoded once for all subscribers of an account, except for the number.
import type { PortfolioData, PortfolioSnapshotReason } from '#schemas/stream'
import type { PortfolioChange } from './difference.ts'
import type { PortfolioState } from './state.ts'

/** A frame without its `seq`, which counts per subscription. */
export type NumberedFrame = (seq: number) => Buffer

/** Per frame: some 100 KB. */
const rowsPerFrame = 100

type Snapshot = Extract<PortfolioData, { kind: 'snapshot' }>
type Change = Extract<PortfolioData, { kind: 'change' }>

/** In parts, which share a number; an account without positions gets one. */
export function snapshotFrames(
  { asOf, unavailable, positions, summary, truncated }: PortfolioState,
  { reason, ts }: { reason: PortfolioSnapshotReason; ts: number },
): NumberedFrame[] {
  const parts = inParts([...positions.values()].map(({ row }) => row))
  const totals = [...summary.values()].map(({ row }) => row)
  return parts.map((rows, i) =>
    numbered<Snapshot>(
      {
        kind: 'snapshot',
        reason,
        asOf,
        unavailable: [...unavailable],
        positions: rows,
        summary: i === 0 ? totals : [],
        truncated,
        part: { i: i + 1, n: parts.length },
      },
      ts,
    ),
  )
}

/** A large change becomes several, each with a number of its own. */
export function changeFrames(change: PortfolioChange, ts: number): NumberedFrame[] {
  return inParts(change.positions).map((positions, i) => {
    const rest = i === 0 ? change : { ...change, removed: [], summary: [], removedSummary: [] }
    return numbered<Change>({ kind: 'change', ...rest, positions }, ts)
  })
}

/** One at least. */
const inParts = <Row>(rows: readonly Row[]): Row[][] =>
  Array.from({ length: Math.max(1, Math.ceil(rows.length / rowsPerFrame)) }, (_, i) =>
    rows.slice(i * rowsPerFrame, (i + 1) * rowsPerFrame),
  )

function numbered<Data extends PortfolioData>(data: Omit<Data, 'seq'>, ts: number): NumberedFrame {
  const fields = JSON.stringify(data).slice(1)
  return (seq) => Buffer.from(`{"type":"portfolio","ts":${ts},"data":{"seq":${seq},${fields}}`)
}
