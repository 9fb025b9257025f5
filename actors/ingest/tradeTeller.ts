// Takes trades that were read outside a venue's feed; they are streamed and taped like the venue's own.
import type { TradeUpdate, TradeWithdrawal } from '#schemas/topics'

export interface TradeTeller {
  /** Books that are watched now. */
  books(): Iterable<string>
  /** Waits until somebody hears us. False: the venue is another's now, and nothing may be told. */
  ready(): Promise<boolean>
  /** `isLate`: for the tape only, readers of the stream expect trades of now. */
  tell(trade: TradeUpdate, isLate: boolean): void
  /** All trades of the book up to then are told, epoch ms. */
  toldUntil(bookId: string, until: number): void
  /** All trades of every watched book up to then are told, epoch ms. */
  toldAllUntil(until: number): void
  gap(bookId: string, reason: string): void
  withdraw(withdrawal: TradeWithdrawal): void
  /** From a block to its readers; null: not measured yet. */
  latency(ms: number | null): void
  /** What was told is on its way to the tape. False as above. */
  flush(): Promise<boolean>
}
