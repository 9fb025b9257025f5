// A book's state at one sequence, in the numbers that rules are compared with.
import type { SharedDepth } from '#core/books/shared/index'
import { ONE } from '#core/price'
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
export const nothing = -0x80000000

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
  /** When it was read, epoch ms. */
  readAt = 0

  /**
   * `now`: the time of a book whose venue gives none, or gives one in the future: a venue's times cannot make time pass faster. Runs for every
   * change of every followed book: hence `0 - x`, an integer also for zero, and no helper per value.
   */
  read(book: BookRead, now: number, readAt: number): void {
    const { values, sizes } = this
    const hasBid = book.bids > 0
    const hasAsk = book.asks > 0
    const bid = hasBid ? book.bidMicros[0]! : 0
    const ask = hasAsk ? book.askMicros[0]! : ONE
    const bidSize = hasBid ? book.bidSizes[0]! : 0
    const askSize = hasAsk ? book.askSizes[0]! : 0
    const time = book.eventTs >= 0 && book.eventTs < now ? book.eventTs : now
    this.time = time
    this.readAt = readAt
    this.seq = book.seq
    this.spread = ask - bid
    this.oneSided = !(hasBid && hasAsk)
    const mark = this.oneSided ? nothing : markOf(book, bid, ask, time)
    values[0] = mark
    values[1] = this.oneSided ? nothing : 0 - mark
    values[2] = hasBid ? 2 * bid : nothing
    values[3] = hasBid ? 0 - 2 * bid : nothing
    values[4] = hasAsk ? 2 * ask : nothing
    values[5] = hasAsk ? 0 - 2 * ask : nothing
    sizes[0] = Math.min(bidSize, askSize)
    sizes[1] = bidSize
    sizes[2] = askSize
  }

  copy(): Sample {
    const copy = new Sample()
    copy.time = this.time
    copy.readAt = this.readAt
    copy.seq = this.seq
    copy.spread = this.spread
    copy.oneSided = this.oneSided
    copy.values.set(this.values)
    copy.sizes.set(this.sizes)
    return copy
  }
}

/** The median of both bests and a fresh last trade; without the trade the midpoint of both, which is the median of two. */
function markOf(book: BookRead, bid: number, ask: number, time: number): number {
  const last = book.lastTradeMicros
  // Not true for a trade of unknown price or time.
  if (!(last >= 0 && Math.abs(time - book.lastTradeTs) <= freshTradeMs)) return bid + ask
  if (last <= bid) return 2 * bid
  return last >= ask ? 2 * ask : 2 * last
}
