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

const sizesAt = (headDoubles + 4) * 8
const pricesAt = sizesAt + 2 * sharedLevels * 8
const keyAt = pricesAt + 2 * sharedLevels * 4
export const slotBytes = Math.ceil((keyAt + sharedKeyBytesMax) / lineBytes) * lineBytes

/** Offsets from the slot's start, in elements of their array. */
export const offset = {
  bidSizes: sizesAt / 8,
  askSizes: sizesAt / 8 + sharedLevels,
  bidPrices: pricesAt / 4,
  askPrices: pricesAt / 4 + sharedLevels,
  key: keyAt,
} as const

export const slotWords = slotBytes / 4
export const slotDoubles = slotBytes / 8

/** Memory for `slots` books; about 1.1 KB each. */
export const createArena = (slots: number): SharedArrayBuffer => new SharedArrayBuffer(slots * slotBytes)

/** What a reader needs to find a book again: the slot, and whose it was when the handle was given. */
export interface SlotHandle {
  slot: number
  generation: number
}
