// Markets as the matcher remembers them between runs: each question read once, with an index of the terms by which it can be found.

import type { MatchEdge } from '../cluster/cluster.ts'
import { compareQuestions } from '../compare/compare.ts'
import { anyBegins, startsBetween } from '../compare/fields/windowStart.ts'
import { relate } from '../compare/relation.ts'
import { SecondOpinions } from '../decide/templates/secondOpinions.ts'
import type { MatchBand } from '../match.ts'
import { compose } from '../read/eventQuestion.ts'
import { type MatchInput, marketKey } from '../read/input.ts'
import { readQuestion } from '../read/parsedMarket.ts'
import type { Question } from '../read/question.ts'
import { TextCache } from '../read/textCache.ts'
import { CandidateIndex, type CandidateOptions } from './candidates.ts'
import { Fingerprints } from './fingerprints.ts'
import { copied } from './growableArrays.ts'
import { cannotMatch, mayBeReworded } from './prefilter.ts'

export interface Compared {
  edges: Required<MatchEdge>[]
  /** Pairs compared. */
  compared: number
  bands: Record<MatchBand, number>
}

export interface KnownOptions extends CandidateOptions {
  /** When the markets are read, epoch ms. */
  asOf?: number | null
}

/** Pairs per run that are compared only because a decision on their wording may settle them: a second of time at most. */
const rewordedMax = 20_000

/** Share of slots of deleted or changed markets above which an index is rebuilt. */
const wornShare = 0.25

export class Corpus {
  private readonly index: CandidateIndex
  private readonly questions: Question[] = []
  private readonly signs = new Fingerprints()
  private live = 0
  private asOf: number | null
  private opinions = new SecondOpinions()

  /** Of equally good candidates the first ones are taken: pass the same markets in the same order. */
  constructor(markets: Iterable<MatchInput>, { asOf = null, ...options }: KnownOptions = {}) {
    this.index = new CandidateIndex([], options)
    this.asOf = asOf
    this.putAll(markets)
  }

  /** Texts they have in common are read once. */
  putAll(markets: Iterable<MatchInput>): void {
    const shared = new TextCache()
    for (const market of markets) {
      this.drop(marketKey(market))
      this.take(market, shared)
    }
  }

  put(market: MatchInput): void {
    this.putAll([market])
  }

  drop(key: string): void {
    if (this.index.slotOf(key) === undefined) return
    this.index.drop(key)
    this.live--
  }

  /** The decisions used from now on. */
  useOpinions(opinions: SecondOpinions): void {
    this.opinions = opinions
  }

  /** Whether most of the index is obsolete. */
  get worn(): boolean {
    return this.index.taken > 1_000 && this.live < this.index.taken * (1 - wornShare)
  }

  /** Time has passed: keys of those that must be put again, since a window they name has begun. */
  turn(now: number): string[] {
    const before = this.asOf
    this.asOf = now
    if (before === null || now <= before || !anyBegins(before, now)) return []
    const live = (question: Question, slot: number): boolean => this.index.slotOf(question.key) === slot
    return this.questions
      .filter((question, slot) => startsBetween(question, before, now) && live(question, slot))
      .map(({ key }) => key)
  }

  /** The pairs of these markets worth keeping. `all`: every market is among them. */
  compare(keys: Iterable<string>, keep: (edge: Required<MatchEdge>) => boolean, all = true): Compared {
    const bands: Compared['bands'] = { verified: 0, minor: 0, material: 0, hidden: 0, unscored: 0 }
    const edges: Required<MatchEdge>[] = []
    const searched = new Neighbours(this.index.taken)
    let reworded = 0
    for (const key of keys) {
      const slot = this.index.slotOf(key)
      if (slot === undefined || searched.has(slot)) continue
      const question = this.questions[slot]!
      const near = this.index.near(slot, this.signs, !all)
      for (const other of near) {
        // Most pairs are found from both sides.
        if (searched.found(other, slot)) continue
        const candidate = this.questions[other]!
        if (cannotMatch(question, candidate)) {
          const isTried = reworded < rewordedMax && mayBeReworded(question, candidate)
          if (isTried) reworded++
          const decided = isTried ? this.edgeOf(question, candidate, true) : null
          if (decided?.result.matchBand !== 'verified') {
            bands.hidden++
            continue
          }
          bands.verified++
          if (keep(decided)) edges.push(decided)
          continue
        }
        const edge = this.edgeOf(question, candidate, true)
        bands[edge.result.matchBand]++
        if (worthKnowing(edge.result.matchBand) && keep(edge)) edges.push(edge)
      }
      searched.add(slot, near)
    }
    return { edges, compared: Object.values(bands).reduce((sum, count) => sum + count, 0), bands }
  }

  /** The matcher's verdict on any two, by their keys. */
  comparePair(a: string, b: string): Required<MatchEdge> {
    return this.edgeOf(this.question(a), this.question(b), false)
  }

  /** The same, including certain relations between two clearly different questions, about names known to be two entrants. */
  compareRivals(a: string, b: string): Required<MatchEdge> {
    const edge = this.comparePair(a, b)
    const { relation, sure, sureIfTwo } = relate(this.question(edge.a), this.question(edge.b), edge.result)
    return relation === 'disjoint' && (sure || sureIfTwo === true)
      ? { ...edge, relation, relationBand: 'verified' }
      : edge
  }

  /** A market as read, by its key. */
  question(key: string): Question {
    return this.questions[this.index.slotOf(key)!]!
  }

  private edgeOf(one: Question, two: Question, record: boolean): Required<MatchEdge> {
    const [a, b] = one.key < two.key ? [one, two] : [two, one]
    return this.opinions.edgeOf(a, b, compareQuestions(a, b), record)
  }

  private take(market: MatchInput, shared: TextCache): void {
    const text = compose(market)
    const question = readQuestion(market, { text, asOf: this.asOf, shared })
    const slot = this.index.taken
    this.questions[slot] = question
    this.index.put(market, text, this.signs.set(slot, question))
    this.live++
  }
}

/** The markets each searched market has found. */
class Neighbours {
  /** Start and length of a slot's own. */
  private readonly starts: Int32Array
  private readonly counts: Int32Array
  private slots = new Int32Array(1_024)
  private end = 0

  constructor(slots: number) {
    this.starts = new Int32Array(slots).fill(-1)
    this.counts = new Int32Array(slots)
  }

  add(slot: number, found: readonly number[]): void {
    if (this.end + found.length > this.slots.length)
      this.slots = copied(new Int32Array((this.end + found.length) * 2), this.slots)
    this.slots.set(found, this.end)
    this.starts[slot] = this.end
    this.counts[slot] = found.length
    this.end += found.length
  }

  has(slot: number): boolean {
    return this.starts[slot] !== -1
  }

  found(slot: number, other: number): boolean {
    const start = this.starts[slot]!
    if (start === -1) return false
    const end = start + this.counts[slot]!
    for (let at = start; at < end; at++) if (this.slots[at] === other) return true
    return false
  }
}

const worthKnowing = (band: MatchBand): boolean => band !== 'hidden' && band !== 'unscored'
