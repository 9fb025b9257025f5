// The promises about pairs whose relation is labelled, and the one that no labelled set may break. Sets stand outside the project; without them these are skipped.
import { describe, expect, test } from 'vitest'
import { compareMarkets } from '#matching/compare'
import { evaluateRelations } from '#test/support/evalRelations'
import { sharedFixture } from '#test/support/fixtures'
import { readPairs } from '#test/support/labelledPairs'

const path = (name: string): string | null => sharedFixture(`cross_venue/${name}`)
const skipped = '(skipped where ../shared/fixtures is absent)'

/** Always the same day, on which windows of these listings have begun: what begins later must not turn a test. */
const asOf = Date.parse('2026-11-23')

/** Each holds pairs that are not equal. */
const withOthers = [
  'relations/labelled_relations.jsonl',
  'matching/labeled_corpus.jsonl.gz',
  'matching/ground-truth-pairs.csv',
  'matching/candidate_filter_scores.csv.gz',
]
/** Of equal pairs alone: they say nothing about what is wrongly verified. */
const equalOnly = [
  'matching/xplat_equivalence_seed.jsonl.gz',
  'matching/polymarket_us_kalshi_pairs.json',
  'arbitrage/sample_matches.csv',
]

describe.each(withOthers)(`%s ${skipped}`, (name) => {
  const file = path(name)
  test.skipIf(file === null)('no pair that is not equal is verified', () => {
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
  test('85 % of equal pairs are verified, 85 % of implications right, none that is wrong is sure, none stands the wrong way round', () => {
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
