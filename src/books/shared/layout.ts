// Where everything stands in the shared memory of books. Writer and readers are different threads: both import this file, nothing else tells them.

/** Depth kept for workers, levels a side. Deeper levels never decide a trigger or an arbitrage leg of the sizes we price. */
export const sharedLevels = 32
/** Longest book key in UTF-8 bytes: a venue slug and a 77-digit token id fit twice. */
export const sharedKeyBytesMax = 192

/** A cache line, so that two slots never share one. */
const lineBytes = 64

/** int32 words from the slot's start. */
export const word = {
  /** Sequence lock: odd while the writer is inside. */
  lock: 0,
  /** Rises whenever the slot changes hands; odd while in use. */
  generation: 1,
  /** 1 live, 0 stale. */
  live: 2,
  bids: 3,
  asks: 4,
  keyBytes: 5,
} as const
const headWords = 8

/** float64 words from the slot's start. */
const headDoubles = (headWords * 4) / 8
export const double = {
  recvTs: headDoubles,
  /** NaN when the venue gave none. */
  eventTs: headDoubles + 1,
  seq: headDoubles + 2,
  /** NaN when unknown. */
  lastTradeMicros: headDoubles + 3,
} as const

// Behind the head stand blocks of eight levels, a line of prices and two of sizes, bids and asks side by side: what the first levels of both
// sides are is told by three neighbouring lines, and a reader of many books waits for memory, not for arithmetic.
const blockLevels = 8
const blockBytes = 3 * lineBytes
const blocksAt = lineBytes
const keyAt = blocksAt + (sharedLevels / blockLevels) * blockBytes
export const slotBytes = Math.ceil((keyAt + sharedKeyBytesMax) / lineBytes) * lineBytes

/** Of a side's first level, from the slot's start, in elements of their array; the others follow by `priceStep` and `sizeStep`. */
export const offset = {
  bidPrices: blocksAt / 4,
  askPrices: blocksAt / 4 + blockLevels,
  bidSizes: (blocksAt + lineBytes) / 8,
  askSizes: (blocksAt + lineBytes) / 8 + blockLevels / 2,
  key: keyAt,
} as const

/** From the price of the first level to that of level `i`, in words. */
export const priceStep = (i: number): number => (i >> 3) * (blockBytes / 4) + (i & 7)
/** From the size of the first level to that of level `i`, in doubles. */
export const sizeStep = (i: number): number => (i >> 3) * (blockBytes / 8) + ((i & 4) << 1) + (i & 3)

export const slotWords = slotBytes / 4
export const slotDoubles = slotBytes / 8

/** Memory for `slots` books; about 1.1 KB each. */
export const createArena = (slots: number): SharedArrayBuffer => new SharedArrayBuffer(slots * slotBytes)

/** What a reader needs to find a book again: the slot, and whose it was when the handle was given. */
export interface SlotHandle {
  slot: number
  generation: number
}
