// The evaluation with families left out, on pairs that only a decision on their wording can verify.
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { TemplateDecision } from '#matching/decide/templates/templateDecision'
import { sharedFixture } from '#test/support/fixtures'
import { type LabelledPair, readPairs } from '#test/support/labelledPairs'
import { evaluateFamilies } from '#test/support/matching/evalFamilies'
import { familyOf, isDeveloped, isDevelopedSet, seriesOf } from '#test/support/matching/families'

const asOf = Date.UTC(2026, 10, 23)

const initialsOf = (name: string): string => name.replaceAll(/[^A-Z]/g, '')

const steering = (name: string, family: string): LabelledPair => ({
  a: {
    venue: 'kalshi',
    marketId: `KXSTEER-27-${initialsOf(name)}`,
    title: `Will ${name} steer the Kroll fund in 2027?`,
  },
  b: { venue: 'polymarket', marketId: `id-${initialsOf(name)}`, title: `Will ${name} helm the Kroll fund in 2027?` },
  match: true,
  polarity: 'same',
  group: null,
  relation: 'identity',
  family,
})

const names = ['Maria Keller', 'Jonas Lind', 'Petra Novak']
const pairs = names.map((name) => steering(name, 'STEER'))
const options = { asOf, negativesMax: 200, repetitions: 3 }

describe('with families left out', () => {
  const alone = evaluateFamilies(pairs, options)
  const [a, b] = alone.perTemplate[0]?.texts ?? ['', '']
  const decision: TemplateDecision = {
    a,
    b,
    verdict: 'same',
    relation: 'identity',
    reasons: [],
    evidence: [],
    decidedAt: '2026-11-30T00:00:00Z',
    decidedBy: 'a person',
    source: 'shipped',
  }

  test('reduces the pairs to one template, which a perfect judge decides once', () => {
    expect(alone.perTemplate).toHaveLength(1)
    expect(alone.withTemplates.recall).toMatchObject({ part: 0, whole: 3 })
    expect(alone.judges.perfect?.recall).toMatchObject({ part: 3, whole: 3 })
    expect(alone.judges.perfect?.judgements).toMatchObject({ labelled: 1, perPair: 0.3333 })
    expect(alone.perFamily.STEER).toMatchObject({ pairs: 3, templates: 1, judgements: 1, developed: false })
  })

  test('verifies no hard negative', () => {
    expect(alone.hardNegatives.count).toBeGreaterThan(5)
    expect(alone.judges.perfect?.falseNegatives.part, alone.judges.perfect?.examples.join('\n')).toBe(0)
  })

  test('does not use a decision on texts that only the family under test shows', () => {
    expect(evaluateFamilies(pairs, { ...options, decisions: [decision] }).withTemplates.recall.part).toBe(0)
  })

  test('uses it if another family shows them, too', () => {
    const both = [...pairs, steering('Ida Brandt', 'OTHERS')]
    const found = evaluateFamilies(both, { ...options, decisions: [decision] })
    expect(found.withTemplates.recall).toMatchObject({ part: 4, whole: 4 })
    expect(found.judges.perfect?.judgements.labelled).toBe(0)
    expect(found.perTemplate[0]).toMatchObject({ decision: 'shipped', families: ['OTHERS', 'STEER'], mixed: false })
  })

  test('reports templates whose labels contradict each other', () => {
    const other: LabelledPair = {
      ...steering('Ida Brandt', 'STEER'),
      match: false,
      polarity: null,
      relation: 'overlap',
    }
    const found = evaluateFamilies([...pairs, other], options)
    expect(found.perTemplate[0]).toMatchObject({ mixed: true, pairs: 4, equal: 3 })
    expect(found.judges.perfect?.falseLabelled.part).toBe(1)
  })

  test('gives the same numbers every time', () => {
    expect(evaluateFamilies(pairs, options)).toEqual(alone)
  })

  test('reports each set, and whether the matcher was developed with it', () => {
    const sets = [
      { name: 'new.jsonl', pairs: pairs.slice(0, 1), developed: false },
      { name: 'old.jsonl', pairs: pairs.slice(1), developed: true },
    ]
    const { perSet } = evaluateFamilies(pairs, { ...options, sets })
    expect(perSet['new.jsonl']).toMatchObject({ developed: 'none', pairs: 1 })
    expect(perSet['new.jsonl']).not.toHaveProperty('note')
    expect(perSet['old.jsonl']).toMatchObject({
      developed: 'all',
      pairs: 2,
      note: expect.stringContaining('expect less'),
    })
  })
})

describe('families', () => {
  test('are the series if the label names none, one for all states', () => {
    expect(seriesOf({ marketId: 'HOUSECA47-26-D' })).toBe('HOUSE')
    expect(seriesOf({ marketId: 'KXCABOUT-29-CW' })).toBe('CABOUT')
    expect(seriesOf({ marketId: '512315' })).toBeNull()
    expect(familyOf({ ...pairs[0]!, family: null })).toBe('STEER')
  })

  test('are the wording if there is no series', () => {
    const { b } = pairs[0]!
    expect(familyOf({ ...pairs[0]!, a: b, family: null })).toBe('helm the fund in')
  })

  const shared = [
    'relations/labelled_relations.jsonl',
    'matching/labeled_corpus.jsonl.gz',
    'matching/ground-truth-pairs.csv',
    'matching/candidate_filter_scores.csv.gz',
    'matching/xplat_equivalence_seed.jsonl.gz',
    'matching/polymarket_us_kalshi_pairs.json',
    'arbitrage/sample_matches.csv',
  ].map((name) => [name, sharedFixture(`cross_venue/${name}`)] as const)

  test.each(shared)('knows %s as used in development (skipped where ../shared/fixtures is absent)', (_, file) => {
    if (file === null) return
    expect(isDevelopedSet(file)).toBe(true)
    const unknown = readPairs(file).filter((pair) => seriesOf(pair.a) !== null && !isDeveloped(pair))
    expect([...new Set(unknown.map(familyOf))]).toEqual([])
  })

  test('knows the listings of this repository as used in development', () => {
    expect(isDevelopedSet(fileURLToPath(new URL('../wordings/listings.jsonl', import.meta.url)))).toBe(true)
  })
})
