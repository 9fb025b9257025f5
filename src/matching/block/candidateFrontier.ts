// The result of a market's candidate search, as far as needed to decide whether a market added later would have been a candidate.
import { copied } from './growableArrays.ts'

const none = -1
/** Not searched yet. */
const unknown = -2

export class SearchFrontier {
  private lasts = new Int32Array(1_024).fill(unknown)
  private scores = new Int32Array(1_024)
  private stops = new Int32Array(1_024).fill(none)
  private counts = new Int32Array(1_024)
  private readonly byTerm = new Map<number, number[]>()

  /** The last of its candidates, with its score; null if none was cut off. */
  set(slot: number, last: number | null, score: number): void {
    this.ensureCapacity(slot)
    this.lasts[slot] = last ?? none
    this.scores[slot] = score
  }

  /** Its search ended before `term`, which `count` markets name; null if it went through all of its own. */
  stop(slot: number, term: number | null, count: number): void {
    this.ensureCapacity(slot)
    this.stops[slot] = term ?? none
    this.counts[slot] = count
  }

  /** It was searched by a common term, which is rare. */
  add(term: number, slot: number): void {
    const slots = this.byTerm.get(term)
    if (slots === undefined) this.byTerm.set(term, [slot])
    else slots.push(slot)
  }

  by(term: number): readonly number[] {
    return this.byTerm.get(term) ?? []
  }

  has(slot: number): boolean {
    return (this.lasts[slot] ?? unknown) !== unknown
  }

  lastOf(slot: number): { last: number | null; score: number } {
    const last = this.lasts[slot]!
    return { last: last < 0 ? null : last, score: this.scores[slot]! }
  }

  /** Whether its search reached `term`, which `count` markets name. */
  reached(slot: number, term: number, count: number): boolean {
    const stop = this.stops[slot]!
    return stop === none || count < this.counts[slot]! || (count === this.counts[slot] && term < stop)
  }

  private ensureCapacity(slot: number): void {
    const { length } = this.lasts
    if (slot < length) return
    this.lasts = copied(new Int32Array(slot * 2).fill(unknown), this.lasts)
    this.scores = copied(new Int32Array(slot * 2), this.scores)
    this.stops = copied(new Int32Array(slot * 2).fill(none), this.stops)
    this.counts = copied(new Int32Array(slot * 2), this.counts)
  }
}
