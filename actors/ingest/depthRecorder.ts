// Full depth on its way to the tape: the changes of each commit, the whole book from time to time, and when the book becomes unknown.
//
// not recorded ─ shown ─► start ─► delta … same … snapshot … ─ stale ─► gap ─► not recorded
//
// Readers use `seq` to prove that they have every change; after any loss, the next `start` or `snapshot` starts over.
import type { LiveBook } from '#core/books/liveBook'
import type { DepthType } from '#schemas/topics'
import { unitsOf } from '#storage/clickhouse/columnBuffers'
import { ASK, BID, type BookSide } from '#venues/venue'
import type { TapeBuffer } from './recordBuffer.ts'

/** How often a quiet book is checked: it stays silent for at most twice as long. */
export const depthPollMs = 45_000
/** A book that changed as many levels as it has is rewritten whole after this … */
export const depthWholeMs = 60_000
/** … and every other one after this. */
export const depthWholeMaxMs = 10 * 60_000
/** Levels written whole per sweep; a book beyond the limit comes first in the next. */
const sweepLevelsMax = 5_000
/** Maximum levels touched between two commits; with more, the book is written whole. */
const touchedMax = 256

let heldPrices = new Int32Array(1_024)
let heldSizes = new Float64Array(1_024)
let newPrices = new Int32Array(1_024)
let newSizes = new Float64Array(1_024)

function growBuffers(levels: number): void {
  if (levels <= heldPrices.length) return
  const length = levels * 2
  heldPrices = new Int32Array(length)
  heldSizes = new Float64Array(length)
  newPrices = new Int32Array(length)
  newSizes = new Float64Array(length)
}

export interface DepthTapeOptions {
  tape: TapeBuffer
  /** Epoch ms. */
  now(): number
}

/** Of one venue. */
export class DepthTape {
  private readonly options: DepthTapeOptions
  private lastAt = 0
  /** Kept for released books: a reopened book continues counting from there. */
  private highestSeq = 0
  /** The next book to check comes first. */
  private readonly books = new Set<BookDepth>()

  constructor(options: DepthTapeOptions) {
    this.options = options
  }

  open(bookId: string): BookDepth {
    return new BookDepth(this, bookId, this.highestSeq)
  }

  close(book: BookDepth): void {
    this.books.delete(book)
    this.highestSeq = Math.max(this.highestSeq, book.seq)
  }

  /** Never decreases: rows are read in this order. */
  at(recvTs: number): number {
    if (recvTs > this.lastAt) this.lastAt = recvTs
    return this.lastAt
  }

  now(): number {
    return this.at(this.options.now())
  }

  /** It is checked again after all other books. */
  markChecked(book: BookDepth): void {
    this.books.delete(book)
    this.books.add(book)
  }

  forget(book: BookDepth): void {
    this.books.delete(book)
  }

  hasCapacity(): boolean {
    return this.options.tape.hasCapacity
  }

  push(bookId: string, row: Parameters<TapeBuffer['depth']>[1]): boolean {
    return this.options.tape.depth(bookId, row)
  }

  /** Called once a second. */
  sweep(): void {
    const now = this.now()
    let levelsLeft = sweepLevelsMax
    for (const book of this.books) {
      if (now - book.checkedAt < depthPollMs || levelsLeft <= 0) break
      levelsLeft -= book.check(now)
    }
  }
}

/** Of one book. */
export class BookDepth {
  seq: number
  checkedAt = 0
  private readonly venue: DepthTape
  private readonly bookId: string
  private book: LiveBook | null = null
  private isTaped = false
  /** A snapshot is compared with what was recorded, or recorded whole. */
  private held = 0
  private heldBids = 0
  private isWhole = false
  /** Touched since the last commit: prices (asks as −1 − price) and the sizes before. */
  private readonly keys: number[] = []
  private readonly before: number[] = []
  private changed = 0
  private wholeAt = 0
  private recordedAt = 0

  constructor(venue: DepthTape, bookId: string, seq: number) {
    this.venue = venue
    this.bookId = bookId
    this.seq = seq
  }

  /** Call before a level is written. */
  touch(book: LiveBook, side: BookSide, priceMicros: number): void {
    if (!this.isTaped || this.isWhole) return
    if (this.keys.length >= touchedMax) {
      this.isWhole = true
      return
    }
    this.keys.push(side === BID ? priceMicros : -1 - priceMicros)
    this.before.push(book.sizeAt(side, priceMicros))
  }

  /** Call before a snapshot replaces the book it is compared with. */
  hold(book: LiveBook): void {
    this.held = 0
    if (!this.isTaped) return
    // The book contains writes that were not recorded.
    if (this.keys.length > 0) this.isWhole = true
    if (this.isWhole) return
    growBuffers(book.count(BID) + book.count(ASK))
    this.heldBids = book.copyLevels(BID, heldPrices.length, heldPrices, heldSizes)
    this.held = this.heldBids + book.copyLevels(ASK, heldPrices.length, heldPrices, heldSizes, this.heldBids)
  }

  /** Readers have a new state of the book. `isSnapshot`: `hold` was called before. */
  record(book: LiveBook, recvTs: number, isSnapshot: boolean): void {
    const at = this.venue.at(recvTs)
    if (!this.isTaped) {
      // When the tape is full, nothing is computed.
      if (this.venue.hasCapacity()) this.start(book, at)
    } else if (this.isWhole) this.whole(book, 'snapshot', at, book.timestamp)
    else if (isSnapshot) this.compared(book, at)
    else this.touched(book, at)
  }

  stale(): void {
    if (!this.isTaped) return
    this.leave()
    const at = this.venue.now()
    this.write('gap', at, at, [], [], 0)
  }

  /** Checks the book when it is due. Returns how many levels were written. */
  check(now: number): number {
    const { book } = this
    this.checkedAt = now
    this.venue.markChecked(this)
    if (book === null || !book.shown) return 0
    const levels = book.count(BID) + book.count(ASK)
    const sinceWhole = now - this.wholeAt
    // Writes awaiting their commit must not be recorded before it.
    const isSettled = this.keys.length === 0 && !this.isWhole
    const isDue = sinceWhole >= depthWholeMaxMs || (sinceWhole >= depthWholeMs && this.changed >= levels)
    if (isDue && isSettled) return this.whole(book, 'snapshot', now, book.timestamp)
    if (now - this.recordedAt >= depthPollMs) this.write('same', now, book.timestamp, [], [], 0)
    return 0
  }

  private start(book: LiveBook, at: number): void {
    this.book = book
    this.isTaped = true
    this.checkedAt = at
    this.venue.markChecked(this)
    this.whole(book, 'start', at, book.timestamp)
  }

  private whole(book: LiveBook, type: 'start' | 'snapshot', at: number, ts: number): number {
    this.clear()
    this.wholeAt = at
    growBuffers(book.count(BID) + book.count(ASK))
    const bids = book.copyLevels(BID, newPrices.length, newPrices, newSizes)
    const count = bids + book.copyLevels(ASK, newPrices.length, newPrices, newSizes, bids)
    this.write(type, at, ts, [...newPrices.subarray(0, count)], [...newSizes.subarray(0, count)], bids)
    return count
  }

  private touched(book: LiveBook, at: number): void {
    const { keys, before } = this
    const micros: number[] = []
    const sizes: number[] = []
    let bids = 0
    for (const side of [BID, ASK] as const) {
      for (let i = 0; i < keys.length; i++) {
        const key = keys[i]!
        if (side === BID ? key < 0 : key >= 0) continue
        const price = side === BID ? key : -1 - key
        const size = book.sizeAt(side, price)
        // The published size is the one before the first of its writes.
        if (isSame(size, before[i]!) || keys.indexOf(key) < i) continue
        micros.push(price)
        sizes.push(size)
      }
      if (side === BID) bids = micros.length
    }
    keys.length = 0
    before.length = 0
    if (micros.length > 0) this.write('delta', at, book.timestamp, micros, sizes, bids)
  }

  /** Levels that the snapshot added and removed: both sides best first, from the old state to the new. */
  private compared(book: LiveBook, at: number): void {
    growNewBuffers(book.count(BID) + book.count(ASK))
    const newBids = book.copyLevels(BID, newPrices.length, newPrices, newSizes)
    const count = newBids + book.copyLevels(ASK, newPrices.length, newPrices, newSizes, newBids)
    const micros: number[] = []
    const sizes: number[] = []
    difference(0, this.heldBids, 0, newBids, -1, micros, sizes)
    const bids = micros.length
    difference(this.heldBids, this.held, newBids, count, 1, micros, sizes)
    if (micros.length > 0) this.write('delta', at, book.timestamp, micros, sizes, bids)
  }

  private write(type: DepthType, recvTs: number, ts: number, micros: number[], sizes: number[], bids: number): void {
    this.seq += 1
    this.recordedAt = recvTs
    this.changed = type === 'delta' ? this.changed + micros.length : type === 'same' ? this.changed : 0
    if (this.venue.push(this.bookId, { type, ts, recvTs, seq: this.seq, micros, sizes, bids })) return
    // Lost: what follows would be applied to another book.
    if (type === 'start') this.leave()
    else this.stale()
  }

  private leave(): void {
    this.isTaped = false
    this.venue.forget(this)
    this.clear()
  }

  private clear(): void {
    this.keys.length = 0
    this.before.length = 0
    this.isWhole = false
  }
}

/** At the tape's precision for sizes. */
const isSame = (a: number, b: number): boolean => a === b || unitsOf(a) === unitsOf(b)

/** The held levels stay. */
function growNewBuffers(levels: number): void {
  if (levels <= newPrices.length) return
  newPrices = new Int32Array(levels * 2)
  newSizes = new Float64Array(levels * 2)
}

/** One side, both inputs sorted; `order` −1 when prices fall. */
function difference(
  held: number,
  heldEnd: number,
  fresh: number,
  freshEnd: number,
  order: -1 | 1,
  micros: number[],
  sizes: number[],
): void {
  let a = held
  let b = fresh
  while (a < heldEnd || b < freshEnd) {
    const before = a < heldEnd ? heldPrices[a]! * order : Number.POSITIVE_INFINITY
    const now = b < freshEnd ? newPrices[b]! * order : Number.POSITIVE_INFINITY
    if (before < now) {
      micros.push(heldPrices[a++]!)
      sizes.push(0)
      continue
    }
    if (now < before || !isSame(heldSizes[a]!, newSizes[b]!)) {
      micros.push(newPrices[b]!)
      sizes.push(newSizes[b]!)
    }
    if (now === before) a++
    b++
  }
}
