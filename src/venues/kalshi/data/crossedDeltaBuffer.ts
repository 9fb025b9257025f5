// Orders that would cross the book. Kalshi sends a match as several deltas within one millisecond, the new order first: for that instant
// bid and ask are crossed (202 times in the 440,824 deltas of the BTC tape, never across two milliseconds). Such an addition waits here,
// outside the book, until the deltas of its counterparties have been applied, so that a partial match is never published.
import { BID, type BookSide, type BookWriter } from '../../venue.ts'

/** Below this a level is empty; further below zero, the books disagree. */
export const emptySize = 1e-9

export class CrossedDeltaBuffer {
  /** Flat: side, price, size. */
  private readonly entries: number[] = []

  get waiting(): boolean {
    return this.entries.length > 0
  }

  hold(side: BookSide, priceMicros: number, size: number): void {
    this.entries.push(side, priceMicros, size)
  }

  /** A further delta of a held level stays with it. Returns the level's new size if held, otherwise null. */
  add(side: BookSide, priceMicros: number, delta: number): number | null {
    const { entries } = this
    for (let i = 0; i < entries.length; i += 3) {
      if (entries[i] !== side || entries[i + 1] !== priceMicros) continue
      const size = (entries[i + 2] as number) + delta
      if (size <= emptySize) entries.splice(i, 3)
      else entries[i + 2] = size
      return size
    }
    return null
  }

  /** Moves into the book whatever no longer crosses the other side. */
  release(writer: BookWriter): void {
    const { entries } = this
    for (let i = 0; i < entries.length; ) {
      const side = entries[i] as BookSide
      if (crosses(writer, side, entries[i + 1] as number)) {
        i += 3
        continue
      }
      writer.add(side, entries[i + 1] as number, entries[i + 2] as number)
      entries.splice(i, 3)
    }
  }

  clear(): void {
    this.entries.length = 0
  }
}

/** True when an order at this price would match the other side at once. */
export function crosses(writer: BookWriter, side: BookSide, priceMicros: number): boolean {
  if (side === BID) {
    const ask = writer.bestAskMicros()
    return ask !== null && priceMicros >= ask
  }
  const bid = writer.bestBidMicros()
  return bid !== null && priceMicros <= bid
}

export const isCrossed = (writer: BookWriter): boolean => {
  const bid = writer.bestBidMicros()
  return bid !== null && crosses(writer, BID, bid)
}
