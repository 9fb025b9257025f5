// The promises about matching by evidence, each with families left out. The labelled sets are kept outside the project;
// without them the first part is skipped.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { readShippedDecisions } from '#matching/decide/templates/shippedDecisions'
import type { MatchInput } from '#matching/read/input'
import { sharedFixture } from '#test/support/fixtures'
import { type LabelledPair, parsePairs, readPairs } from '#test/support/labelledPairs'
import { evaluateFamilies, type FamilyEvaluation } from '#test/support/matching/evalFamilies'
import { type HeldOut, heldOut } from '../wordings/heldOut.ts'
import { heldOutKinds } from '../wordings/heldOutKinds.ts'

/** A fixed day, because the result depends on which windows have begun. */
const asOf = Date.parse('2026-11-23')

const relations = 'relations/labelled_relations.jsonl'
/**
 * Sets labelled by people. The others have a model's labels, or titles only: nothing says what settles a price or a game, so such a
 * pair is not verified.
 */
const severalSets = [relations, 'matching/labeled_corpus.jsonl.gz', 'arbitrage/sample_matches.csv']

const parts: [string, string[]][] = [
  ['labelled relations', [relations]],
  ['several labelled sets', severalSets],
]

describe.each(parts)('%s (skipped where ../shared/fixtures is absent)', (_, names) => {
  const files = names.map((name) => sharedFixture(`cross_venue/${name}`))
  const absent = files.includes(null)
  let found: FamilyEvaluation

  beforeAll(() => {
    if (absent) return
    const sets = files.map((file) => ({ name: file!, pairs: readPairs(file!), developed: true }))
    found = evaluateFamilies(
      sets.flatMap(({ pairs }) => pairs),
      { asOf, decisions: readShippedDecisions(), sets },
    )
  }, 300_000)

  test.skipIf(absent)('a perfect judge: 85 % of equal pairs and 75 % as the mean over families are verified', () => {
    const { perfect } = found.judges
    const shown = JSON.stringify(found.perFamily)
    expect(found.equal).toBeGreaterThan(250)
    expect(perfect?.recall.share, shown).toBeGreaterThanOrEqual(0.85)
    expect(perfect?.familyMean.share, shown).toBeGreaterThanOrEqual(0.75)
  })

  test.skipIf(absent)('a perfect judge: nothing wrong among 1,000 hard negatives and the labelled pairs', () => {
    const { perfect } = found.judges
    const shown = perfect?.examples.join('\n')
    expect(found.hardNegatives.count).toBeGreaterThanOrEqual(1_000)
    expect(Object.keys(found.hardNegatives.perKind)).toHaveLength(8)
    expect(perfect?.falseNegatives.part, shown).toBe(0)
    expect(perfect?.falseLabelled.part, shown).toBe(0)
    expect(perfect?.wrongPolarity.part, shown).toBe(0)
  })

  test.skipIf(absent)('at most 0.4 judgements per pair', () => {
    expect(found.judges.perfect?.judgements.perPair).toBeLessThanOrEqual(0.4)
  })

  test.skipIf(absent)('a judge that errs on 5 %: at most 0.2 % wrong', () => {
    const { wrong2, wrong5 } = found.judges
    expect(wrong5?.repetitions.count).toBeGreaterThanOrEqual(20)
    expect(wrong5?.repetitions.falseShare.mean, wrong5?.examples.join('\n')).toBeLessThanOrEqual(0.002)
    expect(wrong2?.repetitions.falseShare.mean).toBeLessThanOrEqual(wrong5!.repetitions.falseShare.mean)
  })

  test.skipIf(absent)('a judge that contradicts itself: nothing wrong, and no less than without one', () => {
    const { contradicting } = found.judges
    expect(contradicting?.repetitions.falseShare.highest, contradicting?.examples.join('\n')).toBe(0)
    expect(contradicting?.recall.part).toBeGreaterThanOrEqual(found.withTemplates.recall.part)
    expect(contradicting?.judgements.undecided).toBeGreaterThan(0)
  })

  test.skipIf(absent)('without a judge: nothing wrong, and no less than the comparison alone verifies', () => {
    const { first, withTemplates } = found
    const shown = withTemplates.examples.join('\n')
    expect(withTemplates.falseNegatives.part, shown).toBe(0)
    expect(withTemplates.falseLabelled.part, shown).toBe(0)
    expect(withTemplates.wrongPolarity.part, shown).toBe(0)
    expect(withTemplates.recall.part).toBeGreaterThanOrEqual(first.recall.part)
  })

  test.skipIf(absent)('reports the sets as used in development', () => {
    expect(Object.values(found.perSet).map(({ developed }) => developed)).toEqual(names.map(() => 'all'))
  })
})

describe('wordings of this repository', () => {
  const side = (venue: string, { id, title, subtitle }: HeldOut['a']): MatchInput => ({
    venue,
    marketId: id,
    title,
    subtitle,
  })
  const made = [...heldOut, ...heldOutKinds].map(
    ({ kind, a, b }): LabelledPair => ({
      a: side('kalshi', a),
      b: side('polymarket', b),
      match: kind !== 'other',
      polarity: kind === 'other' ? null : kind,
      group: null,
      relation: null,
      family: null,
    }),
  )
  const listings = readFileSync(new URL('../wordings/listings.jsonl', import.meta.url), 'utf8')
  let found: FamilyEvaluation

  beforeAll(() => {
    found = evaluateFamilies([...made, ...parsePairs(listings, 'listings.jsonl')], {
      asOf,
      decisions: readShippedDecisions(),
    })
  }, 300_000)

  test('include equal pairs and near misses', () => {
    expect(found.equal).toBeGreaterThan(200)
    expect(found.pairs - found.equal).toBeGreaterThan(350)
  })

  test('verifies no near miss and no hard negative, neither without a judge nor with a perfect one', () => {
    for (const { falseLabelled, falseNegatives, wrongPolarity, examples } of [
      found.withTemplates,
      found.judges.perfect!,
    ]) {
      const wrong = falseLabelled.part + falseNegatives.part + wrongPolarity.part
      expect(wrong, examples.join('\n')).toBe(0)
    }
  })

  test('verifies more with a judge than without', () => {
    expect(found.judges.perfect?.recall.part).toBeGreaterThan(found.withTemplates.recall.part)
  })
})
