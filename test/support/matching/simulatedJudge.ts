// A judge that answers from labels, rightly or with a given share of errors. It stands in for a language model in evaluations.
import { createHash } from 'node:crypto'
import type { TemplateDecision } from '#matching/decide/templates/templateDecision'
import type { TemplatePair } from '#matching/decide/templates/templatePair'
import type { MatchRelation } from '#schemas/matches'

export interface JudgeErrors {
  /** Share of template pairs on which both passes agree on the wrong verdict. */
  wrong?: number
  /** Share of template pairs on which the two passes contradict each other. */
  contradicting?: number
  seed?: string
}

export interface SimulatedJudge {
  /** `truth`: from Yes of the first question to Yes of the second. Null if the two passes contradict each other. */
  decide(pair: TemplatePair, truth: MatchRelation): TemplateDecision | null
}

/** As in the issue: perfect, 2 % and 5 % wrong, and one that contradicts itself on every fifth template pair. */
export const judgeErrors: Readonly<Record<string, Omit<JudgeErrors, 'seed'>>> = {
  perfect: {},
  wrong2: { wrong: 0.02 },
  wrong5: { wrong: 0.05 },
  contradicting: { contradicting: 0.2 },
}

export const isEqual = (relation: MatchRelation): boolean => relation === 'identity' || relation === 'complement'

/** Between 0 and 1, the same for the same text. */
export const shareOf = (text: string): number =>
  Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 12), 16) / 2 ** 48

/** Verdicts depend on the seed and on the template pair alone, not on the order of the questions. */
export function simulatedJudge({ wrong = 0, contradicting = 0, seed = '' }: JudgeErrors = {}): SimulatedJudge {
  return {
    decide(pair, truth) {
      const errs = shareOf(`${seed} wrong ${pair.key}`) < wrong
      const relation = errs ? opposite(truth) : truth
      const second = shareOf(`${seed} contradicting ${pair.key}`) < contradicting ? opposite(relation) : relation
      // As in the protocol: both passes must give one verdict.
      return isEqual(relation) === isEqual(second) ? decisionOn(pair, relation) : null
    },
  }
}

const opposite = (relation: MatchRelation): MatchRelation => (isEqual(relation) ? 'overlap' : 'identity')

const turned: Partial<Record<MatchRelation, MatchRelation>> = { subset: 'superset', superset: 'subset' }

/** `relation`: from Yes of the first question to Yes of the second. */
export const decisionOn = (pair: TemplatePair, relation: MatchRelation): TemplateDecision => ({
  a: pair.a,
  b: pair.b,
  verdict: isEqual(relation) ? 'same' : 'different',
  relation: pair.turned ? (turned[relation] ?? relation) : relation,
  reasons: [],
  evidence: [],
  decidedAt: '2026-11-30T00:00:00.000Z',
  decidedBy: 'simulated judge',
  source: 'judge',
})
