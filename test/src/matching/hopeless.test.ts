// What a run does not compare is what it would not have kept.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareQuestions } from '#matching/compare'
import { hopeless } from '#matching/hopeless'
import { type Question, readQuestion } from '#matching/question'
import { relationOf } from '#matching/relation'
import { sharedFixture } from '#test/support/fixtures'
import { readPairs } from '#test/support/labelledPairs'
import { drawn, market } from './questions.ts'

/** Whether a run would keep the pair. */
function kept(a: Question, b: Question): boolean {
  const result = compareQuestions(a, b)
  return /^(?:verified|minor)$/.test(result.matchBand) || /^(?:subset|superset)$/.test(relationOf(a, b, result))
}

test('a pair that is hopeless is no match and implies nothing, in made-up questions', () => {
  let seen = 0
  fc.assert(
    fc.property(drawn, drawn, fc.constantFrom(0 as const, 1 as const), (one, two, manner) => {
      const [a, b] = [readQuestion(market(one, manner, 'north')), readQuestion(market(two, 0, 'south'))]
      if (!hopeless(a, b)) return
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
  'in labelled pairs and their neighbours (skipped where ../shared/fixtures is absent)',
  () => {
    const pairs = files.flatMap((file) => readPairs(file as string))
    const read = pairs.map((pair) => [readQuestion(pair.a), readQuestion(pair.b)] as const)
    let seen = 0
    for (const [at, [a]] of read.entries()) {
      for (const step of [0, 1, 2, 3, 5, 8, 13, 40]) {
        const b = read[(at + step) % read.length]![1]
        if (!hopeless(a, b)) continue
        seen++
        expect(kept(a, b), `${a.text} | ${b.text}`).toBe(false)
      }
    }
    expect(seen).toBeGreaterThan(500)
  },
)
