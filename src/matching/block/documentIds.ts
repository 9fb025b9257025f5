// The markets of an index, side by side: each has its own slot, and gets a new one whenever its words change.

import { type MatchInput, marketKey } from '../read/input.ts'
import { copied } from './growableArrays.ts'
import { type FingerprintField, sketchSize } from './minHash.ts'

/** Venue of a slot whose market is deleted. */
export const deletedSlot = -1

export class DocumentIds {
  private readonly byKey = new Map<string, number>()
  private readonly keys: string[] = []
  private readonly venues = new Map<string, number>()
  readonly kinds: number[] = []
  /** Sketch of slot s is from `s * sketchSize`. */
  sketches = new Int32Array(1_024 * sketchSize)
  venueOf = new Int16Array(1_024)
  /** Terms of slot s are at `starts[s]` to `starts[s + 1]`. */
  starts = new Int32Array(1_025)
  terms = new Int32Array(1_024)
  /** Taken since the index was built, including those of deleted markets. */
  taken = 0

  /** Markets that can be found. */
  get size(): number {
    return this.byKey.size
  }

  /** Its terms must follow immediately. */
  take(market: MatchInput, { kind, sketch }: FingerprintField): number {
    const slot = this.taken++
    if (slot >= this.venueOf.length) {
      this.venueOf = copied(new Int16Array(slot * 2), this.venueOf)
      this.starts = copied(new Int32Array(slot * 2 + 1), this.starts)
      this.sketches = copied(new Int32Array(slot * 2 * sketchSize), this.sketches)
    }
    this.keys.push(marketKey(market))
    this.byKey.set(this.keys[slot]!, slot)
    this.kinds.push(kind)
    this.sketches.set(sketch, slot * sketchSize)
    if (!this.venues.has(market.venue)) this.venues.set(market.venue, this.venues.size)
    this.venueOf[slot] = this.venues.get(market.venue)!
    this.starts[slot + 1] = this.starts[slot]!
    return slot
  }

  /** Adds a term to the slot taken last. */
  addTerm(term: number): void {
    const at = this.starts[this.taken]!++
    if (at >= this.terms.length) this.terms = copied(new Int32Array(at * 2), this.terms)
    this.terms[at] = term
  }

  drop(key: string): number | undefined {
    const slot = this.byKey.get(key)
    if (slot === undefined) return undefined
    this.byKey.delete(key)
    this.venueOf[slot] = deletedSlot
    return slot
  }

  of(key: string): number | undefined {
    return this.byKey.get(key)
  }

  termsOf(slot: number): Int32Array {
    return this.terms.subarray(this.starts[slot]!, this.starts[slot + 1]!)
  }

  /** Of another venue, and not deleted. */
  isOther(slot: number, other: number): boolean {
    const venue = this.venueOf[other]!
    return venue !== deletedSlot && venue !== this.venueOf[slot]
  }

  /** By key: an order unaffected by changes of other markets. */
  compare(a: number, b: number): number {
    const [x, y] = [this.keys[a]!, this.keys[b]!]
    return x < y ? -1 : x > y ? 1 : 0
  }
}
