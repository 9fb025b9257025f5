// Tape rows of one venue between two flushes: one batch per outcome, in arrival order.
import type { TapeBatch, TapeBookRow, TapeTradeRow, TopOfBookRow } from '#schemas/topics'

export class TapeBuffer {
  private batches = new Map<string, TapeBatch>()
  private readonly venue: string
  rows = 0

  constructor(venue: string) {
    this.venue = venue
  }

  topOfBook(row: TopOfBookRow): void {
    this.of(row.outcomeId).topOfBook.push(row)
    this.rows++
  }

  trade(row: TapeTradeRow): void {
    this.of(row.outcomeId).trades.push(row)
    this.rows++
  }

  book(row: TapeBookRow): void {
    this.of(row.outcomeId).books.push(row)
    this.rows++
  }

  /** Everything gathered since the last take. */
  take(): Iterable<TapeBatch> {
    const taken = this.batches
    this.batches = new Map()
    this.rows = 0
    return taken.values()
  }

  private of(outcomeId: string): TapeBatch {
    let batch = this.batches.get(outcomeId)
    if (batch === undefined) {
      batch = { venue: this.venue, outcomeId, topOfBook: [], trades: [], books: [] }
      this.batches.set(outcomeId, batch)
    }
    return batch
  }
}
