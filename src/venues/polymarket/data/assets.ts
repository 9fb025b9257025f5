// The assets (token ids) subscribed by one connection, found by id string or directly by the bytes of a frame.
import { sameWords } from './asciiWords.ts'
import { AssetState } from './assetState.ts'
import { MessageTemplates } from './messageTemplates.ts'

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
