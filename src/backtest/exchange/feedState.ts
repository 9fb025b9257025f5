// One taped book as it is now, and the orders that are matched against it.
import { type FillModelSettings, OutcomeMatcher } from '#paper/model/index'
import type { TradeData } from '#schemas/topics'
import type { Feed } from '../markets/market.ts'
import { midOf, PaperBooks, paperTradeOf, type TapeBook } from '../tape/books.ts'

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
  /** When the fill model has something due that no event causes, as of the last look; null: nothing. */
  dueAt: number | null = null
  private readonly paperBooks = new PaperBooks()
  /** The last live book with both sides: its middle is the last known one. */
  private lastTwoSided: TapeBook | null = null
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
    if (book.bids.length > 0 && book.asks.length > 0) this.lastTwoSided = book
    if (this.isMatching) this.matcher.onBook(this.paperBooks.of(book, this.seq, at, true))
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
    if (this.isMatching) this.matcher.onBook(this.paperBooks.of(this.book ?? nothing, this.seq, at, false))
    return wasLive
  }

  /** Before the first order: the fill model gets the book as it is. */
  startMatching(at: number): void {
    if (this.isMatching) return
    this.isMatching = true
    this.matcher.onBook(this.paperBooks.of(this.book ?? nothing, this.seq, at, this.isLive))
  }

  /** Micros; null: unknown. Of the feed's own side. */
  markMicros(): number | null {
    const mid = this.book === null ? null : midOf(this.book)
    return mid ?? (this.lastTwoSided === null ? null : midOf(this.lastTwoSided))
  }
}
