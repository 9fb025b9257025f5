// A book rebuilt from the tape's full depth. It is known from a full snapshot onward, as long as no sequence number is missing and no gap is
// reported. An unknown book shows nothing.
import { type Book, createBook } from '#core/books/book'
import { ONE } from '#core/price'
import type { DepthType } from '#schemas/topics'
import { ASK, BID } from '#venues/venue'

/** A followed book has an event at least this often; after longer silence it is unknown. */
export const depthStaleMs = 120_000

/** A replay line of kind `l2`. */
export interface DepthLine {
  /** Event time, epoch ms. */
  ts: number
  type: DepthType
  /** Null with `price` and `size`: the change has a type only. */
  side: 'bid' | 'ask' | null
  price: number | null
  size: number | null
  recvTs: number
  seq: number
  epoch: number
}

/** Lines of one change. */
export type DepthChange = readonly [DepthLine, ...DepthLine[]]

/** In tape order. */
export function* changesOf(lines: Iterable<DepthLine>): Generator<DepthChange> {
  let change: [DepthLine, ...DepthLine[]] | null = null
  for (const line of lines) {
    const head: DepthLine | undefined = change?.[0]
    if (change !== null && head!.recvTs === line.recvTs && head!.epoch === line.epoch && head!.seq === line.seq) {
      change.push(line)
      continue
    }
    if (change !== null) yield change
    change = [line]
  }
  if (change !== null) yield change
}

export interface RecordedDepth {
  /** The book is known and has changed. */
  isNew: boolean
  /**
   * Since when the book has been unknown although no gap was reported, epoch ms; null if it was known or a gap was
   * reported.
   */
  unknownSince: number | null
  /** Since when full depth was not recorded before this change, epoch ms: a reported gap or a long silence. Null: it was. */
  absentSince: number | null
}

const nothing: RecordedDepth = { isNew: false, unknownSince: null, absentSince: null }

export class DepthBook {
  readonly book: Book = createBook(null)
  /** Of the newest change, epoch ms. */
  ts = 0
  recvTs = 0
  private isKnown = false
  private epoch = -1
  private seq = -1
  private lostAt: number | null = null
  /** When a gap was reported that lasts, epoch ms. */
  private gapAt: number | null = null

  isKnownAt(atMs: number): boolean {
    return this.isKnown && atMs - this.recvTs <= depthStaleMs
  }

  /** Since when full depth has not been recorded, as of `atMs`; null: it is. */
  absentAt(atMs: number): number | null {
    return this.gapAt ?? (atMs - this.recvTs > depthStaleMs ? this.recvTs : null)
  }

  take(change: DepthChange): RecordedDepth {
    const [{ type, epoch, seq, ts, recvTs }] = change
    // From an owner that had lost the venue, or a duplicate.
    if (epoch < this.epoch || (epoch === this.epoch && seq <= this.seq)) return nothing
    const follows = epoch === this.epoch && seq === this.seq + 1
    const before = this.recvTs
    const isSilent = this.isKnown && recvTs - before > depthStaleMs
    this.epoch = epoch
    this.seq = seq
    this.recvTs = recvTs
    if (type === 'gap') {
      this.isKnown = false
      this.lostAt = null
      this.gapAt ??= recvTs
      return nothing
    }
    if (this.isKnown && !follows) {
      this.isKnown = false
      this.lostAt = before
    }
    const wasKnown = this.isKnown
    if (type === 'start' || type === 'snapshot') {
      this.book.clear()
      this.isKnown = true
    }
    if (!this.isKnown) return nothing
    this.ts = ts
    for (const { side, price, size } of change)
      if (side !== null) this.book.set(side === 'bid' ? BID : ASK, Math.round(price! * ONE), size!)
    const unknownSince = isSilent ? before : this.lostAt
    const absentSince = isSilent ? before : this.gapAt
    this.lostAt = null
    this.gapAt = null
    return { isNew: type === 'delta' || !wasKnown || type === 'start', unknownSince, absentSince }
  }
}
