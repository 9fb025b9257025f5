import { describe, expect, test } from 'vitest'
import { compareQuestions } from '#matching/compare/compare'
import { decidedRelation, secondOpinion } from '#matching/decide/templates/secondOpinion'
import { parseDecisions, readShippedDecisions } from '#matching/decide/templates/shippedDecisions'
import { TemplateDecisions, textsOf } from '#matching/decide/templates/templateDecision'
import { templatePairOf } from '#matching/decide/templates/templatePair'
import { type Given, pairOf } from './read.ts'

const decision = {
  a: 'Will {person} be the next {name}?',
  b: '{person} announced as next {name}?',
  verdict: 'same',
  relation: 'identity',
  reasons: [{ field: 'act', reason: 'announced means that it is decided' }],
  evidence: [],
  decidedAt: '2026-11-30T08:00:00Z',
  decidedBy: 'ada',
  source: 'shipped',
}
const line = (changes: object): string => `${JSON.stringify({ ...decision, ...changes })}\n`

test('a file is read line by line', () => {
  expect(parseDecisions(`${line({})}\n`)).toEqual([decision])
})

test.each([
  ['texts in the wrong order', { a: decision.b, b: decision.a }],
  ['a relation that contradicts the verdict', { relation: 'subset' }],
  ['an invalid date', { decidedAt: 'yesterday' }],
  ["an operator's decision", { source: 'operator' }],
])('%s is an error', (_, changes) => {
  expect(() => parseDecisions(line(changes))).toThrow()
})

describe('the shipped decisions', () => {
  const shipped = readShippedDecisions()
  const all = new TemplateDecisions(shipped)

  test('are about different texts each', () => {
    expect(shipped.length).toBeGreaterThanOrEqual(40)
    expect(new Set(shipped.map(textsOf)).size).toBe(shipped.length)
    expect(all.size).toBe(shipped.length)
  })

  test('state the two texts in order, why, and on what evidence', () => {
    for (const { a, b, reasons, evidence } of shipped) {
      expect(a < b, a).toBe(true)
      expect([reasons.length, evidence.length], a).not.toContain(0)
    }
  })

  // Who holds an office, and who won, is another question in another year.
  test('are about dated questions', () => {
    for (const { a, b } of shipped) for (const text of [a, b]) expect(text).toContain('{date}')
  })

  test.each(shipped.map(({ a, b, verdict }) => [verdict, a, b] as const))('%s: %s %s', (verdict, a, b) => {
    const [one, two] = pairOf(filled(a), filled(b))
    const pair = templatePairOf(one, two)
    expect([pair?.a, pair?.b]).toEqual([a, b])
    const first = compareQuestions(one, two)
    const opinion = secondOpinion(one, two, first, all)
    expect(opinion.result.matchBand === 'verified', opinion.blocked ?? '').toBe(verdict === 'same')
  })

  test('turn an implication with the questions', () => {
    const [one, two] = pairOf('Will Jon Marsh be sentenced in 2027?', 'Will Jon Marsh be sentenced to prison in 2027?')
    expect(decidedRelation(secondOpinion(one, two, compareQuestions(one, two), all))).toBe('superset')
    expect(decidedRelation(secondOpinion(two, one, compareQuestions(two, one), all))).toBe('subset')
  })
})

const examples: Readonly<Record<string, string>> = {
  '{person}': 'Maria Keller',
  '{person 1}': 'Maria Keller',
  '{person 2}': 'Jon Marsh',
  '{name}': 'Corwin',
  '{name 1}': 'Corwin',
  '{name 2}': 'Tarvos',
  '{place}': 'Norway',
  '{place 1}': 'Norway',
  '{place 2}': 'Canada',
  '{party}': 'Republican',
  '{amount}': '$150',
}

/** A question that reduces to the text. A preposition belongs to its date, an article alone does not. */
function filled(text: string): Given {
  const dated = text
    .replaceAll('the {date}', 'the 2027')
    .replaceAll('{date} ', 'in the 2027 ')
    .replaceAll('{date}', 'in 2027')
  const whole = dated.replace(/\{[^}]+\}/g, (placeholder) => examples[placeholder] ?? placeholder)
  const [title = '', subtitle] = whole.split('? : ')
  return subtitle === undefined ? whole : { title: `${title}?`, subtitle }
}
