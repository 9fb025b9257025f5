// What a replay kind provides for encoding its pages: the columns to request from the engine, and their lines.
import type { NativeShape, ReadBlock } from '#storage/clickhouse/nativeReader'
import type { ReplayKind, ReplayPosition, ReplayResolution } from '../tape.ts'
import type { Chunks } from './byteChunks.ts'

/** Plain data: it crosses a thread. */
export interface LinesJob {
  kind: ReplayKind
  /** Null: writes nothing and only determines where the page ends. */
  format: 'ndjson' | 'csv' | null
  /** Rows of a page. One more shows that the tape continues; all rows that share its key come with it. */
  limit: number
  /** Prices and sides as seen from the market's other outcome. */
  mirrored: boolean
  venue: string
  /** Null: each row has its own. */
  outcomeId: string | null
  /** Of candles. */
  resolution: ReplayResolution | null
}

export interface RowWriter {
  columns: readonly NativeShape[]
  /** Rows from `from` up to but not including `to`. */
  write(block: ReadBlock, from: number, to: number, chunks: Chunks): void
  positionOf(block: ReadBlock, row: number): ReplayPosition
}
