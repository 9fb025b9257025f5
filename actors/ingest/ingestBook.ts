// A live book that also feeds the tape: every committed change of the top becomes a row, conflated or not on the wire.

import { type CommitResult, LiveBook, type LiveBookOptions } from '#core/books/liveBook'
import type { StaleReason } from '#schemas/staleReason'
import type { BookSide } from '#venues/venue'
import type { BookDepth } from './depthRecorder.ts'
import { type FeedLag, laggingReason } from './feedLatency.ts'
import type { TapeBuffer } from './recordBuffer.ts'
import { Unexplained } from './unexplained.ts'

/** How late the current write is, ms; and whether it comes from a connection that is not trusted. */
export type Lag = Pick<FeedLag, 'note' | 'isFrameDistrusted'>

export interface IngestBookOptions extends LiveBookOptions {
  tape: TapeBuffer
  /** Absent: full depth is not taped. */
  depth?: BookDepth | undefined
  /** The monotonic time of the last sweep, used as the time of events. */
  beat: Readonly<{ at: number }>
  /** Delay of its messages. */
  lag?: Lag | undefined
  /** The first complete book after opening or after having been stale. */
  onSynced(book: IngestBook): void
  /** It is complete but withheld: its connection has yet to prove that it is in time. */
  onWithheld?(book: IngestBook): void
}

/** The stale reason shown to readers of a disputed book. */
const mismatchReason = 'book_mismatch' satisfies StaleReason

export class IngestBook extends LiveBook {
  /**
   * When a message of its own or a comparison last proved the book, on the monotonic clock, at the resolution of the
   * sweep.
   */
  provenBeat = Number.NEGATIVE_INFINITY
  /** When it was last compared with the venue's own book, or replaced by it; resolution as for `provenBeat`. */
  comparedBeat = Number.NEGATIVE_INFINITY
  /** Number of snapshots applied. */
  snapshots = 0
  /** Number of changes that its feed sent, as levels or as whole books, since the start. */
  messages = 0
  /** Levels that a whole book showed to be different although no change of them came; only of books whose feed sends both. */
  readonly unexplained = new Unexplained()
  /**
   * Its feed was found silent while the venue's own books changed: a REST snapshot does not make it live before the feed has delivered
   * something for this book, or, when only its connection was found silent, anything at all.
   */
  awaits: 'message' | 'connection' | null = null
  /** It has differed from the venue's own book again after a resubscription: readers see it only once a comparison finds it equal. */
  isDisputed = false
  readonly depth: BookDepth | null
  private readonly tape: TapeBuffer
  private readonly beat: Readonly<{ at: number }>
  private readonly lag: Lag | undefined
  private isSnapshot = false
  private isRepeat = false
  private readonly onSynced: (book: IngestBook) => void
  private readonly onWithheld: ((book: IngestBook) => void) | undefined
  private tapedVersion = -1
  private wasSynced = false

  constructor(options: IngestBookOptions) {
    super(options)
    this.tape = options.tape
    this.depth = options.depth ?? null
    this.beat = options.beat
    this.lag = options.lag
    this.onSynced = options.onSynced
    this.onWithheld = options.onWithheld
  }

  override beginSnapshot(isRepeat = false): void {
    this.isSnapshot = true
    this.isRepeat = isRepeat
    super.beginSnapshot()
  }

  override abandonSnapshot(): void {
    this.isSnapshot = false
    super.abandonSnapshot()
  }

  override set(side: BookSide, priceMicros: number, size: number): boolean {
    if (!this.isSnapshot) this.touch(side, priceMicros)
    return super.set(side, priceMicros, size)
  }

  override add(side: BookSide, priceMicros: number, delta: number): number {
    if (!this.isSnapshot) this.touch(side, priceMicros)
    return super.add(side, priceMicros, delta)
  }

  private touch(side: BookSide, priceMicros: number): void {
    this.depth?.touch(this, side, priceMicros)
    this.unexplained.explain(side, priceMicros)
  }

  override refused(recvTs: number): void {
    this.alreadyContained()
    super.refused(recvTs)
  }

  alreadyContained(): void {
    this.messages++
    this.unexplained.clear()
  }

  override commit(eventTs: number | null, recvTs: number): CommitResult {
    const lateMs = this.lag?.note(eventTs, this.isSnapshot) ?? 0
    const { isSnapshot } = this
    this.isSnapshot = false
    const isDistrusted = this.lag?.isFrameDistrusted ?? null
    if (isSnapshot && isDistrusted === true && !this.synced) this.withhold(laggingReason)
    else if (isSnapshot && this.isDisputed && !this.synced) this.withhold(mismatchReason)
    // It comes from a different connection than the one it was withheld for.
    else if (isSnapshot && isDistrusted === false && !this.isDisputed) this.withheld = null
    if (isSnapshot) this.depth?.hold(this)
    // A held book is known to differ: a whole book repairs it.
    const isCompared = isSnapshot && this.isRepeat && this.synced && !this.isHeld
    if (isCompared) this.unexplained.hold(this)
    const result = super.commit(eventTs, recvTs)
    if (result !== 'published') return result
    if (isCompared) this.unexplained.compare(this, this.beat.at)
    else if (isSnapshot) this.unexplained.clear()
    if (!isSnapshot || !this.isRepeat) this.messages++
    if (isSnapshot) {
      this.awaits = null
      this.snapshots++
      // Whole books of a disputed one prove nothing: it is compared although they keep coming.
      if (!this.isDisputed) this.comparedBeat = this.beat.at
    }
    this.lateMs = lateMs
    // A late message proves the book as of when it happened, whatever comparison was made before it came.
    this.provenBeat = this.beat.at - lateMs
    if (this.shown) this.recordState(recvTs, isSnapshot)
    else if (isSnapshot) this.onWithheld?.(this)
    return result
  }

  override release(): void {
    if (this.withheld === null || this.isDisputed) return
    super.release()
    if (this.shown) this.recordState(this.recvTs, false)
  }

  /** Readers have a new state of the book, and so does the tape. */
  private recordState(recvTs: number, isSnapshot: boolean): void {
    this.depth?.record(this, recvTs, isSnapshot)
    if (this.topVersion !== this.tapedVersion) {
      this.tapedVersion = this.topVersion
      const { bidMicros, bidSize, askMicros, askSize } = this.top()
      this.tape.topOfBook({
        venue: this.venue,
        outcomeId: this.marketId,
        ts: this.timestamp,
        recvTs,
        bidMicros,
        bidSize,
        askMicros,
        askSize,
      })
    }
    if (!this.wasSynced) {
      this.wasSynced = true
      this.onSynced(this)
    }
  }

  override markStale(reason: StaleReason): void {
    this.wasSynced = false
    // The first row after a gap is written even if the top is unchanged, so that a reader of the tape sees where it
    // resumes.
    this.tapedVersion = -1
    this.depth?.stale()
    this.unexplained.clear()
    super.markStale(reason)
  }
}
