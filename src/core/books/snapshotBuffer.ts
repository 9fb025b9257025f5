// Reusable memory for one synchronous walk over a whole book. Do not keep references across calls.
import type { Book } from './book.ts'
import { ASK, BID } from './levelStore.ts'

/** Levels of both sides in one pair of arrays: bids, then asks, each best first. */
export const scratch = { prices: new Int32Array(512), sizes: new Float64Array(512), bids: 0, asks: 0 }

/** Fills `scratch` with all levels of the book. */
export function loadScratch(book: Book): void {
  const bids = book.count(BID)
  const asks = book.count(ASK)
  if (bids + asks > scratch.prices.length) {
    const size = 2 ** Math.ceil(Math.log2(bids + asks))
    scratch.prices = new Int32Array(size)
    scratch.sizes = new Float64Array(size)
  }
  scratch.bids = book.copyLevels(BID, bids, scratch.prices, scratch.sizes, 0)
  scratch.asks = book.copyLevels(ASK, asks, scratch.prices, scratch.sizes, bids)
}
