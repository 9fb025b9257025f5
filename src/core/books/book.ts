// One order book: validates writes, and switches to a finer grid when a venue quotes finer prices than it declared.
import { ONE } from '#core/price'
import type { BookSide } from '#venues/venue'
import { GridBook, gridScales } from './gridBook.ts'
import { ASK, BID, emptySize, type LevelStore, noPrice } from './levelStore.ts'
import { SortedBook } from './sortedBook.ts'

export { ASK, BID, emptySize, noPrice } from './levelStore.ts'

/** One level as a plain object, for readers outside the hot path. */
export interface BookLevel {
  priceMicros: number
  size: number
}

/** Prices in integer micros, sizes in contracts or shares. A malformed write changes nothing; the return value reports it. */
export class Book {
  private store: LevelStore
  /** The finest grid this book has needed; clearing the book returns to it. */
  private home: LevelStore

  constructor(tickMicros: number | null) {
    this.home = storeFor(tickMicros ?? ONE)
    this.store = this.home
  }

  /** Current price step: 10,000, 1,000 or 100 micros; 1 when sorted. */
  get tickMicros(): number {
    return this.store.tickMicros
  }

  /**
   * Sets the total size at a level; at or below 1e-9 removes it. Returns false and changes nothing when the price is not an integer in
   * [0, 1,000,000] or the size is NaN, negative or infinite.
   */
  set(side: BookSide, priceMicros: number, size: number): boolean {
    if (!(size >= 0 && size < Infinity && priceMicros >= 0 && priceMicros <= ONE)) return false
    return this.store.put(side, priceMicros, size) || this.setFiner(side, priceMicros, size)
  }

  /**
   * Adds a signed size and returns the level's new total. A total at or below 1e-9 removes the level; one below −1e-9 means the
   * books disagree. Returns NaN and changes nothing when the price or the delta is malformed.
   */
  add(side: BookSide, priceMicros: number, delta: number): number {
    if (!Number.isFinite(delta) || !isPrice(priceMicros)) return NaN
    const total = settle(this.store.sizeAt(side, priceMicros) + delta)
    this.set(side, priceMicros, total > emptySize ? total : 0)
    return total
  }

  sizeAt(side: BookSide, priceMicros: number): number {
    return isPrice(priceMicros) ? this.store.sizeAt(side, priceMicros) : 0
  }

  /** Number of levels on the side. */
  count(side: BookSide): number {
    return this.store.count(side)
  }

  /** `noPrice` (−1) when the side is empty: a plain number for the hot path. */
  bestMicros(side: BookSide): number {
    return this.store.bestMicros(side)
  }

  /** 0 when the side is empty. */
  bestSize(side: BookSide): number {
    return this.store.bestSize(side)
  }

  bestBidMicros(): number | null {
    const micros = this.store.bestMicros(BID)
    return micros === noPrice ? null : micros
  }

  bestAskMicros(): number | null {
    const micros = this.store.bestMicros(ASK)
    return micros === noPrice ? null : micros
  }

  /** True when the best bid is at or above the best ask. */
  get crossed(): boolean {
    const bid = this.store.bestMicros(BID)
    const ask = this.store.bestMicros(ASK)
    return bid !== noPrice && ask !== noPrice && bid >= ask
  }

  /**
   * Copies up to `max` levels, best first, into both targets starting at `offset`; returns how many. Does not allocate.
   */
  copyLevels(side: BookSide, max: number, prices: Int32Array, sizes: Float64Array, offset = 0): number {
    return this.store.copy(side, max, prices, sizes, offset)
  }

  /** Best first; at most `max`. */
  levels(side: BookSide, max = Infinity): BookLevel[] {
    const count = Math.min(max, this.count(side))
    const prices = new Int32Array(count)
    const sizes = new Float64Array(count)
    this.store.copy(side, count, prices, sizes, 0)
    return Array.from(prices, (priceMicros, i) => ({ priceMicros, size: sizes[i]! }))
  }

  clear(): void {
    this.store.clear()
    this.store = this.home
  }

  /** Handles a price between the ticks of the current grid. */
  private setFiner(side: BookSide, priceMicros: number, size: number): boolean {
    if (!Number.isInteger(priceMicros)) return false
    if (size <= emptySize) return true
    const finer = storeFor(priceMicros)
    for (const from of [BID, ASK] as const) {
      for (const level of this.levels(from)) finer.put(from, level.priceMicros, level.size)
    }
    this.store.clear()
    this.store = finer
    if (finer instanceof GridBook) this.home = finer
    return finer.put(side, priceMicros, size)
  }
}

/**
 * An empty book. `tickMicros` is the price step the venue declares, null when it declares none: the book starts on whole cents.
 */
export const createBook = (tickMicros: number | null): Book => new Book(tickMicros)

/** The coarsest store that holds every multiple of `stepMicros`. */
function storeFor(stepMicros: number): LevelStore {
  const scale = gridScales.find((ticks) => stepMicros > 0 && stepMicros % (ONE / ticks) === 0)
  return scale === undefined ? new SortedBook() : new GridBook(scale)
}

const isPrice = (micros: number): boolean => Number.isInteger(micros) && micros >= 0 && micros <= ONE

/**
 * Removes binary rounding error from a sum: venues count in decimals (0.1 + 0.2 is 0.3 there), and a book rebuilt from a thousand
 * deltas must print what the venue prints. The step is far above the sum's error and far below any venue's unit.
 */
function settle(total: number): number {
  const magnitude = Math.abs(total)
  if (magnitude < 1e6) return Math.round(total * 1e9) / 1e9
  if (magnitude < 1e9) return Math.round(total * 1e6) / 1e6
  return total
}
