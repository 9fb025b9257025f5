// The one writer of the shared books: puts the best levels of live books where workers read them without a message.

import { ASK, BID } from '../levelStore.ts'
import type { LiveBook } from '../liveBook.ts'
import {
  double,
  offset,
  priceStep,
  type SlotHandle,
  sharedKeyBytesMax,
  sharedLevels,
  sizeStep,
  slotBytes,
  slotDoubles,
  slotWords,
  word,
} from './layout.ts'

export class SharedBooksWriter {
  /** Books that found no free slot. */
  refused = 0
  private readonly words: Int32Array
  private readonly doubles: Float64Array
  private readonly bytes: Uint8Array
  private readonly slots = new Map<string, SlotHandle>()
  private readonly free: number[] = []
  private next = 0
  private readonly capacity: number
  private readonly prices = new Int32Array(sharedLevels)
  private readonly sizes = new Float64Array(sharedLevels)

  constructor(arena: SharedArrayBuffer) {
    this.words = new Int32Array(arena)
    this.doubles = new Float64Array(arena)
    this.bytes = new Uint8Array(arena)
    this.capacity = Math.floor(arena.byteLength / slotBytes)
  }

  /** The book's slot, taken now if it has none. Null: the arena is full or the key too long; the caller counts on `refused`. */
  allocate(key: string): SlotHandle | null {
    const held = this.slots.get(key)
    if (held !== undefined) return held
    const keyBytes = Buffer.from(key)
    const slot = keyBytes.length > sharedKeyBytesMax ? undefined : (this.free.pop() ?? this.unused())
    if (slot === undefined) {
      this.refused++
      return null
    }
    const base = slot * slotWords
    this.lock(base)
    const generation = this.words[base + word.generation]! + 1
    this.words[base + word.generation] = generation
    this.words[base + word.live] = 0
    this.words[base + word.bids] = 0
    this.words[base + word.asks] = 0
    this.words[base + word.keyBytes] = keyBytes.length
    this.bytes.set(keyBytes, slot * slotBytes + offset.key)
    const head = slot * slotDoubles
    this.doubles[head + double.recvTs] = 0
    this.doubles[head + double.eventTs] = NaN
    this.doubles[head + double.seq] = 0
    this.doubles[head + double.lastTradeMicros] = NaN
    this.unlock(base)
    const handle = { slot, generation }
    this.slots.set(key, handle)
    return handle
  }

  /** Gives the slot back. Readers that still hold its handle find it absent. */
  release(key: string): void {
    const handle = this.slots.get(key)
    if (handle === undefined) return
    this.slots.delete(key)
    const base = handle.slot * slotWords
    this.lock(base)
    this.words[base + word.generation] = handle.generation + 1
    this.words[base + word.live] = 0
    this.unlock(base)
    this.free.push(handle.slot)
  }

  /** Writes the book as it stands. A book that is not live keeps its last depth there and loses only the word that it is live. */
  write(slot: number, book: LiveBook): void {
    const base = slot * slotWords
    const head = slot * slotDoubles
    const { words, doubles } = this
    this.lock(base)
    if (book.state === 'live') {
      words[base + word.live] = 1
      const bids = this.copy(book, BID, base + offset.bidPrices, head + offset.bidSizes)
      const asks = this.copy(book, ASK, base + offset.askPrices, head + offset.askSizes)
      words[base + word.bids] = bids
      words[base + word.asks] = asks
    } else {
      words[base + word.live] = 0
    }
    doubles[head + double.recvTs] = book.recvTs
    doubles[head + double.eventTs] = book.eventTs ?? NaN
    doubles[head + double.seq] = book.seq
    doubles[head + double.lastTradeMicros] = book.lastTradeMicros ?? NaN
    this.unlock(base)
  }

  private copy(book: LiveBook, side: typeof BID | typeof ASK, pricesAt: number, sizesAt: number): number {
    const count = book.copyLevels(side, sharedLevels, this.prices, this.sizes)
    for (let i = 0; i < count; i++) {
      this.words[pricesAt + priceStep(i)] = this.prices[i]!
      this.doubles[sizesAt + sizeStep(i)] = this.sizes[i]!
    }
    return count
  }

  private unused(): number | undefined {
    return this.next < this.capacity ? this.next++ : undefined
  }

  /** A read-modify-write, not a store: it keeps the plain stores that follow from becoming visible before the lock is odd. */
  private lock(base: number): void {
    Atomics.add(this.words, base + word.lock, 1)
  }

  private unlock(base: number): void {
    Atomics.add(this.words, base + word.lock, 1)
  }
}
