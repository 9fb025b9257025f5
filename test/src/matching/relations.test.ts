// Promises about pairs with a labelled relation, and the one that every labelled set must keep. The sets are kept
// outside the project; without them these tests are skipped.
import { describe, expect, test } from 'vitest'
import { compareMarkets } from '#matching/compare/compare'
import { evaluateRelations } from '#test/support/evalRelations'
import { sharedFixture } from '#test/support/fixtures'
import { readPairs } from '#test/support/labelledPairs'

const path = (name: string): string | null => sharedFixture(`cross_venue/${name}`)
const skipped = '(skipped where ../shared/fixtures is absent)'

/** A fixed day, because the result depends on which windows have begun. */
const asOf = Date.parse('2026-11-23')

/** These contain pairs that are not equal. */
const withOthers = [
  'relations/labelled_relations.jsonl',
  'matching/labeled_corpus.jsonl.gz',
  'matching/ground-truth-pairs.csv',
  'matching/candidate_filter_scores.csv.gz',
]
/** These contain only equal pairs, so they cannot show false matches. */
const equalOnly = [
  'matching/xplat_equivalence_seed.jsonl.gz',
  'matching/polymarket_us_kalshi_pairs.json',
  'arbitrage/sample_matches.csv',
]

describe.each(withOthers)(`%s ${skipped}`, (name) => {
  const file = path(name)
  test.skipIf(file === null)('verifies no pair that is not equal', () => {
    const others = readPairs(file as string).filter(({ match }) => !match)
    expect(others).not.toEqual([])
    const wrong = others.filter(({ a, b }) => compareMarkets(a, b, asOf).matchBand === 'verified')
    expect(wrong.map(({ a, b }) => `${a.title} | ${a.subtitle ?? ''} || ${b.title}`)).toEqual([])
  })
})

test.each(equalOnly.map((name) => [name, path(name)]))(`%s holds equal pairs alone ${skipped}`, (_, file) => {
  if (file === null) return
  const pairs = readPairs(file)
  expect(pairs.length).toBeGreaterThan(5)
  expect(pairs.filter(({ match }) => !match)).toEqual([])
})

const relations = path('relations/labelled_relations.jsonl')
describe.skipIf(relations === null)(`labelled relations ${skipped}`, () => {
  test('verifies 85 % of equal pairs, finds 85 % of implications, and has no wrong certain relation and no wrong polarity', () => {
    const found = evaluateRelations(readPairs(relations as string), new Set(), asOf)
    const shown = JSON.stringify(found.perFamily)
    expect(found.equal).toBeGreaterThan(250)
    expect(found.falseVerified).toEqual([])
    expect(found.polarity.checked).toBeGreaterThan(200)
    expect(found.polarity.turned).toEqual([])
    expect(found.micro.share, shown).toBeGreaterThanOrEqual(0.85)
    expect(found.familyMean.share, shown).toBeGreaterThanOrEqual(0.75)
    expect(found.leaveOneFamilyOut.micro.share, shown).toBeGreaterThanOrEqual(0.85)
    expect(found.implications.labelled).toBeGreaterThan(100)
    expect(found.implications.share).toBeGreaterThanOrEqual(0.85)
    expect(found.implications.sureAndWrong).toEqual([])
  })
})
