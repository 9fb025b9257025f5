// Reads shared books from any thread: always a complete book as the writer left it, or the answer that none is available now.
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
  isLive,
  keyByteOffset,
  type SlotHandle,
  sharedLevels,
  viewArena,
  word,
} from './layout.ts'

/**
 * `busy`: the writer was inside at every attempt; try again later. `absent`: the slot no longer belongs to that book.
 */
export type ReadResult = 'ok' | 'busy' | 'absent'

/**
 * A write takes well under a microsecond; after this many busy attempts in a row a reader returns to its caller instead of
 * spinning.
 */
const attemptsMax = 16

/**
 * Where a read puts the book. Reused: allocate one per reader, not one per read. Content is undefined unless the read returned
 * `ok`.
 */
export class SharedDepth {
  readonly bidMicros = new Int32Array(sharedLevels)
  readonly bidSizes = new Float64Array(sharedLevels)
  readonly askMicros = new Int32Array(sharedLevels)
  readonly askSizes = new Float64Array(sharedLevels)
  bids = 0
  asks = 0
  /** True: this depth must not be treated as fresh, fire a trigger, or make a leg executable. */
  stale = true
  seq = 0
  /** Epoch ms. */
  recvTs = 0
  /** Epoch ms, NaN when the venue gave none. */
  eventTs = NaN
  /** NaN when unknown. */
  lastTradeMicros = NaN
  /** Time of that trade on the venue's clock, epoch ms; NaN when unknown. */
  lastTradeTs = NaN
  /** Changed since the last read: there was a break in between. */
  breaks = 0
  /** Increments with each write of the slot. */
  version = 0
}

export class SharedBooksReader {
  readonly capacity: number
  private readonly view: ArenaView
  private readonly words: Int32Array
  /** Private: a read-modify-write on it orders the loads before it against those after it, without touching the writer's line. */
  private readonly fence = new Int32Array(new SharedArrayBuffer(4))

  constructor(arena: SharedArrayBuffer) {
    this.view = viewArena(arena)
    this.words = this.view.words
    this.capacity = this.view.slots
  }

  /** Fills `into` with one consistent book, the best `levels` of each side. Without a `generation`, reads the slot's current book. */
  read(slot: number, into: SharedDepth, generation?: number, levels = sharedLevels): ReadResult {
    if (!(slot >= 0 && slot < this.capacity)) return 'absent'
    const base = slot * hotWords
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const before = Atomics.load(this.words, base + word.lock)
      if ((before & 1) !== 0) continue
      const found = this.words[base + word.generation]!
      const ours = (found & 1) === 1 && (generation === undefined || generation === found)
      if (ours) this.copy(slot, into, levels)
      if (this.unchanged(base, before)) {
        into.version = before >> 1
        return ours ? 'ok' : 'absent'
      }
    }
    return 'busy'
  }

  /** Key of the slot's book and the handle to read it by; null when free or being written. */
  keyOf(slot: number): { key: string; handle: SlotHandle } | null {
    if (!(slot >= 0 && slot < this.capacity)) return null
    const base = slot * hotWords
    const before = Atomics.load(this.words, base + word.lock)
    const generation = this.words[base + word.generation]!
    if ((before & 1) !== 0 || (generation & 1) === 0) return null
    const { bytes, coldBytesAt, coldBytes, coldWordsAt } = this.view
    const keyAt = coldBytesAt + slot * coldBytes + keyByteOffset.key
    const keyBytes = this.words[coldWordsAt + slot * coldWords + coldWord.keyBytes]!
    const key = Buffer.from(bytes.slice(keyAt, keyAt + keyBytes)).toString()
    return this.unchanged(base, before) ? { key, handle: { slot, generation } } : null
  }

  private unchanged(base: number, before: number): boolean {
    Atomics.add(this.fence, 0, 1)
    return Atomics.load(this.words, base + word.lock) === before
  }

  private copy(slot: number, into: SharedDepth, levels: number): void {
    const { words, doubles, coldWordsAt, coldDoublesAt } = this.view
    const base = slot * hotWords
    const head = slot * hotDoubles
    const coldBase = coldWordsAt + slot * coldWords
    const coldHead = coldDoublesAt + slot * coldDoubles
    const state = words[base + word.state]!
    // A torn count may be anything; it is rejected afterwards, but must not lead the loops astray first.
    const bids = Math.min(bidsOf(state), levels)
    const asks = Math.min(asksOf(state), levels)
    for (let i = 0; i < bids; i++) {
      const hot = i < hotLevels
      const step = coldStep(i)
      into.bidMicros[i] = words[hot ? base + word.bidPrices + i : coldBase + coldWord.bidPrices + step]!
      into.bidSizes[i] = doubles[hot ? head + double.bidSizes + i : coldHead + coldDouble.bidSizes + step]!
    }
    for (let i = 0; i < asks; i++) {
      const hot = i < hotLevels
      const step = coldStep(i)
      into.askMicros[i] = words[hot ? base + word.askPrices + i : coldBase + coldWord.askPrices + step]!
      into.askSizes[i] = doubles[hot ? head + double.askSizes + i : coldHead + coldDouble.askSizes + step]!
    }
    into.bids = bids
    into.asks = asks
    into.stale = !isLive(state)
    into.seq = doubles[coldHead + coldDouble.seq]!
    into.recvTs = doubles[head + double.recvTs]!
    into.eventTs = doubles[head + double.eventTs]!
    into.lastTradeMicros = doubles[coldHead + coldDouble.lastTradeMicros]!
    into.lastTradeTs = doubles[coldHead + coldDouble.lastTradeTs]!
    into.breaks = words[base + word.breaks]!
  }
}
