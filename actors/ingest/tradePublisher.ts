// Accepts trades that were read outside a venue's feed; they are streamed and recorded like the venue's own.
import type { TradeUpdate, TradeWithdrawal } from '#schemas/topics'

export interface TradePublisher {
  /** Books that are watched now. */
  books(): Iterable<string>
  /**
   * Waits until publishing is allowed. False: the venue belongs to another process now, and nothing may be published.
   */
  ready(): Promise<boolean>
  /** `isLate`: for the tape only, since readers of the stream expect current trades. */
  publish(trade: TradeUpdate, isLate: boolean): void
  /** All trades of the book up to then have been published, epoch ms. */
  publishedUntil(bookId: string, until: number): void
  /** All trades of every watched book up to then have been published, epoch ms. */
  allPublishedUntil(until: number): void
  gap(bookId: string, reason: string): void
  withdraw(withdrawal: TradeWithdrawal): void
  /** From block to reader; null: not measured yet. */
  latency(ms: number | null): void
  /** Everything published is on its way to the tape. False as above. */
  flush(): Promise<boolean>
}
