// Orders that would meet the other side. Kalshi sends a match as several deltas of one millisecond, the new order first: for that instant
// bid and ask stand crossed (202 times in the 440,824 deltas of the BTC tape, never across two milliseconds). Such an addition waits here, out
// of the book, until the deltas of what it took have made room; so no half of a match is ever published.
import { BID, type BookSide, type BookWriter } from '../../venue.ts'

/** Below this a level is empty, and a level further below zero means that the books disagree. */
export const emptySize = 1e-9

export class HeldOrders {
  /** Flat: side, price, size. */
  private readonly entries: number[] = []

  get waiting(): boolean {
    return this.entries.length > 0
  }

  hold(side: BookSide, priceMicros: number, size: number): void {
    this.entries.push(side, priceMicros, size)
  }

  /** A further delta of a held level stays with it. The level's new size when it was one, null when no such level is held. */
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

  /** Moves into the book what no longer meets the other side. */
  release(writer: BookWriter): void {
    const { entries } = this
    for (let i = 0; i < entries.length; ) {
      const side = entries[i] as BookSide
      if (meets(writer, side, entries[i + 1] as number)) {
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

/** True when an order at this price would trade at once with what stands on the other side. */
export function meets(writer: BookWriter, side: BookSide, priceMicros: number): boolean {
  if (side === BID) {
    const ask = writer.bestAskMicros()
    return ask !== null && priceMicros >= ask
  }
  const bid = writer.bestBidMicros()
  return bid !== null && priceMicros <= bid
}

export const isCrossed = (writer: BookWriter): boolean => {
  const bid = writer.bestBidMicros()
  return bid !== null && meets(writer, BID, bid)
}
