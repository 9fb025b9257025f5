// Incremental matcher: re-compares only the markets that changed since the last run, and occasionally all of them. Runs on the worker
// thread.
import type { ClusterRow, EventRelationRow, MatchPairRow } from '#storage/postgres/matching/index'
import { Corpus } from './block/corpus.ts'
import type { MatchEdge, Override, PreviousCluster } from './cluster/cluster.ts'
import { PairStore } from './cluster/pairStore.ts'
import { toRows } from './cluster/toRows.ts'
import { SecondOpinions } from './decide/templates/secondOpinions.ts'
import { type TemplateDecision, TemplateDecisions, textsOf } from './decide/templates/templateDecision.ts'
import { type OpenTemplatePair, TemplateIndex } from './decide/templates/templateIndex.ts'
import { templatePairOf } from './decide/templates/templatePair.ts'
import { type MatchInput, marketKey } from './read/input.ts'
import { StrikeLadders } from './relate/eventLadders.ts'
import { MutuallyExclusive } from './relate/mutualExclusion.ts'

export interface SessionRun {
  previous: readonly PreviousCluster[]
  overrides: readonly Override[]
  /** All decisions on template pairs; absent: none. */
  decisions?: readonly TemplateDecision[]
  /** Compare everything again, not only what changed. */
  full: boolean
  /** Epoch ms: determines whether a window that a question names has begun. */
  now: number
}

export interface SessionAnswer {
  clusters: ClusterRow[]
  pairs: MatchPairRow[]
  relations: EventRelationRow[]
  /** Template pairs that await a decision, those of most market pairs first. */
  openTemplates: OpenTemplatePair[]
  counts: Record<string, number>
}

/** Above this share a full run is as fast, and corrects what an incremental one may have missed. */
const fullShare = 0.3

export class IncrementalMatcher {
  private readonly inputs = new Map<string, MatchInput>()
  private changed = new Set<string>()
  private gone = new Set<string>()
  private known: Corpus | null = null
  private pairStore: PairStore | null = null
  private readonly ladders = new StrikeLadders()
  private rivals = new MutuallyExclusive()
  private decisions = new TemplateDecisions()
  private readonly templates = new TemplateIndex()

  /** New markets and those whose words changed. */
  put(markets: readonly MatchInput[]): void {
    for (const market of markets) {
      const key = marketKey(market)
      this.ladders.put(key, market)
      this.inputs.set(key, market)
      this.changed.add(key)
    }
  }

  /** Markets that no longer trade. */
  drop(keys: readonly string[]): void {
    for (const key of keys) {
      this.ladders.drop(key)
      this.inputs.delete(key)
      this.changed.delete(key)
      this.gone.add(key)
    }
  }

  run({ previous, overrides, decisions = [], full, now }: SessionRun): SessionAnswer {
    // "In 2027" becomes "by the end of 2027" on its first day, though no word of either changed.
    for (const key of this.known?.turn(now) ?? []) {
      const input = this.inputs.get(key)
      if (input !== undefined) this.put([input])
    }
    this.decide(new TemplateDecisions(decisions))
    const whole = full || this.pairStore === null || this.changed.size > this.inputs.size * fullShare
    const known = this.updatedCorpus(whole, now)
    const comparedKeys = whole ? [...this.inputs.keys()] : [...this.changed].sort()
    if (whole) this.templates.clear()
    else this.templates.drop([...comparedKeys, ...this.gone])
    known.useOpinions(new SecondOpinions(this.decisions, this.templates))
    const found = known.compare(comparedKeys, worthStoring, whole)
    const pairStore = whole || this.pairStore === null ? new PairStore() : this.pairStore
    // A half-updated one is useless.
    this.pairStore = null
    pairStore.update({
      touched: whole ? comparedKeys : [...comparedKeys, ...this.gone],
      edges: found.edges,
      overrides,
      venueOf: (key) => this.inputs.get(key)?.venue,
      comparePair: (a, b) => known.comparePair(a, b).result,
    })
    if (whole) this.rivals = new MutuallyExclusive()
    const rivals = this.rivals.update(pairStore.groups, {
      eventOf: (key) => this.ladders.listedOf(key),
      question: (key) => known.question(key),
      comparePair: (a, b) => known.compareRivals(a, b),
      verified: (a, b) => pairStore.between(a, b)?.result.matchBand === 'verified',
    })
    const { clusters, pairs } = toRows(pairStore, {
      inputs: this.inputs,
      previous,
      rivals,
      comparePair: (a, b) => known.comparePair(a, b),
    })
    this.pairStore = pairStore
    const changed = this.changed.size
    this.changed = new Set()
    this.gone = new Set()
    const relations = this.ladders.rows((key) => known.question(key))
    return {
      clusters,
      pairs,
      relations,
      openTemplates: this.templates.open(this.decisions, (key) => known.question(key)),
      counts: {
        markets: this.inputs.size,
        changed,
        compared: found.compared,
        clusters: clusters.length,
        members: clusters.reduce((sum, { members }) => sum + members.length, 0),
        pairs: pairs.length,
        relations: relations.length,
        rivals: rivals.length,
        ...countedPairs(pairs),
        forbidden: overrides.filter(({ kind }) => kind === 'forbid').length,
      },
    }
  }

  /** Markets of the pairs to which a changed decision applies are compared again. */
  private decide(decisions: TemplateDecisions): void {
    const changed = decisions.changedFrom(this.decisions)
    const separates = decisions.separates || this.decisions.separates
    this.decisions = decisions
    if (changed.size === 0) return
    for (const texts of changed) for (const key of this.templates.marketsOf(texts)) this.compareAgain(key)
    if (!separates || this.known === null) return
    // Verified pairs are not listed by their texts.
    for (const { edge } of this.pairStore?.pairs ?? []) {
      if (edge.result.matchBand !== 'verified' || !this.inputs.has(edge.a) || !this.inputs.has(edge.b)) continue
      const pair = templatePairOf(this.known.question(edge.a), this.known.question(edge.b))
      if (pair !== null && changed.has(textsOf(pair))) this.compareAgain(edge.a)
    }
  }

  private compareAgain(key: string): void {
    if (this.inputs.has(key)) this.changed.add(key)
  }

  /** Brings the known markets up to date: from scratch for a full run, otherwise by what changed. */
  private updatedCorpus(whole: boolean, now: number): Corpus {
    if (whole || this.known === null || this.known.worn) {
      // The same markets in the same order, regardless of the order of arrival.
      this.known = null
      this.known = new Corpus(
        [...this.inputs.keys()].sort().map((key) => this.inputs.get(key)!),
        { asOf: now },
      )
      return this.known
    }
    for (const key of this.gone) if (!this.inputs.has(key)) this.known.drop(key)
    this.known.putAll([...this.changed].sort().map((key) => this.inputs.get(key)!))
    return this.known
  }
}

/** Counted in one pass: there are hundreds of thousands. */
function countedPairs(pairs: readonly MatchPairRow[]): Record<'verified' | 'minor' | 'material' | 'pinned', number> {
  const counts = { verified: 0, minor: 0, material: 0, pinned: 0 }
  for (const { band, override } of pairs) {
    if (band === 'verified' || band === 'minor' || band === 'material') counts[band]++
    if (override === 'pinned') counts.pinned++
  }
  return counts
}

/** Of the many pairs that differ in one thing, those that hedge each other. */
const worthStoring = ({ result, relation }: Required<MatchEdge>): boolean =>
  result.matchBand !== 'material' || relation === 'subset' || relation === 'superset'
