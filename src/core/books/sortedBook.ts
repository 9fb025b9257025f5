// Levels in sorted arrays, for prices off every grid (pools, odds). Slower than the grid; any integer micro fits.
import { ONE } from '#core/price'
import type { BookSide } from '#venues/venue'
import { BID, emptySize, type LevelStore, noPrice } from './levelStore.ts'

/** Best first. A rank is the distance in micros from the best possible price, so both sides sort ascending. */
class SortedSide {
  ranks: number[] = []
  sizes: number[] = []

  put(rank: number, size: number): void {
    const at = this.find(rank)
    const held = this.ranks[at] === rank
    if (size > emptySize) {
      if (held) this.sizes[at] = size
      else {
        this.ranks.splice(at, 0, rank)
        this.sizes.splice(at, 0, size)
      }
    } else if (held) {
      this.ranks.splice(at, 1)
      this.sizes.splice(at, 1)
    }
  }

  /** Index of the first rank at or after `rank`. */
  find(rank: number): number {
    let low = 0
    let high = this.ranks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.ranks[middle]! < rank) low = middle + 1
      else high = middle
    }
    return low
  }
}

export class SortedBook implements LevelStore {
  readonly tickMicros = 1
  private bids = new SortedSide()
  private asks = new SortedSide()

  put(side: BookSide, micros: number, size: number): boolean {
    if (!Number.isInteger(micros)) return false
    if (side === BID) this.bids.put(ONE - micros, size)
    else this.asks.put(micros, size)
    return true
  }

  sizeAt(side: BookSide, micros: number): number {
    const levels = side === BID ? this.bids : this.asks
    const rank = side === BID ? ONE - micros : micros
    const at = levels.find(rank)
    return levels.ranks[at] === rank ? levels.sizes[at]! : 0
  }

  count(side: BookSide): number {
    return (side === BID ? this.bids : this.asks).ranks.length
  }

  bestMicros(side: BookSide): number {
    const rank = (side === BID ? this.bids : this.asks).ranks[0]
    if (rank === undefined) return noPrice
    return side === BID ? ONE - rank : rank
  }

  bestSize(side: BookSide): number {
    return (side === BID ? this.bids : this.asks).sizes[0] ?? 0
  }

  copy(side: BookSide, max: number, prices: Int32Array, sizes: Float64Array, offset: number): number {
    const levels = side === BID ? this.bids : this.asks
    const wanted = Math.min(max, levels.ranks.length)
    for (let i = 0; i < wanted; i++) {
      const rank = levels.ranks[i]!
      prices[offset + i] = side === BID ? ONE - rank : rank
      sizes[offset + i] = levels.sizes[i]!
    }
    return wanted
  }

  clear(): void {
    this.bids = new SortedSide()
    this.asks = new SortedSide()
  }
}
