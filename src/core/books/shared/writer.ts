// The single writer of the shared books: puts the best levels of live books into memory that workers read without messages.

import { ASK, BID } from '../levelStore.ts'
import type { LiveBook } from '../liveBook.ts'
import {
  type ArenaView,
  asksOf,
  bidsOf,
  coldDouble,
  coldDoubles,
  coldStep,
  coldWord,
  coldWords,
  double,
  hotDoubles,
  hotLevels,
  hotWords,
  keyByteOffset,
  type SlotHandle,
  sharedKeyBytesMax,
  sharedLevels,
  stateOf,
  viewArena,
  word,
} from './layout.ts'

/** The part of a book that goes into shared memory. */
export type SharedBook = Pick<
  LiveBook,
  'state' | 'recvTs' | 'eventTs' | 'seq' | 'lastTradeMicros' | 'lastTradeTs' | 'copyLevels'
>

export class SharedBooksWriter {
  /** Books that found no free slot. */
  refused = 0
  private readonly view: ArenaView
  private readonly words: Int32Array
  private readonly doubles: Float64Array
  private readonly slots = new Map<string, SlotHandle>()
  private readonly free: number[] = []
  private next = 0
  private readonly prices = new Int32Array(sharedLevels)
  private readonly sizes = new Float64Array(sharedLevels)

  constructor(arena: SharedArrayBuffer) {
    this.view = viewArena(arena)
    this.words = this.view.words
    this.doubles = this.view.doubles
  }

  /** The book's slot, allocated if it has none. Null: the arena is full or the key too long; `refused` counts it. */
  allocate(key: string): SlotHandle | null {
    const held = this.slots.get(key)
    if (held !== undefined) return held
    const keyBytes = Buffer.from(key)
    const slot = keyBytes.length > sharedKeyBytesMax ? undefined : (this.free.pop() ?? this.unused())
    if (slot === undefined) {
      this.refused++
      return null
    }
    const base = slot * hotWords
    this.lock(base)
    const generation = this.words[base + word.generation]! + 1
    this.words[base + word.generation] = generation
    this.words[base + word.state] = stateOf(false, 0, 0)
    this.words[base + word.breaks] = 0
    const { bytes, coldBytesAt, coldBytes, coldWordsAt } = this.view
    this.words[coldWordsAt + slot * coldWords + coldWord.keyBytes] = keyBytes.length
    bytes.set(keyBytes, coldBytesAt + slot * coldBytes + keyByteOffset.key)
    this.writeTimes(slot, 0, NaN, 0, NaN, NaN)
    this.unlock(base)
    const handle = { slot, generation }
    this.slots.set(key, handle)
    return handle
  }

  /** Frees the slot. Readers that still hold its handle find it absent. */
  release(key: string): void {
    const handle = this.slots.get(key)
    if (handle === undefined) return
    this.slots.delete(key)
    const base = handle.slot * hotWords
    this.lock(base)
    this.words[base + word.generation] = handle.generation + 1
    this.words[base + word.state] = stateOf(false, 0, 0)
    this.unlock(base)
    this.free.push(handle.slot)
  }

  /**
   * Writes the current book. A book that is not live keeps its last depth there and only becomes stale. `breaks`: its number of breaks so
   * far.
   */
  write(slot: number, book: SharedBook, breaks = 0): void {
    const base = slot * hotWords
    const { words } = this
    this.lock(base)
    if (book.state === 'live') {
      const bids = this.copy(book, BID, slot, 0)
      const asks = this.copy(book, ASK, slot, hotLevels)
      words[base + word.state] = stateOf(true, bids, asks)
    } else this.unsay(base)
    words[base + word.breaks] = breaks
    const { recvTs, eventTs, seq, lastTradeMicros, lastTradeTs } = book
    this.writeTimes(slot, recvTs, eventTs ?? NaN, seq, lastTradeMicros ?? NaN, lastTradeTs ?? NaN)
    this.unlock(base)
  }

  /** Marks the book stale and changes nothing else. */
  markStale(slot: number, breaks = 0): void {
    const base = slot * hotWords
    this.lock(base)
    this.unsay(base)
    this.words[base + word.breaks] = breaks
    this.unlock(base)
  }

  /** Marks the stored book live again after a proof. */
  markLive(slot: number): void {
    const base = slot * hotWords
    this.lock(base)
    const state = this.words[base + word.state]!
    this.words[base + word.state] = stateOf(true, bidsOf(state), asksOf(state))
    this.unlock(base)
  }

  private unsay(base: number): void {
    const state = this.words[base + word.state]!
    this.words[base + word.state] = stateOf(false, bidsOf(state), asksOf(state))
  }

  private writeTimes(
    slot: number,
    recvTs: number,
    eventTs: number,
    seq: number,
    lastTradeMicros: number,
    lastTradeTs: number,
  ): void {
    const { doubles } = this
    const head = slot * hotDoubles
    const cold = this.view.coldDoublesAt + slot * coldDoubles
    doubles[head + double.recvTs] = recvTs
    doubles[head + double.eventTs] = eventTs
    doubles[cold + coldDouble.seq] = seq
    doubles[cold + coldDouble.lastTradeMicros] = lastTradeMicros
    doubles[cold + coldDouble.lastTradeTs] = lastTradeTs
  }

  /** `aside`: offset of the side's elements from those of the bids. */
  private copy(book: SharedBook, side: typeof BID | typeof ASK, slot: number, aside: number): number {
    const { words, doubles, prices, sizes } = this
    const count = book.copyLevels(side, sharedLevels, prices, sizes)
    const pricesAt = slot * hotWords + word.bidPrices + aside
    const sizesAt = slot * hotDoubles + double.bidSizes + aside
    for (let i = 0; i < hotLevels && i < count; i++) {
      words[pricesAt + i] = prices[i]!
      doubles[sizesAt + i] = sizes[i]!
    }
    const coldPricesAt = this.view.coldWordsAt + slot * coldWords + coldWord.bidPrices + aside
    const coldSizesAt = this.view.coldDoublesAt + slot * coldDoubles + coldDouble.bidSizes + aside
    for (let i = hotLevels; i < count; i++) {
      words[coldPricesAt + coldStep(i)] = prices[i]!
      doubles[coldSizesAt + coldStep(i)] = sizes[i]!
    }
    return count
  }

  private unused(): number | undefined {
    return this.next < this.view.slots ? this.next++ : undefined
  }

  /** A read-modify-write, not a store: it keeps the plain stores that follow from becoming visible before the lock is odd. */
  private lock(base: number): void {
    Atomics.add(this.words, base + word.lock, 1)
  }

  private unlock(base: number): void {
    Atomics.add(this.words, base + word.lock, 1)
  }
}
