// What a kind of replay gives to whoever writes its pages: the columns it asks the engine for, and lines of them.
import type { NativeShape, ReadBlock } from '#storage/clickhouse/nativeReader'
import type { ReplayKind, ReplayPosition, ReplayResolution } from '../tape.ts'
import type { Chunks } from './chunks.ts'

/** Plain data: it crosses a thread. */
export interface LinesJob {
  kind: ReplayKind
  /** Null: nothing is written, and only where the page ends is told. */
  format: 'ndjson' | 'csv' | null
  /** Rows of a page. One more says that the tape goes on, and all that share that one's key come with it. */
  limit: number
  /** Prices and sides as the other outcome of the market sees them. */
  mirrored: boolean
  venue: string
  /** Null: each row has its own. */
  outcomeId: string | null
  /** Of candles. */
  resolution: ReplayResolution | null
}

export interface RowWriter {
  columns: readonly NativeShape[]
  /** Rows from `from` up to and without `to`. */
  write(block: ReadBlock, from: number, to: number, chunks: Chunks): void
  positionOf(block: ReadBlock, row: number): ReplayPosition
}
