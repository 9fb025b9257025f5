// Second opinions on the pairs of a run: each compared pair as it is stored, and which template pairs they reduce to.
import type { MatchEdge } from '../../cluster/cluster.ts'
import { type ListedRelation, relationOf } from '../../compare/relation.ts'
import { cheapContradiction } from '../../compare/typedFields/typedContradictions.ts'
import { type MatchResult, ruleOutPoints } from '../../match.ts'
import type { Question } from '../../read/question.ts'
import { decidedRelation, type SecondOpinion, secondOpinion } from './secondOpinion.ts'
import { TemplateDecisions } from './templateDecision.ts'
import type { TemplateIndex } from './templateIndex.ts'

/** Differences that a decision on the wording may settle. Any other large one is a contradiction. */
const wordingKinds = /^(?:name|wording|direction|spelling|measure|strike|office|place|party|stage|scope|action)$/

/** Pairs per run whose texts are reduced: a few seconds at most. */
const reducedMax = 100_000

export class SecondOpinions {
  private readonly decisions: TemplateDecisions
  private readonly index: TemplateIndex | null
  private reduced = 0

  constructor(decisions: TemplateDecisions = new TemplateDecisions(), index: TemplateIndex | null = null) {
    this.decisions = decisions
    this.index = index
  }

  /** `first`: result of the first comparison. `record`: whether the pair is listed under its template pair. */
  edgeOf(a: Question, b: Question, first: MatchResult, record: boolean): Required<MatchEdge> {
    if (isSettled(first) || (first.matchBand !== 'verified' && !this.isOpen(a, b)))
      return { a: a.key, b: b.key, result: first, ...relationOf(a, b, first) }
    const second = secondOpinion(a, b, first, this.decisions)
    if (record && second.pair !== null) this.index?.add(second.pair, a.key, b.key)
    return { a: a.key, b: b.key, result: second.result, ...listedRelation(a, b, second) }
  }

  /** Nothing that is cheap to check contradicts. */
  private isOpen(a: Question, b: Question): boolean {
    if (a.matchup !== null || b.matchup !== null || this.reduced >= reducedMax) return false
    if (cheapContradiction(a, b) !== null) return false
    this.reduced++
    return true
  }
}

/** Nothing but typed fields decides: most pairs, and therefore checked first. */
function isSettled({ matchBand, matchDifferences }: MatchResult): boolean {
  if (matchBand === 'hidden' || matchBand === 'unscored') return true
  return matchDifferences.some(({ kind, points }) => points >= ruleOutPoints && !wordingKinds.test(kind))
}

function listedRelation(a: Question, b: Question, second: SecondOpinion): ListedRelation {
  const { result, decision } = second
  const relation = decidedRelation(second)
  if (relation === null || decision === null) return relationOf(a, b, result)
  if (decision.verdict === 'same') return { relation, relationBand: result.matchBand }
  if (relation === 'overlap') return { relation, relationBand: null }
  // A judge's word on an implication is not enough to hedge with.
  return { relation, relationBand: decision.source === 'judge' ? 'minor' : 'verified' }
}
