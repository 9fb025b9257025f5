// Memory layout of the shared books. Writer and readers are different threads: both import this file, the only definition of the layout.
//
//   hot parts of all slots    line 0   lock, generation, state, times, prices of the first four levels of both sides
//                             line 1   their sizes
//   cold parts of all slots   sizes and prices of the other levels, four of both sides together; rarely read fields; the key
//
// Reading many books is bound by memory, not by arithmetic: the first levels of both sides fit on two adjacent lines,
// and those of all books lie close together.

/**
 * Depth kept for workers, levels per side. Deeper levels never decide a trigger or an arbitrage leg of the sizes we price.
 */
export const sharedLevels = 32
/** Levels of each side in the hot part; the rest follow in groups of this size. */
export const hotLevels = 4
/** Longest book key in UTF-8 bytes: a venue slug and a 77-digit token id fit twice. */
export const sharedKeyBytesMax = 192

/** A cache line, so that two slots never share one. */
const lineBytes = 64
const lines = (bytes: number): number => Math.ceil(bytes / lineBytes) * lineBytes
const groupElements = 2 * hotLevels
const coldElements = groupElements * (sharedLevels / hotLevels - 1)

const hotBytes = 2 * lineBytes
const seldomBytes = 32
const keyAt = lines(coldElements * (8 + 4) + seldomBytes)
const coldBytes = keyAt + lines(sharedKeyBytesMax)
const slotBytes = hotBytes + coldBytes

/** Stride between slots. */
export const hotWords = hotBytes / 4
export const hotDoubles = hotBytes / 8
export const coldWords = coldBytes / 4
export const coldDoubles = coldBytes / 8

/** int32 words from the start of the slot's hot part. */
export const word = {
  /** Sequence lock: odd while the writer is inside. */
  lock: 0,
  /** Incremented whenever the slot changes hands; odd while in use. */
  generation: 1,
  /** See `stateOf`. */
  state: 2,
  /** Number of breaks: a change since the last read means there was a break in between. */
  breaks: 3,
  bidPrices: 8,
  askPrices: 8 + hotLevels,
} as const

/** float64 words from the start of the slot's hot part. */
export const double = {
  recvTs: 2,
  /** NaN when the venue gave none. */
  eventTs: 3,
  bidSizes: lineBytes / 8,
  askSizes: lineBytes / 8 + hotLevels,
} as const

/** From the start of the slot's cold part, in elements of the array; levels by `coldStep`. */
export const coldWord = {
  bidPrices: coldElements * 2,
  askPrices: coldElements * 2 + hotLevels,
  keyBytes: coldElements * 3 + 4,
} as const
export const coldDouble = {
  bidSizes: 0,
  askSizes: hotLevels,
  seq: (coldElements * 3) / 2,
  /** NaN when unknown. */
  lastTradeMicros: (coldElements * 3) / 2 + 1,
  /** NaN when unknown. */
  lastTradeTs: (coldElements * 3) / 2 + 3,
} as const
export const keyByteOffset = { key: keyAt } as const

/** Offset from a side's first cold element, of prices or sizes, to that of level `i`. */
export const coldStep = (i: number): number => ((i & ~(hotLevels - 1)) << 1) - groupElements + (i & (hotLevels - 1))

/** Level counts of both sides and the live (or stale) flag, packed into one word. */
export const stateOf = (live: boolean, bids: number, asks: number): number => (live ? 1 << 16 : 0) | (asks << 8) | bids
export const isLive = (state: number): boolean => state >> 16 === 1
export const bidsOf = (state: number): number => state & 0xff
export const asksOf = (state: number): number => (state >> 8) & 0xff

/** Memory for `slots` books; 1 KB each. */
export const createArena = (slots: number): SharedArrayBuffer => new SharedArrayBuffer(slots * slotBytes)

/** Typed views of the arena. */
export function viewArena(arena: SharedArrayBuffer) {
  const slots = Math.floor(arena.byteLength / slotBytes)
  return {
    slots,
    words: new Int32Array(arena),
    doubles: new Float64Array(arena),
    bytes: new Uint8Array(arena),
    /** Where the cold parts begin, in elements of each array. */
    coldWordsAt: slots * hotWords,
    coldDoublesAt: slots * hotDoubles,
    coldBytesAt: slots * hotBytes,
    coldBytes,
  }
}
export type ArenaView = ReturnType<typeof viewArena>

/** What a reader needs to find a book again: the slot, and its generation when the handle was issued. */
export interface SlotHandle {
  slot: number
  generation: number
}
