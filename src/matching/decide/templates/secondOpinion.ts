// A second opinion on what the first comparison leaves open: a decision on the wording of both questions without the names, dates and
// amounts they share. A contradiction between typed fields and every veto are stronger than any decision.
import type { MatchRelation } from '#schemas/matches'
import { isSettledAlike } from '../../compare/compare.ts'
import { compareStrikes } from '../../compare/fields/strikes.ts'
import { typedContradiction } from '../../compare/typedFields/typedContradictions.ts'
import { vetoOf, vetoOfUndated, vetoOfVerified } from '../../compare/typedFields/vetoes.ts'
import { bandOf, blocking, type MatchDifference, type MatchResult, ruleOutPoints, scored } from '../../match.ts'
import type { Question } from '../../read/question.ts'
import type { TemplateDecision, TemplateDecisions } from './templateDecision.ts'
import { isRelated, type TemplatePair, templatePairOf } from './templatePair.ts'

export interface SecondOpinion {
  result: MatchResult
  /** Set if a decision on these two texts would settle the pair. */
  open: TemplatePair | null
  /** Set if the two texts are open or decided. */
  pair: TemplatePair | null
  /** The decision that was applied. */
  decision: TemplateDecision | null
  /** Why no decision may settle the pair, in words; null if one may. */
  blocked: string | null
}

/** Points of a verified pair whose wording is decided: it shows who decided, and keeps the band. */
const decidedPoints = 5

export function secondOpinion(
  a: Question,
  b: Question,
  first: MatchResult,
  decisions: TemplateDecisions,
): SecondOpinion {
  if (first.matchBand === 'unscored' || a.matchup !== null || b.matchup !== null) return unchanged(first)
  if (first.matchBand === 'verified') return reviewed(a, b, first, decisions)
  const blocked = typedContradiction(a, b)?.detail ?? vetoOf(a, b)?.detail ?? null
  if (blocked !== null) return unchanged(first, blocked)
  const pair = templatePairOf(a, b)
  if (pair === null || !isRelated(pair)) return unchanged(first, 'the two texts have too little in common')
  const undated = vetoOfUndated(a, b, pair)
  if (undated !== null) return unchanged(first, undated.detail)
  const decision = decisions.find(pair)
  if (decision === null) return { result: first, open: pair, pair, decision: null, blocked: null }
  const applied = { open: null, pair, decision, blocked: null }
  if (decision.verdict === 'different') return { ...applied, result: demoted(first, decision) }
  if (isOpposite(a, b, decision)) return unchanged(first, opposite)
  return { ...applied, result: promoted(first, decision, isSettledAlike(a, b)) }
}

const opposite = 'threshold: the amounts have opposite directions, and the decision states the same answer'

/** The relation from Yes of the first question to Yes of the second that an applied decision states. */
export function decidedRelation({ pair, decision }: Pick<SecondOpinion, 'pair' | 'decision'>): MatchRelation | null {
  if (pair === null || decision === null) return null
  const { relation } = decision
  if (!pair.turned) return relation
  return relation === 'subset' ? 'superset' : relation === 'superset' ? 'subset' : relation
}

/** A verified pair: a veto or a person's decision demotes it. A judge's decision does not override the typed comparison. */
function reviewed(a: Question, b: Question, first: MatchResult, decisions: TemplateDecisions): SecondOpinion {
  const veto = vetoOfVerified(a, b)
  if (veto !== null) {
    const { name, detail } = veto
    return unchanged(lowered(first, { kind: name, points: blocking, detail }), detail)
  }
  if (!decisions.separates) return unchanged(first)
  const pair = templatePairOf(a, b)
  const decision = pair === null ? null : decisions.find(pair)
  if (decision?.verdict !== 'different' || decision.source === 'judge') return unchanged(first)
  return { result: demoted(first, decision), open: null, pair, decision, blocked: null }
}

const unchanged = (result: MatchResult, blocked: string | null = null): SecondOpinion => ({
  result,
  open: null,
  pair: null,
  decision: null,
  blocked,
})

/** Amounts with opposite directions: a decision that states the same answer was not made for them. */
function isOpposite(a: Question, b: Question, { relation }: TemplateDecision): boolean {
  return compareStrikes(a, b).inverse && a.negated === b.negated && relation === 'identity'
}

function lowered(first: MatchResult, difference: MatchDifference): MatchResult {
  const { score, differences } = scored([...first.matchDifferences, difference])
  const isRuledOut = difference.points >= ruleOutPoints
  return {
    ...first,
    matchScore: score,
    matchBand: bandOf(score),
    matchDifferences: differences,
    resolution: {
      compatible: first.resolution.compatible && !isRuledOut,
      reason: difference.detail,
      auditReasons: [...first.resolution.auditReasons, difference.detail],
    },
    resolutionEquivalence: isRuledOut || first.resolutionEquivalence === 'different' ? 'different' : 'unverified',
  }
}

const demoted = (first: MatchResult, decision: TemplateDecision): MatchResult =>
  lowered(first, {
    kind: 'template',
    points: ruleOutPoints,
    detail: `template: different questions, ${decidedText(decision)}`,
  })

/** A decision on the wording settles what is asked, not by which rules each market is resolved. */
function promoted(first: MatchResult, decision: TemplateDecision, settledAlike: boolean): MatchResult {
  const detail = `template: the same question in other words, ${decidedText(decision)}`
  const { score, differences } = scored([{ kind: 'template', points: decidedPoints, detail }])
  return {
    matchScore: score,
    matchBand: bandOf(score),
    matchDifferences: differences,
    polarity: decision.relation === 'complement' ? 'inverse' : 'same',
    resolution: {
      compatible: true,
      reason: detail,
      auditReasons: [
        ...first.resolution.auditReasons,
        ...decision.reasons.map(({ field, reason }) => `${field}: ${reason}`),
        detail,
      ],
    },
    resolutionEquivalence: settledAlike ? 'verified' : 'unverified',
  }
}

const sourceText = { shipped: 'a shipped decision', operator: 'an operator', judge: 'the configured judge' } as const

const decidedText = ({ source, decidedBy, decidedAt }: TemplateDecision): string =>
  `decided by ${sourceText[source]} (${decidedBy}) on ${decidedAt.slice(0, 10)}`
