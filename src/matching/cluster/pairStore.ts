// Pairs and groups kept between runs: what changed is regrouped together with everything connected to it, and the rest stays as it is.
import type { ClusterRow, MatchPairRow } from '#storage/postgres/matching/index'
import type { MatchBand, MatchResult } from '../match.ts'
import {
  type ClusterMember,
  compareText,
  groupsOf,
  joiningBands,
  type MatchEdge,
  type Override,
  pairKey,
} from './cluster.ts'

/** A market with everything attached to it. */
interface Knot {
  readonly key: string
  pairs: RetainedQuestion[]
  part: Part | null
  group: Group | null
  /** Its stored pairs outside of clusters; recounted in every run. */
  loose: number
}

/** A pair worth keeping. */
export interface RetainedQuestion {
  readonly edge: Required<MatchEdge>
  readonly a: Knot
  readonly b: Knot
  gone: boolean
  /** Its stored form outside of clusters, once requested and while no operator's override applies to it. */
  row: MatchPairRow | null
}

export interface Group {
  /** Sorted by key. */
  readonly members: readonly ClusterMember[]
  gone: boolean
  /** Its stored form, once requested. */
  rows: { cluster: ClusterRow; pairs: readonly MatchPairRow[] } | null
}

/** Markets connected by pairs that may join them. */
interface Part {
  knots: Knot[]
  groups: Group[]
}

export interface Change {
  /** Markets added, removed or reworded: of their pairs those in `edges` remain. */
  touched: Iterable<string>
  edges: readonly Required<MatchEdge>[]
  overrides: readonly Override[]
  /** Undefined for a market that does not trade. */
  venueOf(key: string): string | undefined
  comparePair(a: string, b: string): MatchResult
}

const bands = new Set<MatchBand>(joiningBands)

export class PairStore {
  private readonly knots = new Map<string, Knot>()
  private wordsOf = new Map<string, Override[]>()
  /** By pair. */
  private words: ReadonlyMap<string, Override> = new Map()
  /** Unordered. */
  groups: Group[] = []
  /** Most certain first; ties by key. */
  pairs: RetainedQuestion[] = []

  update(change: Change): void {
    const seeds = new Set<Knot>()
    for (const key of change.touched) this.clear(key, seeds)
    const kept = change.edges.map((edge) => this.keep(edge, seeds))
    this.applyOverrides(change.overrides, seeds)
    for (const knot of seeds) dissolve(knot, seeds)
    const groups: Group[] = []
    for (const knot of seeds) if (knot.part === null) for (const group of this.gather(knot, change)) groups.push(group)
    this.groups = this.groups.filter(({ gone }) => !gone).concat(groups)
    this.pairs = put(
      this.pairs.filter(({ gone }) => !gone),
      kept.sort(surest),
      surest,
    )
  }

  /** An operator's override of a pair. */
  wordOn({ a, b }: { a: string; b: string }): Override | undefined {
    return this.wordsOf.has(a) ? this.words.get(pairKey(a, b)) : undefined
  }

  /** What is kept of a pair. */
  between(a: string, b: string): Required<MatchEdge> | undefined {
    return this.knots.get(a)?.pairs.find(({ edge }) => edge.a === b || edge.b === b)?.edge
  }

  /** Whether the two are in one group. */
  areOne(a: string, b: string): boolean {
    const group = this.knots.get(a)?.group ?? null
    return group !== null && group === (this.knots.get(b)?.group ?? null)
  }

  private knotOf(key: string): Knot {
    const known = this.knots.get(key)
    if (known !== undefined) return known
    const knot: Knot = { key, pairs: [], part: null, group: null, loose: 0 }
    this.knots.set(key, knot)
    return knot
  }

  private clear(key: string, seeds: Set<Knot>): void {
    const knot = this.knotOf(key)
    seeds.add(knot)
    for (const pair of knot.pairs) {
      const other = pair.a === knot ? pair.b : pair.a
      pair.gone = true
      other.pairs = other.pairs.filter((each) => each !== pair)
      seeds.add(other)
    }
    knot.pairs = []
  }

  private keep(edge: Required<MatchEdge>, seeds: Set<Knot>): RetainedQuestion {
    const [a, b] = [this.knotOf(edge.a), this.knotOf(edge.b)]
    const pair: RetainedQuestion = { edge, a, b, gone: false, row: null }
    a.pairs.push(pair)
    b.pairs.push(pair)
    if (bands.has(edge.result.matchBand)) seeds.add(a).add(b)
    return pair
  }

  /** Pairs whose override changed are grouped again. */
  private applyOverrides(overrides: readonly Override[], seeds: Set<Knot>): void {
    const before = this.words
    const words = new Map(overrides.map((word) => [pairKey(word.a, word.b), word]))
    for (const pair of new Set([...before.keys(), ...words.keys()])) {
      const [old, now] = [before.get(pair), words.get(pair)]
      if (old !== undefined && now !== undefined && sameWord(old, now)) continue
      const { a, b } = (old ?? now) as Override
      seeds.add(this.knotOf(a)).add(this.knotOf(b))
    }
    this.words = words
    this.wordsOf = new Map()
    for (const word of words.values()) {
      for (const key of [word.a, word.b]) {
        const own = this.wordsOf.get(key)
        if (own === undefined) this.wordsOf.set(key, [word])
        else own.push(word)
      }
    }
  }

  /** Everything connected to one market, grouped. */
  private gather(start: Knot, change: Change): Group[] {
    const found = new Set(change.venueOf(start.key) === undefined ? [] : [start])
    for (const knot of found) {
      for (const next of this.neighbours(knot)) {
        if (found.has(next) || change.venueOf(next.key) === undefined) continue
        dissolve(next)
        found.add(next)
      }
    }
    if (found.size < 2) {
      if (start.pairs.length === 0) this.knots.delete(start.key)
      return []
    }
    const part: Part = { knots: [...found], groups: [] }
    for (const knot of found) knot.part = part
    for (const members of this.groupsAmong(found, change)) {
      const group: Group = { members, gone: false, rows: null }
      part.groups.push(group)
      for (const { key } of members) this.knotOf(key).group = group
    }
    return part.groups
  }

  /** Markets that a pair or a pin may join to one. */
  private *neighbours(knot: Knot): Iterable<Knot> {
    for (const { edge, a, b } of knot.pairs) if (bands.has(edge.result.matchBand)) yield a === knot ? b : a
    for (const { kind, a, b } of this.wordsOf.get(knot.key) ?? [])
      if (kind === 'pin') yield this.knotOf(a === knot.key ? b : a)
  }

  private groupsAmong(knots: ReadonlySet<Knot>, { venueOf, comparePair }: Change): ClusterMember[][] {
    const open = new Map<string, { venue: string }>()
    const compared = new Map<string, MatchEdge>()
    const words = new Map<string, Override>()
    for (const knot of knots) {
      open.set(knot.key, { venue: venueOf(knot.key)! })
      for (const { edge, a, b } of knot.pairs) {
        if (a === knot && knots.has(b)) compared.set(pairKey(edge.a, edge.b), edge)
      }
      for (const word of this.wordsOf.get(knot.key) ?? []) words.set(pairKey(word.a, word.b), word)
    }
    // The millions of hidden pairs are not kept; the few relevant to a cluster are compared on demand.
    return groupsOf(open, compared, words, { comparePair })
  }
}

/** Everything connected to it must be gathered again. */
function dissolve({ part }: Knot, seeds?: Set<Knot>): void {
  if (part === null) return
  for (const group of part.groups) group.gone = true
  for (const knot of part.knots) {
    knot.part = null
    knot.group = null
    seeds?.add(knot)
  }
}

/** Merges a few into many, both sorted: only their positions are searched. */
function put<T>(many: readonly T[], few: readonly T[], order: (a: T, b: T) => number): T[] {
  const all: T[] = []
  let from = 0
  for (const each of few) {
    let [low, high] = [from, many.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (order(many[middle]!, each) <= 0) low = middle + 1
      else high = middle
    }
    for (; from < low; from++) all.push(many[from]!)
    all.push(each)
  }
  for (; from < many.length; from++) all.push(many[from]!)
  return all
}

const sameWord = (x: Override, y: Override): boolean =>
  x.kind === y.kind && x.reason === y.reason && (x.polarity ?? 'same') === (y.polarity ?? 'same')

const surest = ({ edge: x }: RetainedQuestion, { edge: y }: RetainedQuestion): number =>
  (y.result.matchScore ?? 0) - (x.result.matchScore ?? 0) || compareText(x.a, y.a) || compareText(x.b, y.b)
