// One page: the engine's blocks in, lines out. It ends after the last row that shares its key with the one at the limit, and finds that without
// holding more than a block.
import { NativeReader, type ReadBlock } from '#storage/clickhouse/nativeReader'
import type { PageEnd, ReplayKind, ReplayPosition } from '../tape.ts'
import { Chunks } from './byteChunks.ts'
import { candlesWriter } from './candles.ts'
import { depthWriter } from './depth.ts'
import type { LinesJob, RowWriter } from './rowWriter.ts'
import { topOfBookWriter } from './topOfBook.ts'
import { tradesWriter } from './trades.ts'

const writerOf = {
  tob: topOfBookWriter,
  trades: tradesWriter,
  candles: candlesWriter,
  l2: depthWriter,
} as const satisfies Record<ReplayKind, (job: LinesJob) => RowWriter>

export class PageLines {
  private readonly writer: RowWriter
  private readonly reader: NativeReader
  private readonly chunks = new Chunks()
  private readonly isWritten: boolean
  private readonly limit: number
  private rows = 0
  private last: ReplayPosition | null = null
  /**
   * Whether the first row beyond the limit is tied with the page's last one and so belongs to it, with all ties that follow. Null: no
   * such row yet.
   */
  private isTied: boolean | null = null

  constructor(job: LinesJob) {
    this.writer = writerOf[job.kind](job)
    this.reader = new NativeReader(this.writer.columns)
    this.isWritten = job.format !== null
    this.limit = job.limit
  }

  /** Lines of the blocks completed so far. Throws `UnknownColumns` before the first line or never. */
  push(bytes: Uint8Array): Uint8Array<ArrayBuffer>[] {
    this.reader.push(bytes)
    for (let block = this.reader.next(); block !== null; block = this.reader.next()) this.add(block)
    return this.chunks.take()
  }

  end(): PageEnd {
    if (this.reader.open > 0) throw new Error('the tape broke off inside a block')
    return { rows: this.rows, last: this.last, more: this.isTied !== null }
  }

  private add(block: ReadBlock): void {
    // Tied rows may have exceeded it.
    const inside = Math.max(0, Math.min(block.rows, this.limit - this.rows))
    if (inside > 0) this.write(block, 0, inside)
    if (inside === block.rows) return
    this.isTied ??= isSame(this.last, this.writer.positionOf(block, inside))
    if (this.isTied) this.write(block, inside, block.rows)
  }

  private write(block: ReadBlock, from: number, to: number): void {
    if (this.isWritten) this.writer.write(block, from, to, this.chunks)
    this.rows += to - from
    this.last = this.writer.positionOf(block, to - 1)
  }
}

const isSame = (a: ReplayPosition | null, b: ReplayPosition): boolean => a !== null && a.ts === b.ts && a.tie === b.tie
