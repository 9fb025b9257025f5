// A book's state at one sequence, in the numbers that rules are compared with.
import type { SharedDepth } from '#books/shared/index'
import { ONE } from '#lib/price'
import { kinds } from './rule.ts'

/** A last trade counts for the mark while it is no further than this from the book's time, ms. */
export const freshTradeMs = 60_000

/** A book as read from shared memory; only its best levels are used. */
export type BookRead = Pick<
  SharedDepth,
  | 'stale'
  | 'bids'
  | 'asks'
  | 'bidMicros'
  | 'bidSizes'
  | 'askMicros'
  | 'askSizes'
  | 'seq'
  | 'eventTs'
  | 'lastTradeMicros'
  | 'lastTradeTs'
  | 'breaks'
>

export const isCrossed = ({ bids, asks, bidMicros, askMicros }: BookRead): boolean =>
  bids > 0 && asks > 0 && bidMicros[0]! >= askMicros[0]!

/** Reaches nothing. */
const nothing = -0x80000000

export class Sample {
  /** Of the book, epoch ms. */
  time = 0
  seq = 0
  /** By kind: the reference in half micros, negated for those that wait below. */
  readonly values = new Int32Array(kinds.length)
  /** Sizes of the qualifying quotes, by reference: mark, bid, ask. */
  readonly sizes = new Float64Array(3)
  /** Micros. An empty side counts as the end of the scale: no bid is below 0 and no ask above 1. */
  spread = 0
  oneSided = false

  /** `now`: the time of a book whose venue gives none, or gives one in the future: a venue's times cannot make time pass faster. */
  read(book: BookRead, now: number): void {
    const hasBid = book.bids > 0
    const hasAsk = book.asks > 0
    const bid = hasBid ? book.bidMicros[0]! : 0
    const ask = hasAsk ? book.askMicros[0]! : ONE
    const bidSize = hasBid ? book.bidSizes[0]! : 0
    const askSize = hasAsk ? book.askSizes[0]! : 0
    this.time = book.eventTs >= 0 ? Math.min(book.eventTs, now) : now
    this.seq = book.seq
    this.spread = ask - bid
    this.oneSided = !(hasBid && hasAsk)
    this.put(0, !this.oneSided, this.mark(book, bid, ask))
    this.put(1, hasBid, 2 * bid)
    this.put(2, hasAsk, 2 * ask)
    this.sizes[0] = Math.min(bidSize, askSize)
    this.sizes[1] = bidSize
    this.sizes[2] = askSize
  }

  copy(): Sample {
    const copy = new Sample()
    copy.time = this.time
    copy.seq = this.seq
    copy.spread = this.spread
    copy.oneSided = this.oneSided
    copy.values.set(this.values)
    copy.sizes.set(this.sizes)
    return copy
  }

  private put(reference: number, isThere: boolean, value: number): void {
    this.values[2 * reference] = isThere ? value : nothing
    this.values[2 * reference + 1] = isThere ? -value : nothing
  }

  /** The median of both bests and a fresh last trade; without the trade the midpoint of both, which is the median of two. */
  private mark(book: BookRead, bid: number, ask: number): number {
    const last = book.lastTradeMicros
    // Not true for a trade of unknown price or time.
    if (!(last >= 0 && Math.abs(this.time - book.lastTradeTs) <= freshTradeMs)) return bid + ask
    return 2 * Math.min(Math.max(last, bid), ask)
  }
}
