// The assets (token ids) subscribed by one connection, found by id string or directly by the bytes of a frame.
import type { BookWriter } from '../../venue.ts'
import { HashState } from './bookHash.ts'
import { MessageTemplates } from './messageTemplates.ts'
import { RecentChanges } from './recentChanges.ts'

/** What a connection knows about one asset's book beyond its levels. Times are the venue's, epoch ms. */
export class AssetState {
  readonly id: string
  /** Time of the snapshot the book is based on; −∞ before one. Older changes are already included. */
  baseTs = Number.NEGATIVE_INFINITY
  /** Newest change or snapshot seen. */
  lastTs = Number.NEGATIVE_INFINITY
  /** Event time of our last commit to the book: a different value there means that a snapshot was written elsewhere. */
  committedTs: number | null = null
  /** False until a snapshot of ours (or one found in the book) is the base, and again once the book broke. */
  based = false
  /** This connection has sent a snapshot or a change for it. */
  isFed = false
  lastTradeTs = Number.NEGATIVE_INFINITY
  tickMicros = -1
  /** Consecutive `best_bid_ask` events that disagreed with the book. */
  bestMismatches = 0
  /** The `receive` round in which this asset was last touched, so that each frame checks it once. */
  touchedBy = -1
  /** The applier's findings and decisions in that round. */
  book: BookWriter | undefined = undefined
  mode = 0
  lastRow = 0
  /** The asset that followed this one last time. */
  follower: AssetState | null = null
  readonly recent = new RecentChanges()
  readonly hashes = new HashState()
  /** The id's bytes as doubles for comparison eight at a time; the last one overlaps. */
  readonly words: Float64Array
  /** Bytes of the condition id last checked on this asset's frames, in the same form; initially empty. */
  marketWords = new Float64Array(0)

  constructor(id: string) {
    this.id = id
    this.words = wordsOf(id)
  }
}

const wordBytes = 8

/** Offsets at which a text of `length` bytes is read as doubles: every 8 bytes and once more flush with its end. */
export const wordCount = (length: number): number => Math.ceil(length / wordBytes)
export const wordOffset = (index: number, length: number): number =>
  Math.min(index * wordBytes, Math.max(0, length - wordBytes))

/** ASCII text as overlapping little-endian doubles. ASCII bytes never form a NaN or a zero, so `===` compares the bytes. */
export function wordsOf(text: string): Float64Array {
  const bytes = Buffer.from(text.padEnd(wordBytes, '\0'), 'latin1')
  const words = new Float64Array(wordCount(text.length))
  for (let i = 0; i < words.length; i++) words[i] = bytes.readDoubleLE(wordOffset(i, text.length))
  return words
}

/** Shortest id found by bytes; the venue's have 70 to 78 digits. Shorter ones (tests) are found by string only. */
export const scannedIdLengthMin = 24
/** At least twice as many slots as assets, which keeps probes short. */
const slotsMin = 64

/** Mixes 12 of the first 24 digits. Ids are keccak hashes in decimal, so their digits are effectively random. */
export const hashWords = (a: number, b: number, c: number): number => {
  const mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35)
  return mixed ^ (mixed >>> 15)
}

export class AssetTable {
  private readonly byId = new Map<string, AssetState>()
  /** The repeating parts of these assets' frames. */
  readonly pieces = new MessageTemplates((id) => this.get(id))
  /** The asset found last. */
  private previous: AssetState | null = null
  private slots: (AssetState | null)[] = new Array<AssetState | null>(slotsMin).fill(null)

  get size(): number {
    return this.byId.size
  }

  all(): Iterable<AssetState> {
    return this.byId.values()
  }

  /** The asset, created if new. */
  add(id: string): AssetState {
    const known = this.byId.get(id)
    if (known !== undefined) return known
    const state = new AssetState(id)
    this.byId.set(id, state)
    this.pieces.clear()
    if (this.byId.size * 2 > this.slots.length) this.rebuild(this.slots.length * 2)
    else this.place(state)
    return state
  }

  remove(id: string): void {
    if (!this.byId.delete(id)) return
    this.previous = null
    this.pieces.clear()
    for (const state of this.byId.values()) state.follower = null
    this.rebuild(this.slots.length)
  }

  get(id: string): AssetState | null {
    return this.byId.get(id) ?? null
  }

  /** The asset whose id is at `at` with `length` bytes, null when it is not one of ours. Compares every byte. */
  find(view: DataView, at: number, length: number): AssetState | null {
    // The two tokens of a market alternate, so the one that followed last time is tried first.
    const expected = this.previous?.follower ?? null
    if (expected !== null && expected.id.length === length && sameWords(view, at, length, expected.words)) {
      this.previous = expected
      return expected
    }
    const found = this.probe(view, at, length)
    if (found !== null) {
      if (this.previous !== null) this.previous.follower = found
      this.previous = found
    }
    return found
  }

  private probe(view: DataView, at: number, length: number): AssetState | null {
    const { slots } = this
    const mask = slots.length - 1
    let slot = hashWords(view.getInt32(at, true), view.getInt32(at + 8, true), view.getInt32(at + 16, true)) & mask
    for (;;) {
      const state = slots[slot] as AssetState | null
      if (state === null) return null
      if (state.id.length === length && sameWords(view, at, length, state.words)) return state
      slot = (slot + 1) & mask
    }
  }

  private place(state: AssetState): void {
    if (state.id.length < scannedIdLengthMin) return
    const bytes = Buffer.from(state.id, 'latin1')
    const mask = this.slots.length - 1
    let slot = hashWords(bytes.readInt32LE(0), bytes.readInt32LE(8), bytes.readInt32LE(16)) & mask
    while (this.slots[slot] !== null) slot = (slot + 1) & mask
    this.slots[slot] = state
  }

  private rebuild(length: number): void {
    this.slots = new Array<AssetState | null>(length).fill(null)
    for (const state of this.byId.values()) this.place(state)
  }
}

/** Whether the `length` bytes at `at` are the text `words` was built from. */
export function sameWords(view: DataView, at: number, length: number, words: Float64Array): boolean {
  const last = words.length - 1
  for (let i = 0; i < last; i++) if (view.getFloat64(at + i * wordBytes, true) !== words[i]) return false
  return view.getFloat64(at + length - wordBytes, true) === words[last]
}
