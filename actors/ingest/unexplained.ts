// A whole book that a feed sends in addition to its changes equals the book held, apart from changes that are still on their way. Levels
// that differ although no change of them has arrived are noted here until one arrives. If none does, the feed is losing changes, whatever
// else it sends.
import { ASK, BID, type BookSide, type BookWriter } from '#venues/venue'

/** What is read of a book. */
interface ComparedBook extends Pick<BookWriter, 'copyLevels'> {
  /** Number of changes that its feed sent. */
  readonly messages: number
}

/** More than any venue has. */
const compared = 2_000
/** Sizes that deltas were added to are not exact. */
const sizeSlack = 1e-6
/** One side of the book as it was and as it is. */
interface Columns {
  count: number
  prices: Int32Array
  sizes: Float64Array
}
const columns = (): Columns => ({ count: 0, prices: new Int32Array(compared), sizes: new Float64Array(compared) })
const held = [columns(), columns()] as const
const now = columns()

const copy = (book: ComparedBook, side: BookSide, into: Columns): void => {
  into.count = book.copyLevels(side, compared, into.prices, into.sizes)
}

const isSame = (a: Columns, b: Columns): boolean => {
  if (a.count !== b.count) return false
  for (let i = 0; i < a.count; i++)
    if (a.prices[i] !== b.prices[i] || Math.abs(a.sizes[i]! - b.sizes[i]!) >= sizeSlack) return false
  return true
}

const keyOf = (side: BookSide, micros: number): number => (side === BID ? micros : -micros)

export class Unexplained {
  /** Since when, on the clock of the book's events; only meaningful while there are some. */
  since = 0
  /** The feed's messages of the book by then. */
  private messages = 0
  /** Prices, with asks negative. */
  private readonly levels = new Set<number>()

  /** Before a whole book replaces the one held. */
  hold(book: ComparedBook): void {
    copy(book, BID, held[BID])
    copy(book, ASK, held[ASK])
  }

  /** After it: notes the levels that it changed. */
  compare(book: ComparedBook, at: number): void {
    for (const side of [BID, ASK] as const) {
      copy(book, side, now)
      const before = held[side]
      if (isSame(before, now)) continue
      if (this.levels.size === 0) {
        this.since = at
        this.messages = book.messages
      }
      const sizes = new Map<number, number>()
      for (let i = 0; i < before.count; i++) sizes.set(before.prices[i]!, before.sizes[i]!)
      for (let i = 0; i < now.count; i++) {
        const size = sizes.get(now.prices[i]!)
        sizes.delete(now.prices[i]!)
        if (size === undefined || Math.abs(size - now.sizes[i]!) >= sizeSlack)
          this.levels.add(keyOf(side, now.prices[i]!))
      }
      for (const price of sizes.keys()) this.levels.add(keyOf(side, price))
    }
  }

  /** A change of this level arrived. */
  explain(side: BookSide, micros: number): void {
    if (this.levels.size > 0) this.levels.delete(keyOf(side, micros))
  }

  clear(): void {
    this.levels.clear()
  }

  /** What is missing since then: every message, or some; null: nothing. */
  missing(book: ComparedBook): 'all' | 'some' | null {
    if (this.levels.size === 0) return null
    return book.messages === this.messages ? 'all' : 'some'
  }
}
