import { describe, expect, test } from 'vitest'
import { compareQuestions } from '#matching/compare/compare'
import { decidedRelation, secondOpinion } from '#matching/decide/templates/secondOpinion'
import { type TemplateDecision, TemplateDecisions } from '#matching/decide/templates/templateDecision'
import { templatePairOf } from '#matching/decide/templates/templatePair'
import { type Given, pairOf } from './read.ts'

const short = 'Will Maria Keller mentor Jon Marsh?'
const long = 'Will Maria Keller take Jon Marsh on as a trainee?'
const none = new TemplateDecisions()

const decisionOn = (a: Given, b: Given, changes: Partial<TemplateDecision> = {}): TemplateDecision => {
  const pair = templatePairOf(...pairOf(a, b))!
  return {
    a: pair.a,
    b: pair.b,
    verdict: 'same',
    relation: 'identity',
    reasons: [{ field: 'act', reason: 'a trainee has a mentor' }],
    evidence: [],
    decidedAt: '2026-11-30T08:00:00Z',
    decidedBy: 'ada',
    source: 'operator',
    ...changes,
  }
}

function opinionOn(a: Given, b: Given, decisions: TemplateDecisions) {
  const [one, two] = pairOf(a, b)
  return secondOpinion(one, two, compareQuestions(one, two), decisions)
}

test('a pair that only its wording keeps apart is open, and its result stays as it is', () => {
  const [one, two] = pairOf(short, long)
  const first = compareQuestions(one, two)
  expect(first.matchBand).not.toBe('verified')
  const { result, open, decision } = secondOpinion(one, two, first, none)
  expect(result).toBe(first)
  expect(open?.key).toBe(templatePairOf(one, two)?.key)
  expect(decision).toBeNull()
})

test('a decision verifies every pair that reduces to its texts, and names who decided', () => {
  const decisions = new TemplateDecisions([decisionOn(short, long)])
  const { result, open } = opinionOn(
    'Will Priya Raman mentor Kim Park?',
    'Will Priya Raman take Kim Park on as a trainee?',
    decisions,
  )
  expect(open).toBeNull()
  expect(result).toMatchObject({ matchBand: 'verified', polarity: 'same' })
  expect(result.matchDifferences.reduce((sum, { points }) => sum + points, 0)).toBe(100 - result.matchScore!)
  expect(result.matchDifferences[0]?.detail).toContain('decided by an operator (ada) on 2026-11-30')
  expect(result.resolution.auditReasons).toContain('act: a trainee has a mentor')
})

describe('a decision verifies that both markets settle alike only if both have rules', () => {
  const rules = 'It resolves by a statement of both.'
  test.each([
    ['both have rules', rules, 'Both must confirm it.', 'verified'],
    ['they have the same rules', rules, rules, 'verified'],
    ['the second has none', rules, '', 'unverified'],
    ['the first has none', '', rules, 'unverified'],
    ['neither has any', '', '', 'unverified'],
  ])('%s', (_, first, second, resolutionEquivalence) => {
    const [a, b] = [
      { title: short, rules: first },
      { title: long, rules: second },
    ]
    const { result } = opinionOn(a, b, new TemplateDecisions([decisionOn(short, long)]))
    expect(result).toMatchObject({ matchBand: 'verified', resolution: { compatible: true }, resolutionEquivalence })
  })
})

test('a decision says nothing about other words', () => {
  const decisions = new TemplateDecisions([decisionOn(short, long)])
  const other = 'Will Maria Keller take Jon Marsh on as an assistant?'
  const { open, decision } = opinionOn(short, other, decisions)
  expect(decision).toBeNull()
  expect(open).not.toBeNull()
})

test('a complement is verified with opposite answers', () => {
  const decision = decisionOn(short, long, { relation: 'complement' })
  expect(opinionOn(short, long, new TemplateDecisions([decision])).result).toMatchObject({
    matchBand: 'verified',
    polarity: 'inverse',
  })
})

test('a pair decided as different is material at most', () => {
  const decision = decisionOn(short, long, { verdict: 'different', relation: 'overlap' })
  const { result } = opinionOn(short, long, new TemplateDecisions([decision]))
  expect(['material', 'hidden']).toContain(result.matchBand)
  expect(result.resolution.compatible).toBe(false)
  expect(result.matchDifferences.reduce((sum, { points }) => sum + points, 0)).toBe(100 - result.matchScore!)
})

test('an implication is turned with the questions', () => {
  const decisions = new TemplateDecisions([decisionOn(short, long, { verdict: 'different', relation: 'subset' })])
  const [one, two] = pairOf(short, long)
  const there = decidedRelation(secondOpinion(one, two, compareQuestions(one, two), decisions))
  const back = decidedRelation(secondOpinion(two, one, compareQuestions(two, one), decisions))
  expect([there, back].sort()).toEqual(['subset', 'superset'])
})

describe('no decision overrides', () => {
  test.each([
    [
      'a contradiction of typed fields',
      'Will Maria Keller mentor Jon Marsh before 2027?',
      'Will Maria Keller take Jon Marsh on as a trainee before 2028?',
    ],
    [
      'a veto',
      'Will Maria Keller mentor Jon Marsh?',
      'Will Maria Keller take Jon Marsh and Priya Raman on as trainees?',
    ],
    [
      'opposite directions of two amounts',
      'Will Maria Keller get above 50% of votes?',
      'Will Maria Keller end with at most 50% of votes?',
    ],
  ])('%s', (_, a, b) => {
    const { result, open } = opinionOn(a, b, new TemplateDecisions([decisionOn(a, b)]))
    expect(result.polarity === 'inverse' || result.matchBand !== 'verified').toBe(true)
    expect(open).toBeNull()
  })
})

describe('a verified pair', () => {
  const a = 'Will Maria Keller win the 2027 Kroll Prize?'
  const b = 'Maria Keller to win the Kroll Prize in 2027?'
  const different = (source: TemplateDecision['source']) =>
    new TemplateDecisions([decisionOn(a, b, { verdict: 'different', relation: 'overlap', source })])

  test('stays verified without a decision', () => {
    const { result, open } = opinionOn(a, b, none)
    expect(result.matchBand).toBe('verified')
    expect(open).toBeNull()
  })

  test('is demoted by a person, not by a judge', () => {
    expect(opinionOn(a, b, different('operator')).result.matchBand).toBe('material')
    expect(opinionOn(a, b, different('judge')).result.matchBand).toBe('verified')
  })
})

describe('of several decisions on the same texts', () => {
  const verdictOf = (...list: Partial<TemplateDecision>[]) =>
    new TemplateDecisions(list.map((changes) => decisionOn(short, long, changes))).find(decisionOn(short, long))

  test("an operator's counts before a shipped one, and that before a judge's", () => {
    expect(verdictOf({ source: 'judge' }, { source: 'shipped' })?.source).toBe('shipped')
    expect(verdictOf({ source: 'operator' }, { source: 'shipped' }, { source: 'judge' })?.source).toBe('operator')
  })

  test('the latest of one source counts', () => {
    const [early, late] = [{ decidedAt: '2026-01-01T00:00:00Z' }, { decidedAt: '2026-02-01T00:00:00+02:00' }]
    expect(verdictOf(late, early)?.decidedAt).toBe(late.decidedAt)
  })
})
