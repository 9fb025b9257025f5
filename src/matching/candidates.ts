// Which pairs are worth comparing: an inverted index over what questions are about, weighted by rarity. Markets come and go; the index stays.

import { indexTerms } from './indexTerms.ts'
import { type MatchInput, marketKey } from './input.ts'
import { copied } from './room.ts'

export interface Candidate {
  /** Slot of the other market: its position in the list the index was built from, and so on for those put in later. */
  index: number
  /** Sum of the rarities of what both name; only its order means something. */
  weight: number
}

export interface CandidateOptions {
  /** Candidates kept for one market over all other venues. */
  k?: number
  /** Postings longer than this add weight to markets already found and find none themselves. */
  common?: number
}

/** What a sum of rarities may lose by the order of its terms. */
const sumSlack = 1e-6
/** What each term of a text takes off. */
const lengthCost = 0.05
/** Venue of a slot whose market is gone. */
const gone = -1
const never = (): boolean => false

export class CandidateIndex {
  private readonly slots = new Map<string, number>()
  private readonly venues = new Map<string, number>()
  private readonly ids = new Map<string, number>()
  /** Slots by term, in the order in which they were taken. */
  private readonly postings: number[][] = []
  private venueOf = new Int16Array(1_024)
  /** Terms of slot s stand from `starts[s]` to `starts[s + 1]`. */
  private starts = new Int32Array(1_025)
  private terms = new Int32Array(1_024)
  /** Slots taken since the index was built, those of markets that are gone as well. */
  taken = 0
  /** Markets that can be found. */
  private size = 0
  private readonly common: number
  private readonly k: number
  private weights = new Float64Array(1_024)
  private touched = new Int32Array(1_024)
  private scores = new Float64Array(1_024)
  /** Scores without their slots, to be put in any order. */
  private values = new Float64Array(1_024)
  /** By term: 1 for those that are being raised, whose rarities stand in `shared`. */
  private raising = new Uint8Array(1_024)
  private shared = new Float64Array(1_024)
  /** By slot: what the last of its candidates had; the least there is where none had to go. */
  private floors = new Float64Array(1_024).fill(Number.NEGATIVE_INFINITY)

  constructor(markets: readonly MatchInput[], options: CandidateOptions = {}) {
    this.k = options.k ?? 50
    this.common = options.common ?? 400
    for (const market of markets) this.take(market)
  }

  /** A market whose words changed takes a new slot. `text`: its composed sentence, where somebody has it. */
  put(market: MatchInput, text?: string): number {
    this.drop(marketKey(market))
    return this.take(market, text)
  }

  private take(market: MatchInput, text?: string): number {
    const slot = this.taken++
    if (slot >= this.venueOf.length) {
      this.venueOf = copied(new Int16Array(slot * 2), this.venueOf)
      this.floors = copied(new Float64Array(slot * 2).fill(Number.NEGATIVE_INFINITY), this.floors)
      this.starts = copied(new Int32Array(slot * 2 + 1), this.starts)
    }
    this.slots.set(marketKey(market), slot)
    this.size++
    this.venueOf[slot] = idOf(this.venues, market.venue)
    let at = this.starts[slot]!
    for (const term of indexTerms(market, text)) {
      const id = idOf(this.ids, term)
      if (at >= this.terms.length) this.terms = copied(new Int32Array(at * 2), this.terms)
      this.terms[at++] = id
      const posting = this.postings[id]
      if (posting === undefined) this.postings.push([slot])
      else posting.push(slot)
    }
    this.starts[slot + 1] = at
    return slot
  }

  drop(key: string): void {
    const slot = this.slots.get(key)
    if (slot === undefined) return
    this.venueOf[slot] = gone
    this.slots.delete(key)
    this.size--
  }

  slotOf(key: string): number | undefined {
    return this.slots.get(key)
  }

  /** Best first; equal weights keep the order of the slots, so the same list always gives the same candidates. */
  find(slot: number, k: number = this.k): Candidate[] {
    const { rest, found } = this.meet(slot, k, never)
    this.raise(rest, found, k)
    return this.select(found, k)
      .map((index) => ({ index, weight: this.scores[index]! }))
      .sort((a, b) => b.weight - a.weight || a.index - b.index)
  }

  /**
   * Slots of the candidates that are not `apart`, in no order. `both`: and of those who would have this one among theirs, as they last
   * stood; needed where they are not asked themselves.
   */
  near(slot: number, apart: (slot: number, other: number) => boolean, both = false): number[] {
    const { rest, found, left } = this.meet(slot, this.k, apart)
    // Who is better than whom only counts where somebody has to go.
    if (left > this.k) this.raise(rest, found, both ? found : this.k)
    const own = lengthCost * (this.starts[slot + 1]! - this.starts[slot]!)
    const asking = both && left > this.k ? this.whoAsk(found, own) : []
    const best = this.select(found, this.k)
    this.floors[slot] =
      best.length < left ? Math.min(...best.map((other) => this.scores[other]!)) : Number.NEGATIVE_INFINITY
    return asking.length === 0 ? best : [...new Set([...best, ...asking])]
  }

  /** Of those found, who would take a market that costs so much for its length; of those to whom it is as good as another, a few. */
  private whoAsk(found: number, cost: number): number[] {
    const asking: number[] = []
    const level: number[] = []
    for (let at = 0; at < found; at++) {
      const other = this.touched[at]!
      const more = this.weights[other]! - cost - this.floors[other]!
      if (more > sumSlack) asking.push(other)
      else if (more > -sumSlack && level.length < this.k) level.push(other)
    }
    return asking.concat(level)
  }

  /** Everybody on the rarer postings gets their weights; the terms that are left find nobody new. */
  private meet(
    slot: number,
    k: number,
    apart: (slot: number, other: number) => boolean,
  ): { rest: readonly number[]; found: number; left: number } {
    this.makeRoom()
    const { postings, venueOf, weights, touched } = this
    const own = [...this.terms.subarray(this.starts[slot]!, this.starts[slot + 1]!)].sort(
      (a, b) => postings[a]!.length - postings[b]!.length || a - b,
    )
    const venue = venueOf[slot]!
    let [found, left, at] = [0, 0, 0]
    for (; at < own.length; at++) {
      const posting = postings[own[at]!]!
      if (posting.length > this.common && found >= k) break
      const rarity = this.rarityOf(posting)
      for (const other of posting) {
        const theirs = venueOf[other]!
        if (theirs === venue || theirs === gone) continue
        if (weights[other] === 0) {
          touched[found++] = other
          if (apart(slot, other)) weights[other] = Number.NEGATIVE_INFINITY
          else left++
        }
        weights[other]! += rarity
      }
    }
    return { rest: own.slice(at), found, left }
  }

  private rarityOf(posting: readonly number[]): number {
    return Math.log(1 + this.size / posting.length)
  }

  /** Adds common terms to the markets found so far, by looking into each that may yet be among the best. */
  private raise(terms: readonly number[], found: number, k: number): void {
    if (terms.length === 0) return
    const { shared, raising, touched, starts, weights } = this
    let most = 0
    for (const term of terms) {
      shared[term] = this.rarityOf(this.postings[term]!)
      raising[term] = 1
      most += shared[term]!
    }
    const floor = this.floorOf(found, k)
    for (let at = 0; at < found; at++) {
      const other = touched[at]!
      if (weights[other]! < 0) continue
      const start = starts[other]!
      const end = starts[other + 1]!
      // Not even with all of them.
      if (weights[other]! - lengthCost * (end - start) + most + sumSlack < floor) {
        weights[other] = Number.NEGATIVE_INFINITY
        continue
      }
      let sum = 0
      for (let place = start; place < end; place++) {
        const term = this.terms[place]!
        if (raising[term] === 1) sum += shared[term]!
      }
      weights[other]! += sum
    }
    for (const term of terms) raising[term] = 0
  }

  /** What k of those found have already. */
  private floorOf(found: number, k: number): number {
    const { touched, starts, weights, values } = this
    let left = 0
    for (let at = 0; at < found; at++) {
      const other = touched[at]!
      if (weights[other]! >= 0) values[left++] = weights[other]! - lengthCost * (starts[other + 1]! - starts[other]!)
    }
    return left > k ? largest(values, left, k) : Number.NEGATIVE_INFINITY
  }

  /** What two markets share, measured against all both name: a long text full of common words is no candidate for everything. */
  private select(found: number, k: number): number[] {
    const { touched, scores, weights, starts, values } = this
    let left = 0
    for (let at = 0; at < found; at++) {
      const other = touched[at]!
      const score = weights[other]! - lengthCost * (starts[other + 1]! - starts[other]!)
      weights[other] = 0
      if (score === Number.NEGATIVE_INFINITY) continue
      scores[other] = score
      touched[left] = other
      values[left++] = score
    }
    const floor = left > k ? largest(values, left, k) : Number.NEGATIVE_INFINITY
    const best: number[] = []
    const level: number[] = []
    for (let at = 0; at < left; at++) {
      const other = touched[at]!
      if (scores[other]! > floor) best.push(other)
      else if (scores[other] === floor) level.push(other)
    }
    level.sort((a, b) => a - b)
    for (const other of level) if (best.length < k) best.push(other)
    return best
  }

  private makeRoom(): void {
    if (this.weights.length < this.taken) {
      const room = Math.ceil(this.taken * 1.25)
      this.weights = new Float64Array(room)
      this.scores = new Float64Array(room)
      this.values = new Float64Array(room)
      this.touched = new Int32Array(room)
    }
    if (this.shared.length < this.ids.size) {
      this.shared = new Float64Array(Math.ceil(this.ids.size * 1.25))
      this.raising = new Uint8Array(this.shared.length)
    }
  }
}

/** The k-th largest of the first so many values; their order is lost. */
function largest(values: Float64Array, count: number, k: number): number {
  let [low, high] = [0, count - 1]
  const target = count - k
  while (low < high) {
    const pivot = values[(low + high) >> 1]!
    let [left, right] = [low, high]
    while (left <= right) {
      while (values[left]! < pivot) left++
      while (values[right]! > pivot) right--
      if (left > right) break
      const held = values[left]!
      values[left++] = values[right]!
      values[right--] = held
    }
    if (target <= right) high = right
    else if (target >= left) low = left
    else break
  }
  return values[target]!
}

function idOf(ids: Map<string, number>, name: string): number {
  const known = ids.get(name)
  if (known !== undefined) return known
  ids.set(name, ids.size)
  return ids.size - 1
}

/** Every candidate pair once, as positions in the list, the smaller first. */
export function candidatePairs(markets: readonly MatchInput[], options: CandidateOptions = {}): [number, number][] {
  const index = new CandidateIndex(markets, options)
  const seen = new Set<number>()
  const pairs: [number, number][] = []
  for (let at = 0; at < markets.length; at++) {
    for (const { index: other } of index.find(at)) {
      const [low, high] = at < other ? [at, other] : [other, at]
      const code = low * markets.length + high
      if (seen.has(code)) continue
      seen.add(code)
      pairs.push([low, high])
    }
  }
  return pairs
}
