// Common ways to keep an order book, written as well as possible: the peers of the update bench.
import type { BookSide } from '#venues/venue'

/** Prices ascending in arrays; insert and remove by binary search and splice. The best bid is at the end. */
export class SortedArraysPeer {
  private readonly prices: [number[], number[]] = [[], []]
  private readonly sizes: [number[], number[]] = [[], []]

  set(side: BookSide, price: number, size: number): void {
    const prices = this.prices[side]
    const sizes = this.sizes[side]
    let low = 0
    let high = prices.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (prices[middle]! < price) low = middle + 1
      else high = middle
    }
    const held = prices[low] === price
    if (size === 0) {
      if (!held) return
      prices.splice(low, 1)
      sizes.splice(low, 1)
    } else if (held) sizes[low] = size
    else {
      prices.splice(low, 0, price)
      sizes.splice(low, 0, size)
    }
  }

  bestMicros(side: BookSide): number {
    const prices = this.prices[side]
    return (side === 0 ? prices[prices.length - 1] : prices[0]) ?? -1
  }
}

/** A Map per side; the best is searched again only after it was removed. */
export class MapPeer {
  private readonly sides: [Map<number, number>, Map<number, number>] = [new Map(), new Map()]
  private readonly best: [number, number] = [-1, -1]

  set(side: BookSide, price: number, size: number): void {
    const levels = this.sides[side]
    const best = this.best[side]
    if (size !== 0) {
      levels.set(price, size)
      if (best < 0 || (side === 0 ? price > best : price < best)) this.best[side] = price
    } else if (levels.delete(price) && price === best) {
      let next = -1
      for (const each of levels.keys()) if (next < 0 || (side === 0 ? each > next : each < next)) next = each
      this.best[side] = next
    }
  }

  bestMicros(side: BookSide): number {
    return this.best[side]
  }
}
