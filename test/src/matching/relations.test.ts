// The promises about pairs whose relation is labelled, and the one that no labelled set may break. Sets stand outside the project; without them these are skipped.
import { describe, expect, test } from 'vitest'
import { compareMarkets } from '#matching/compare'
import { evaluateRelations } from '#test/support/evalRelations'
import { sharedFixture } from '#test/support/fixtures'
import { readPairs } from '#test/support/labelledPairs'

const path = (name: string): string | null => sharedFixture(`cross_venue/${name}`)
const labelled = [
  'relations/labelled_relations.jsonl',
  'matching/labeled_corpus.jsonl.gz',
  'matching/xplat_equivalence_seed.jsonl.gz',
  'matching/ground-truth-pairs.csv',
  'matching/candidate_filter_scores.csv.gz',
  'matching/polymarket_us_kalshi_pairs.json',
  'arbitrage/sample_matches.csv',
]

describe.each(labelled)('%s (skipped where ../shared/fixtures is absent)', (name) => {
  const file = path(name)
  test.skipIf(file === null)('no pair that is not equal is verified', () => {
    const pairs = readPairs(file as string)
    expect(pairs.length).toBeGreaterThan(5)
    const wrong = pairs.filter((pair) => !pair.match && compareMarkets(pair.a, pair.b).matchBand === 'verified')
    expect(wrong.map(({ a, b }) => `${a.title} | ${a.subtitle ?? ''} || ${b.title}`)).toEqual([])
  })
})

const relations = path('relations/labelled_relations.jsonl')
describe.skipIf(relations === null)('labelled relations (skipped where ../shared/fixtures is absent)', () => {
  test('85 % of equal pairs are verified, 85 % of implications right, none that is wrong is sure', () => {
    const found = evaluateRelations(readPairs(relations as string))
    const shown = JSON.stringify(found.perFamily)
    expect(found.equal).toBeGreaterThan(250)
    expect(found.falseVerified).toEqual([])
    expect(found.micro.share, shown).toBeGreaterThanOrEqual(0.85)
    expect(found.familyMean.share, shown).toBeGreaterThanOrEqual(0.6)
    expect(found.leaveOneFamilyOut.micro.share, shown).toBeGreaterThanOrEqual(0.85)
    expect(found.implications.labelled).toBeGreaterThan(100)
    expect(found.implications.share).toBeGreaterThanOrEqual(0.85)
    expect(found.implications.sureAndWrong).toEqual([])
  })
})
