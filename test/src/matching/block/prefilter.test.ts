// The prefilter skips only pairs that a run would not have kept.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Corpus } from '#matching/block/corpus'
import { Fingerprints } from '#matching/block/fingerprints'
import { cannotMatch, mayBeReworded } from '#matching/block/prefilter'
import { compareQuestions } from '#matching/compare/compare'
import { relationOf } from '#matching/compare/relation'
import { type MatchInput, marketKey } from '#matching/read/input'
import { readQuestion } from '#matching/read/parsedMarket'
import type { Question } from '#matching/read/question'
import { generateMarkets } from '#test/bench/syntheticMarkets'
import { sharedFixture } from '#test/support/fixtures'
import { readPairs } from '#test/support/labelledPairs'
import { drawn, market } from '../questions.ts'

/** Whether a run would keep the pair. */
function kept(a: Question, b: Question): boolean {
  const result = compareQuestions(a, b)
  return (
    /^(?:verified|minor)$/.test(result.matchBand) || /^(?:subset|superset)$/.test(relationOf(a, b, result).relation)
  )
}

/** Whether the fingerprints alone separate the two. */
function differ(a: Question, b: Question): boolean {
  const signs = new Fingerprints()
  signs.set(0, a)
  signs.set(1, b)
  return signs.slots(0, 1)
}

test('skips no match and no implication among made-up questions', () => {
  let seen = 0
  fc.assert(
    fc.property(drawn, drawn, fc.constantFrom(0 as const, 1 as const), (one, two, manner) => {
      const [a, b] = [readQuestion(market(one, manner, 'north')), readQuestion(market(two, 0, 'south'))]
      if (!cannotMatch(a, b) && !differ(a, b)) return
      seen++
      expect(kept(a, b), `${a.text} | ${b.text}`).toBe(false)
    }),
    { numRuns: 1_000 },
  )
  expect(seen).toBeGreaterThan(50)
})

const files = ['relations/labelled_relations.jsonl', 'matching/labeled_corpus.jsonl.gz'].map((name) =>
  sharedFixture(`cross_venue/${name}`),
)
test.skipIf(files.includes(null))(
  'skips none among labelled pairs and their neighbours (skipped where ../shared/fixtures is absent)',
  () => {
    const pairs = files.flatMap((file) => readPairs(file as string))
    const read = pairs.map((pair) => [readQuestion(pair.a), readQuestion(pair.b)] as const)
    let seen = 0
    for (const [at, [a]] of read.entries()) {
      for (const step of [0, 1, 2, 3, 5, 8, 13, 40]) {
        const b = read[(at + step) % read.length]![1]
        if (!cannotMatch(a, b) && !differ(a, b)) continue
        seen++
        expect(kept(a, b), `${a.text} | ${b.text}`).toBe(false)
      }
    }
    expect(seen).toBeGreaterThan(500)
  },
)

test('separates questions about different people, but not two wordings of one question', () => {
  const of = (title: string, venue = 'north'): Question => readQuestion({ venue, marketId: title, title })
  const one = of('Will Maria Keller be the Democratic nominee for Governor in Ohio?')
  expect(differ(one, of('Will Viktor Lomann win the 2026 Ohio Governor Democratic nomination?', 'south'))).toBe(true)
  expect(differ(one, of('Will Maria Keller win the 2026 Ohio Governor Democratic nomination?', 'south'))).toBe(false)
})

test('leaves pairs about one person in few other words to a decision on their wording', () => {
  const of = (title: string, venue = 'north'): Question => readQuestion({ venue, marketId: title, title })
  const one = of('Will Maria Keller mentor Viktor Novak in 2027?')
  const reworded = (title: string): boolean => mayBeReworded(one, of(title, 'south'))
  expect(reworded('Will Maria Keller take Viktor Novak on as a trainee in 2027?')).toBe(true)
  expect(reworded('Will Maria Keller take Viktor Novak on as a trainee in 2028?')).toBe(false)
  expect(reworded('Will Priya Raman take Tomas Herrera on as a trainee in 2027?')).toBe(false)
  expect(reworded('Will Maria Keller sell her house, move to the coast and retrain as a baker in 2027?')).toBe(false)
})

test('separates questions about different days and years, but not one day with and without its year', () => {
  const of = (title: string, venue = 'north'): Question => readQuestion({ venue, marketId: title, title })
  const one = of('Bitcoin price on August 22, 2026: $49,400 or above')
  expect(differ(one, of('Will Bitcoin be above $49400 on November 22?', 'south'))).toBe(true)
  expect(differ(one, of('Will Bitcoin be above $49400 on August 23?', 'south'))).toBe(true)
  expect(differ(one, of('Will Bitcoin be above $49400 on August 22, 2027?', 'south'))).toBe(true)
  expect(differ(one, of('Will Bitcoin be above $49400 on August 22?', 'south'))).toBe(false)
})

const long = process.env.CROSSBOOK_TEST_LONG === '1'
test.skipIf(!long || files.includes(null))(
  'finds every labelled pair worth keeping among the candidates (long; skipped without ../shared/fixtures)',
  () => {
    const markets = new Map<string, MatchInput>()
    for (const pair of files.flatMap((file) => readPairs(file as string)))
      for (const each of [pair.a, pair.b]) markets.set(marketKey(each), each)
    const read = [...markets.values()].map((each) => readQuestion(each))
    const found = new Set(
      new Corpus(markets.values()).compare(markets.keys(), () => true).edges.map(({ a, b }) => `${a} ${b}`),
    )
    const missed: string[] = []
    for (const [at, a] of read.entries()) {
      for (const b of read.slice(at + 1)) {
        if (a.venue === b.venue) continue
        const { matchBand } = compareQuestions(a, b)
        if (matchBand !== 'verified' && matchBand !== 'minor') continue
        if (!found.has(a.key < b.key ? `${a.key} ${b.key}` : `${b.key} ${a.key}`)) missed.push(`${a.text} | ${b.text}`)
      }
    }
    expect(found.size).toBeGreaterThan(300)
    expect(missed).toEqual([])
  },
  600_000,
)

test.each(long ? [1, 2, 3, 5, 8, 13, 21, 34] : [1])(
  'finds all matches among the candidates when sixteen venues ask about the same few people: seed %i',
  (seed) => {
    const { markets } = generateMarkets(long ? 700 : 150, { seed, venues: 16, people: 12 })
    const known = new Corpus(markets)
    const found = new Set(known.compare(markets.map(marketKey), () => true).edges.map(({ a, b }) => `${a} ${b}`))
    const read = markets.map((each) => known.question(marketKey(each)))
    const missed: string[] = []
    for (const [at, a] of read.entries()) {
      for (const b of read.slice(at + 1)) {
        if (a.venue === b.venue || found.has(a.key < b.key ? `${a.key} ${b.key}` : `${b.key} ${a.key}`)) continue
        const { matchBand } = compareQuestions(a, b)
        if (matchBand === 'verified' || matchBand === 'minor')
          missed.push(
            `${a.text} | ${b.text}: ${matchBand}${cannotMatch(a, b) ? ', hopeless' : ''}${differ(a, b) ? ', apart' : ''}`,
          )
      }
    }
    expect(found.size).toBeGreaterThan(10)
    expect(missed).toEqual([])
  },
  600_000,
)
