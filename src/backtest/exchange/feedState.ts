// One taped book as it is now, and the orders that are matched against it.
import { type FillModelSettings, OutcomeMatcher } from '#paper/model/index'
import type { TradeData } from '#schemas/topics'
import type { Feed } from '../markets/market.ts'
import { midOf, paperBookOf, paperTradeOf, type TapeBook } from '../tape/books.ts'

const nothing: TapeBook = { bids: [], asks: [], timestamp: 0 }

export class FeedState {
  readonly feed: Feed
  readonly matcher: OutcomeMatcher
  /** Null before the first. */
  book: TapeBook | null = null
  isLive = false
  seq = 0
  /** When its book was received, epoch ms. */
  bookAt = 0
  /** Price of the last trade; null: none yet. */
  lastTrade: number | null = null
  /** Last known middle, micros. */
  lastMid: number | null = null
  /** Nothing is live before this time, epoch ms. */
  private gapUntil = Number.NEGATIVE_INFINITY
  /** Books and trades matter to the fill model from the first order on. */
  private isMatching = false

  constructor(feed: Feed, model: FillModelSettings) {
    this.feed = feed
    this.matcher = new OutcomeMatcher(model)
  }

  /** True if the book is live now; false: it is within a gap and not sent to subscribers. */
  onBook(book: TapeBook, at: number): boolean {
    this.book = book
    this.bookAt = at
    if (at < this.gapUntil) return false
    this.seq += 1
    this.isLive = true
    this.lastMid = midOf(book) ?? this.lastMid
    if (this.isMatching) this.matcher.onBook(paperBookOf(book, this.seq, at, true))
    return true
  }

  onTrade(trade: TradeData, at: number): void {
    if (trade.price !== null) this.lastTrade = trade.price
    if (!this.isMatching || !this.isLive) return
    const paper = paperTradeOf(trade, at)
    if (paper !== null) this.matcher.onTrade(paper)
  }

  /** True if the book was live until now. `until`: epoch ms; null: the gap has no known end. */
  onGap(until: number | null, at: number): boolean {
    this.gapUntil = Math.max(this.gapUntil, until ?? Number.POSITIVE_INFINITY)
    const wasLive = this.isLive
    this.isLive = false
    this.seq += 1
    if (this.isMatching) this.matcher.onBook(paperBookOf(this.book ?? nothing, this.seq, at, false))
    return wasLive
  }

  /** Before the first order: the fill model gets the book as it is. */
  startMatching(at: number): void {
    if (this.isMatching) return
    this.isMatching = true
    this.matcher.onBook(paperBookOf(this.book ?? nothing, this.seq, at, this.isLive))
  }

  /** Micros; null: unknown. Of the feed's own side. */
  markMicros(): number | null {
    return (this.book === null ? null : midOf(this.book)) ?? this.lastMid
  }
}
