// The live book of one venue market: whether it can be trusted, what was last published, and the bytes readers get.

import { ONE } from '#core/price'
import type { StaleReason } from '#schemas/staleReason'
import type { BookUpdate } from '#schemas/topics'
import type { BookSide, BookWriter } from '#venues/venue'
import type { Book } from './book.ts'
import { acquireBook, releaseBook } from './bookPool.ts'
import { conflationMs } from './conflation.ts'
import { emptyCore, encodeCore } from './encode.ts'
import { ASK, BID, noPrice } from './levelStore.ts'

/**
 * `awaiting`: no snapshot yet. `live`: the newest known state. `stale`: must not be treated as fresh until the next snapshot.
 */
export type LiveBookState = 'awaiting' | 'live' | 'stale'

/** `older`: a snapshot from before the current state. `crossed`: not published; the book is now stale. `ignored`: nothing to publish on. */
export type CommitResult = 'published' | 'older' | 'crossed' | 'ignored'

/** Best of both sides. The same object for the life of the book: read it, do not retain it. */
export interface BookTop {
  bidMicros: number | null
  bidSize: number
  askMicros: number | null
  askSize: number
}

export interface LiveBookOptions {
  venue: string
  /** Stream market id. */
  marketId: string
  /** The venue's price step when known. */
  tickMicros: number | null
  /** There is something new to publish. Called once, then not again until `core()` or `update()` took it. */
  onDirty(book: LiveBook): void
  /** The book detected that it cannot be trusted (`crossed`): fetch a fresh snapshot. Not called for `markStale` from outside. */
  onBroken?(book: LiveBook, reason: StaleReason): void
}

/**
 * A stale book also refuses older snapshots, since they would lack what was already seen. But a venue that keeps sending older times for
 * this long has turned its clock back, and refusing any longer would leave the book stale forever.
 */
export const repeatedOlderMs = 30_000

/** A live book that gets only older times for this long no longer follows its venue: the venue's clock was turned back. */
export const outOfOrderToleranceMs = 5_000

/**
 * Maximum clock skew, ms: an event time further ahead of its receipt is treated as unknown. Otherwise it would refuse every later snapshot
 * until that time came, with the book live all the while.
 */
export const aheadMaxMs = 2_000

export class LiveBook implements BookWriter {
  readonly venue: string
  readonly marketId: string
  readonly tickMicros: number | null
  state: LiveBookState = 'awaiting'
  /** Null unless stale. */
  staleReason: StaleReason | null = null
  /** Why the book is shown as stale although it follows its feed; null: shown as it is. */
  withheld: StaleReason | null = null
  /** Increases by one with each publication, that is with each `onDirty`. */
  seq = 0
  /** Receive time of the newest published bytes, epoch ms; 0 before. */
  recvTs = 0
  /** The timestamp of published frames: event time, else receive time; never decreases. */
  timestamp = 0
  lastTradeMicros: number | null = null
  /** Time of that trade on the venue's clock, epoch ms; null when the venue gives none. */
  lastTradeTs: number | null = null
  /** How often the book stopped being live, or passed through states too far apart to be published as one. */
  breaks = 0
  /** Books committed since this one was opened, published or not. */
  commitCount = 0
  /** Increases only when the best price or size of either side changes. */
  topVersion = 0
  /** When something other than its own messages last proved the book, epoch ms; 0: never. */
  provenAt = 0
  /** Delay of the newest bytes, ms: they prove the book as of that much before their receipt. */
  lateMs = 0
  /** Readers keep the last published book: what was written since the last commit contradicts the venue. */
  isHeld = false
  /** How often it has been held. */
  holds = 0
  /** Seq of the update that readers have; 0 before the first. */
  publishedSeq = 0
  /** Snapshots refused because the current state is newer. */
  olderDropped = 0
  /** Writes refused because the price or size was malformed. */
  malformed = 0

  private readonly onDirty: (book: LiveBook) => void
  private readonly onBroken: ((book: LiveBook, reason: StaleReason) => void) | undefined
  /** Null before the first snapshot: thousands of books may be requested at once, and a price grid takes time to allocate. */
  private book: Book | null = null
  /** A snapshot being written. It replaces `book` at commit or is discarded: never merged. */
  private incoming: Book | null = null
  /** The target of writes; null while there is nothing a delta could apply to. */
  private target: Book | null = null
  private dirty = false
  /** Of the first unpublished change: its time, and the best of both sides at that time. */
  private untoldSince = 0
  private untoldTop = 0
  private encoded: Buffer | null = null
  /** What `core()` returns while the book is stale or held. */
  private lastCore: Buffer | null = null
  /** The last core was encoded after the book became live. */
  private isCoreLive = false
  /** The newest venue time in the current state, even if a later commit came without one; NaN before any. A plain double avoids boxing per commit. */
  private newestEventTs = Number.NaN
  /** The same as readers see it: null while the last commit has no time. */
  private lastEventTs: number | null = null
  /** Receipt of the first older message, if nothing was accepted since; NaN otherwise. */
  private olderSince = Number.NaN
  /** Prices of `best`, beyond every price when a side is empty. Writes behind them cannot change the best of the book. */
  private bestBid: number = noPrice
  private bestAsk: number = ONE + 1
  /**
   * False only while the book is live, no snapshot is being written, and nothing was written at or before the best since it was recorded.
   */
  private topTouched = true
  private readonly best: BookTop = { bidMicros: null, bidSize: 0, askMicros: null, askSize: 0 }

  constructor({ venue, marketId, tickMicros, onDirty, onBroken }: LiveBookOptions) {
    this.venue = venue
    this.marketId = marketId
    this.tickMicros = tickMicros
    this.onDirty = onDirty
    this.onBroken = onBroken
  }

  /** Venue time of the last publication, epoch ms; null when the venue gave none. */
  get eventTs(): number | null {
    return this.lastEventTs
  }

  get synced(): boolean {
    return this.state === 'live'
  }

  /** Live and not withheld from readers. */
  get shown(): boolean {
    return this.state === 'live' && this.withheld === null
  }

  /** After the next snapshot the book follows its feed again, but readers see only `reason` until `release`. */
  withhold(reason: StaleReason): void {
    if (this.withheld !== null) return
    this.withheld = reason
    // Readers still waiting for the book get the reason.
    if (this.state === 'awaiting' && !this.dirty) this.markDirty()
  }

  /** Shows readers the book as it now is. */
  release(): void {
    if (this.withheld === null) return
    this.withheld = null
    if (this.state === 'live' && !this.dirty) this.markDirty()
  }

  /**
   * False for an event from before the current state. An adapter of a venue without sequence numbers calls this before it applies a delta.
   */
  accepts(eventTs: number | null): boolean {
    return eventTs === null || !(eventTs < this.newestEventTs)
  }

  /** Records that a change was not applied because `accepts` returned false. */
  refused(recvTs: number): void {
    this.olderDropped++
    this.insisted(recvTs)
    this.breakIfTurnedBack(recvTs)
  }

  beginSnapshot(): void {
    this.releaseIncoming()
    this.incoming = acquireBook(this.tickMicros)
    this.target = this.incoming
    this.topTouched = true
  }

  /** Drops a snapshot that turned out unreadable halfway. */
  abandonSnapshot(): void {
    this.releaseIncoming()
    this.target = this.state === 'live' ? this.book : null
  }

  /** False when refused as malformed. A write to a stale book is ignored. */
  set(side: BookSide, priceMicros: number, size: number): boolean {
    const target = this.target
    if (target === null) return true
    if (side === BID ? !(priceMicros < this.bestBid) : !(priceMicros > this.bestAsk)) this.topTouched = true
    if (target.set(side, priceMicros, size)) return true
    this.malformed++
    return false
  }

  /** The level's new total; 0 when the book is stale, NaN when refused as malformed. */
  add(side: BookSide, priceMicros: number, delta: number): number {
    const target = this.target
    if (target === null) return 0
    if (side === BID ? !(priceMicros < this.bestBid) : !(priceMicros > this.bestAsk)) this.topTouched = true
    const total = target.add(side, priceMicros, delta)
    if (Number.isNaN(total)) this.malformed++
    return total
  }

  /** Of everything written so far, committed or not. */
  bestBidMicros(): number | null {
    if (!this.topTouched) return this.best.bidMicros
    return this.target === null ? null : this.target.bestBidMicros()
  }

  bestAskMicros(): number | null {
    if (!this.topTouched) return this.best.askMicros
    return this.target === null ? null : this.target.bestAskMicros()
  }

  /** The newest trade. `ts`: its time on the venue's clock, epoch ms; null when the venue gives none. */
  traded(micros: number, ts: number | null): void {
    // The price of an already known trade, repeated without its time.
    if (ts === null && micros === this.lastTradeMicros) return
    this.lastTradeMicros = micros
    this.lastTradeTs = ts
  }

  commit(eventTs: number | null, recvTs: number): CommitResult {
    const incoming = this.incoming
    const book = incoming ?? (this.state === 'live' ? this.book : null)
    if (book === null) return 'ignored'
    // A plain double throughout, NaN for unknown: a union with null would be allocated.
    const known = eventTs !== null && eventTs >= 0 && eventTs <= recvTs + aheadMaxMs ? Math.trunc(eventTs) : NaN
    if (incoming !== null && known < this.newestEventTs && !this.insisted(recvTs)) {
      this.olderDropped++
      this.abandonSnapshot()
      this.breakIfTurnedBack(recvTs)
      return 'older'
    }
    this.olderSince = Number.NaN
    this.isHeld = false
    if (this.topTouched) {
      const bid = book.bestMicros(BID)
      const ask = book.bestMicros(ASK)
      if (ask !== noPrice && bid >= ask) return this.broken('crossed')
      if (incoming !== null) this.replace(incoming)
      this.noteTop(book, bid, ask)
    }
    if (known >= 0) {
      if (incoming !== null || !(known < this.newestEventTs)) {
        this.newestEventTs = known
        // If the number is unchanged, keep the one already boxed.
        this.lastEventTs = known === eventTs ? eventTs : known
      } else this.lastEventTs ??= this.newestEventTs
      if (known > this.timestamp) this.timestamp = known
    } else {
      if (recvTs > this.timestamp) this.timestamp = recvTs
      this.lastEventTs = null
    }
    if (recvTs > this.recvTs) this.recvTs = recvTs
    this.encoded = null
    this.commitCount++
    this.noteUntold()
    if (!this.dirty && this.withheld === null) this.markDirty()
    return 'published'
  }

  /**
   * Until the next commit readers keep the last published book, and writes are collected. False when no book was published yet. The
   * caller must mark the book stale soon, unless a commit comes first.
   */
  hold(): boolean {
    if (this.isHeld) return true
    if (!this.shown || !this.isCoreLive) return false
    this.isHeld = true
    this.holds++
    return true
  }

  /**
   * From here on nothing is applied to the book until the next snapshot, and `core()` stays the last one taken: the book itself may
   * already contain the very write that proved it wrong.
   */
  markStale(reason: StaleReason): void {
    this.releaseIncoming()
    this.target = null
    this.topTouched = true
    this.isHeld = false
    this.isCoreLive = false
    this.staleReason = reason
    this.breaks++
    // Readers already know that it is stale: a second reason is not published.
    const wasStale = this.state === 'stale' || this.withheld !== null
    this.withheld = null
    this.state = 'stale'
    if (wasStale) return
    if (!this.dirty) this.markDirty()
  }

  /** Best of both sides as last published; does not allocate. */
  top(): Readonly<BookTop> {
    return this.best
  }

  /** The newest published book without its closing brace. The same bytes until something new is committed. */
  core(): Buffer {
    this.dirty = false
    if (this.shown && this.book !== null && !this.isHeld) return this.encoded ?? this.encode(this.book)
    this.lastCore ??= emptyCore(this.timestamp)
    return this.lastCore
  }

  /** The update that ingest publishes. `epoch`: start time of the process, epoch ms. */
  update(epoch: number): BookUpdate {
    const core = this.core()
    const update: BookUpdate = {
      venue: this.venue,
      marketId: this.marketId,
      state: this.shown ? 'live' : 'stale',
      seq: this.seq,
      epoch,
      eventTs: this.eventTs,
      recvTs: this.recvTs,
      core,
      lastTradeMicros: this.lastTradeMicros,
      breaks: this.breaks,
      commits: this.commitCount,
    }
    if (this.lastTradeTs !== null) update.lastTradeTs = this.lastTradeTs
    if (this.provenAt > this.recvTs) update.provenAt = this.provenAt
    else if (this.lateMs > 0) update.provenAt = this.recvTs - this.lateMs
    if (update.state === 'stale') update.staleReason = this.withheld ?? this.staleReason ?? 'resync'
    return update
  }

  /** Size at a price, committed or not; 0 unless live. Ignores a snapshot being written. */
  sizeAt(side: BookSide, priceMicros: number): number {
    return this.state === 'live' && this.book !== null ? this.book.sizeAt(side, priceMicros) : 0
  }

  /** Number of published levels on the side; 0 unless live. */
  count(side: BookSide): number {
    return this.state === 'live' && this.book !== null ? this.book.count(side) : 0
  }

  /** Copies up to `max` levels, best first; returns how many, 0 unless live. Does not allocate. */
  copyLevels(side: BookSide, max: number, prices: Int32Array, sizes: Float64Array, offset = 0): number {
    return this.state === 'live' && this.book !== null ? this.book.copyLevels(side, max, prices, sizes, offset) : 0
  }

  private broken(reason: StaleReason): 'crossed' {
    this.markStale(reason)
    this.onBroken?.(this, reason)
    return 'crossed'
  }

  private encode(book: Book): Buffer {
    this.encoded = encodeCore(book, this.timestamp)
    this.lastCore = this.encoded
    this.isCoreLive = true
    return this.encoded
  }

  /** Replaces the old book entirely with the snapshot. */
  private replace(incoming: Book): void {
    this.incoming = null
    if (this.book !== null) releaseBook(this.book, this.tickMicros)
    this.book = incoming
    this.target = incoming
    this.state = 'live'
    this.staleReason = null
  }

  private markDirty(): void {
    this.dirty = true
    this.seq++
    this.onDirty(this)
  }

  private noteUntold(): void {
    if (this.dirty) {
      if (this.topVersion === this.untoldTop || this.timestamp - this.untoldSince <= conflationMs) return
      this.breaks++
    }
    this.untoldSince = this.timestamp
    this.untoldTop = this.topVersion
  }

  private noteTop(book: Book, bid: number, ask: number): void {
    const best = this.best
    const bidSize = book.bestSize(BID)
    const askSize = book.bestSize(ASK)
    const askEnd = ask === noPrice ? ONE + 1 : ask
    this.topTouched = false
    if (bid === this.bestBid && askEnd === this.bestAsk && bidSize === best.bidSize && askSize === best.askSize) return
    this.bestBid = bid
    this.bestAsk = askEnd
    best.bidMicros = bid === noPrice ? null : bid
    best.bidSize = bidSize
    best.askMicros = ask === noPrice ? null : ask
    best.askSize = askSize
    this.topVersion++
  }

  /** True once a book that is not live has been offered only older snapshots for `repeatedOlderMs`. */
  private insisted(recvTs: number): boolean {
    // If our own clock was set back, the book must not wait that much longer.
    if (!(this.olderSince <= recvTs)) this.olderSince = recvTs
    return this.state !== 'live' && recvTs - this.olderSince >= repeatedOlderMs
  }

  private breakIfTurnedBack(recvTs: number): void {
    if (this.state === 'live' && recvTs - this.olderSince >= outOfOrderToleranceMs) this.broken('clock_turned_back')
  }

  private releaseIncoming(): void {
    if (this.incoming !== null) releaseBook(this.incoming, this.tickMicros)
    this.incoming = null
  }
}
