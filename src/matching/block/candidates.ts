// Which pairs are worth comparing: an inverted index over what questions are about, weighted by rarity. Markets are added and removed; the index
// stays.

import { type MatchInput, marketKey } from '../read/input.ts'
import { SearchFrontier } from './candidateFrontier.ts'
import { type Disjoint, emptyBlocker } from './disjointByBits.ts'
import { DocumentIds } from './documentIds.ts'
import { indexTerms } from './indexTerms.ts'
import { disjointSketches, type FingerprintField, noFingerprint, type Sketched, sketchSize } from './minHash.ts'
import { entrySize, type KindList, Postings } from './postings.ts'
import { largest } from './topK.ts'

export interface Candidate {
  /**
   * Slot of the other market: its position in the list the index was built from, continuing for markets added later.
   */
  index: number
  /** Sum of the rarities of the shared terms; only its order is meaningful. */
  weight: number
}

export interface CandidateOptions {
  /** Candidates kept per market over all other venues. */
  k?: number
  /** Postings longer than this add weight to markets already found and find none themselves. */
  common?: number
}

/** Weights are whole numbers, so that sums of the same terms are equal whatever the order of addition. */
const unit = 100_000
/** Deduction per term of a text. */
const lengthCost = 0.05 * unit
/** Weight of markets known to differ; no sum of rarities raises it above 0. */
const out = -(2 ** 30)

/** How one kind is searched. */
interface Pass {
  apart: Disjoint
  by: Sketched
  k: number
}

export class CandidateIndex {
  private readonly slots = new DocumentIds()
  private readonly postings = new Postings(this.slots)
  private readonly common: number
  private readonly k: number
  private weights = new Int32Array(1_024)
  private touched = new Int32Array(1_024)
  private scores = new Int32Array(1_024)
  /** Scores without their slots, for reordering. */
  private values = new Int32Array(1_024)
  /** Number of markets touched, and how many of them are not known to differ. */
  private found = 0
  private left = 0
  /** By term: 1 for those being added, whose rarities are in `shared`. */
  private raising = new Uint8Array(1_024)
  private shared = new Int32Array(1_024)
  private readonly frontier = new SearchFrontier()

  constructor(markets: readonly MatchInput[], options: CandidateOptions = {}) {
    this.k = options.k ?? 50
    this.common = options.common ?? 400
    for (const market of markets) this.take(market)
  }

  /** A market whose words changed takes a new slot. `text`: its composed sentence, if already available. */
  put(market: MatchInput, text?: string, sign?: FingerprintField): number {
    this.drop(marketKey(market))
    return this.take(market, text, sign)
  }

  private take(market: MatchInput, text?: string, sign: FingerprintField = noFingerprint): number {
    const slot = this.slots.take(market, sign)
    for (const term of indexTerms(market, text)) this.slots.addTerm(this.postings.add(term, slot))
    return slot
  }

  drop(key: string): void {
    const slot = this.slots.drop(key)
    if (slot === undefined) return
    for (const term of this.slots.termsOf(slot)) this.postings.of(term).live--
  }

  slotOf(key: string): number | undefined {
    return this.slots.of(key)
  }

  /** Slots taken since the index was built, including those of deleted markets. */
  get taken(): number {
    return this.slots.taken
  }

  /** Best first; equal weights are ordered by key, so that the same markets always give the same candidates. */
  find(slot: number, k: number = this.k): Candidate[] {
    this.raise(this.meet(slot, k, emptyBlocker), k)
    return this.select(k)
      .map((index) => ({ index, weight: this.scores[index]! }))
      .sort((a, b) => b.weight - a.weight || this.slots.compare(a.index, b.index))
  }

  /**
   * Slots of the candidates that are not known to differ, unordered. `both`: also those that would have this one among their
   * candidates as of their last search; needed if they are not searched themselves.
   */
  near(slot: number, apart: Disjoint = emptyBlocker, both = false): number[] {
    const rest = this.meet(slot, this.k, apart)
    const { left } = this
    // The ranking only matters if some must be cut off.
    if (left > this.k) this.raise(rest, both ? this.found : this.k)
    const reverse = both ? this.findReverse(slot, rest, apart) : []
    const best = this.select(this.k)
    const last = best.length < left ? best.reduce((a, b) => (this.isBetter(b, a) ? a : b)) : null
    this.remember(slot, last, rest)
    return reverse.length === 0 ? best : [...new Set([...best, ...reverse])]
  }

  private remember(slot: number, last: number | null, rest: readonly number[]): void {
    this.frontier.set(slot, last, last === null ? out : this.scores[last]!)
    const [stop = null] = rest
    this.frontier.stop(slot, stop, stop === null ? 0 : this.postings.of(stop).live)
    for (const term of this.slots.termsOf(slot))
      if (this.postings.of(term).live > this.common && !rest.includes(term)) this.frontier.add(term, slot)
  }

  /** Searched markets that would have found this one and have no better candidates. */
  private findReverse(slot: number, rest: readonly number[], apart: Disjoint): number[] {
    const reverse: number[] = []
    const own = this.slots.termsOf(slot)
    const cost = lengthCost * own.length
    for (const term of own) this.mark(term)
    const consider = (other: number): void => {
      // A market not searched yet will find it.
      if (!this.frontier.has(other)) return
      const [sum, rarest] = this.sharedWith(other)
      const { score, last } = this.frontier.lastOf(other)
      const better =
        last === null || sum - cost > score || (sum - cost === score && this.slots.compare(slot, last) <= 0)
      if (better && this.frontier.reached(other, rarest, this.postings.of(rarest).live)) reverse.push(other)
    }
    if (this.left > this.k)
      for (let at = 0; at < this.found; at++) if (this.weights[this.touched[at]!]! > 0) consider(this.touched[at]!)
    const more = new Set<number>()
    for (const term of rest) for (const other of this.frontier.by(term)) if (this.weights[other] === 0) more.add(other)
    for (const other of more) if (this.slots.isOther(slot, other) && !apart.slots(slot, other)) consider(other)
    for (const term of own) this.raising[term] = 0
    return reverse
  }

  /** The rarities of the marked terms it shares: their sum, and the rarest. */
  private sharedWith(other: number): [sum: number, rarest: number] {
    let [sum, rarest] = [0, -1]
    for (const term of this.slots.termsOf(other)) {
      if (this.raising[term] === 0) continue
      sum += this.shared[term]!
      if (rarest === -1 || this.byCount(term, rarest) < 0) rarest = term
    }
    return [sum, rarest]
  }

  /** Rarest first. */
  private byCount(a: number, b: number): number {
    return this.postings.of(a).live - this.postings.of(b).live || a - b
  }

  /** Weighs every market on the rarer postings; the remaining terms find no new ones. */
  private meet(slot: number, k: number, apart: Disjoint): readonly number[] {
    this.ensureCapacity()
    const { postings } = this
    const own = [...this.slots.termsOf(slot)].sort((a, b) => postings.of(a).live - postings.of(b).live || a - b)
    this.found = 0
    this.left = 0
    let at = 0
    for (; at < own.length; at++) {
      const term = own[at]!
      const { live, slots, kinds } = postings.of(term)
      if (live > this.common && this.found >= k) break
      const rarity = this.rarityOf(live)
      if (kinds === null) this.touch(slot, slots, rarity, apart)
      else {
        const own = this.slots.kinds[slot]!
        for (const [kind, those] of kinds) {
          if (!apart.kinds(own, kind)) this.touchKind(slot, those, rarity, { apart, by: apart.sketched(own, kind), k })
          else if (this.found < k) this.count(slot, those, k)
        }
      }
    }
    return own.slice(at)
  }

  private touch(slot: number, others: readonly number[], rarity: number, apart: Disjoint): void {
    for (const other of others) this.weigh(slot, other, rarity, apart)
  }

  private weigh(slot: number, other: number, rarity: number, apart: Disjoint): void {
    const { weights } = this
    if (!this.slots.isOther(slot, other)) return
    if (weights[other] === 0) {
      this.touched[this.found++] = other
      if (apart.slots(slot, other)) weights[other] = out
      else this.left++
    }
    weights[other]! += rarity
  }

  /** Those whose sketches differ are passed over once enough are found: nothing else depends on them. */
  private touchKind(slot: number, list: KindList, rarity: number, { apart, by, k }: Pass): void {
    const { sketches } = this.slots
    const { entries, end } = list
    const own = slot * sketchSize
    for (let at = 0; at < end; at += entrySize) {
      if (this.found >= k && disjointSketches(by, sketches, own, entries, at + 1)) continue
      this.weigh(slot, entries[at]!, rarity, apart)
    }
  }

  /** Markets known to differ only count until there are enough. */
  private count(slot: number, { entries, end }: KindList, k: number): void {
    const { weights } = this
    for (let at = 0; at < end && this.found < k; at += entrySize) {
      const other = entries[at]!
      if (weights[other] !== 0 || !this.slots.isOther(slot, other)) continue
      this.touched[this.found++] = other
      weights[other] = out
    }
  }

  private rarityOf(live: number): number {
    return Math.round(Math.log(1 + this.slots.size / live) * unit)
  }

  private mark(term: number): void {
    this.shared[term] = this.rarityOf(this.postings.of(term).live)
    this.raising[term] = 1
  }

  private scoreOf(other: number): number {
    const { starts } = this.slots
    return this.weights[other]! - lengthCost * (starts[other + 1]! - starts[other]!)
  }

  /** Adds common terms to the markets found so far, by checking each that may still be among the best. */
  private raise(terms: readonly number[], k: number): void {
    if (terms.length === 0) return
    const { shared, raising, touched, weights } = this
    const { starts, terms: all } = this.slots
    let most = 0
    for (const term of terms) {
      this.mark(term)
      most += shared[term]!
    }
    const floor = this.floorOf(k)
    for (let at = 0; at < this.found; at++) {
      const other = touched[at]!
      if (weights[other]! < 0) continue
      // Not even with all of them.
      if (this.scoreOf(other) + most < floor) {
        weights[other] = out
        continue
      }
      let sum = 0
      for (let place = starts[other]!; place < starts[other + 1]!; place++) {
        const term = all[place]!
        if (raising[term] === 1) sum += shared[term]!
      }
      weights[other]! += sum
    }
    for (const term of terms) raising[term] = 0
  }

  /** The score that k of those found already have. */
  private floorOf(k: number): number {
    const { touched, weights, values } = this
    let left = 0
    for (let at = 0; at < this.found; at++) {
      const other = touched[at]!
      if (weights[other]! >= 0) values[left++] = this.scoreOf(other)
    }
    return left > k ? largest(values, left, k) : out
  }

  /**
   * What two markets share, relative to everything both name: a long text full of common words is not a candidate for
   * everything.
   */
  private select(k: number): number[] {
    const { touched, scores, weights, values } = this
    let left = 0
    for (let at = 0; at < this.found; at++) {
      const other = touched[at]!
      const score = this.scoreOf(other)
      const isApart = weights[other]! < 0
      weights[other] = 0
      if (isApart) continue
      scores[other] = score
      touched[left] = other
      values[left++] = score
    }
    const floor = left > k ? largest(values, left, k) : out
    const best: number[] = []
    const level: number[] = []
    for (let at = 0; at < left; at++) {
      const other = touched[at]!
      if (scores[other]! > floor) best.push(other)
      else if (scores[other] === floor) level.push(other)
    }
    if (best.length + level.length > k) level.sort((a, b) => this.slots.compare(a, b))
    for (const other of level) if (best.length < k) best.push(other)
    return best
  }

  private isBetter(a: number, b: number): boolean {
    return this.scores[a]! > this.scores[b]! || (this.scores[a] === this.scores[b] && this.slots.compare(a, b) < 0)
  }

  private ensureCapacity(): void {
    if (this.weights.length < this.slots.taken) {
      const capacity = Math.ceil(this.slots.taken * 1.25)
      this.weights = new Int32Array(capacity)
      this.scores = new Int32Array(capacity)
      this.values = new Int32Array(capacity)
      this.touched = new Int32Array(capacity)
    }
    if (this.shared.length < this.postings.terms) {
      this.shared = new Int32Array(Math.ceil(this.postings.terms * 1.25))
      this.raising = new Uint8Array(this.shared.length)
    }
  }
}
