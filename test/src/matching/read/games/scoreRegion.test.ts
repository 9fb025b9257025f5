// Relations of score regions, checked by enumerating all scores.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  anyScore,
  type Figure,
  figures,
  type OutcomePairs,
  type Region,
  relateAnswers,
} from '#matching/read/games/scoreRegion'
import type { MatchRelation } from '#schemas/matches'

const most = 14
const holds = ({ region, denied }: OutcomePairs, one: number, two: number): boolean => {
  const values: Record<Figure, number> = { one, two, margin: one - two, sum: one + two }
  return (
    figures.every((figure) => region[figure].low <= values[figure] && values[figure] <= region[figure].high) !== denied
  )
}

function counted(a: OutcomePairs, b: OutcomePairs, tieless: boolean): MatchRelation {
  const seen = { both: false, neither: false, a: false, b: false }
  for (let one = 0; one <= most; one++)
    for (let two = 0; two <= most; two++) {
      if (tieless && one === two) continue
      const [x, y] = [holds(a, one, two), holds(b, one, two)]
      seen[x ? (y ? 'both' : 'a') : y ? 'b' : 'neither'] = true
    }
  if (!seen.a && !seen.b) return 'identity'
  if (!seen.both) return seen.neither ? 'disjoint' : 'complement'
  if (!seen.a) return 'subset'
  return seen.b ? 'overlap' : 'superset'
}

const bound = (low: number): fc.Arbitrary<number> => fc.integer({ min: low, max: 4 })
const region: fc.Arbitrary<Region> = fc
  .record({
    figure: fc.subarray([...figures], { minLength: 1, maxLength: 2 }),
    low: bound(-3),
    width: fc.option(fc.nat(4), { nil: Number.POSITIVE_INFINITY }),
    up: fc.boolean(),
  })
  .map(({ figure, low, width, up }) => {
    const found = anyScore()
    for (const each of figure) {
      const least = each === 'margin' ? low : Math.max(0, low)
      found[each] = up
        ? { low: least, high: least + width }
        : { low: each === 'margin' ? least - width : Math.max(0, least - width), high: least }
    }
    return found
  })
const answers: fc.Arbitrary<OutcomePairs> = fc.record({ region, denied: fc.boolean() })

test('finds the same relation between two score regions as enumerating all scores', () => {
  fc.assert(
    fc.property(answers, answers, fc.boolean(), (a, b, tieless) => {
      expect(relateAnswers(a, b, tieless)).toBe(counted(a, b, tieless))
    }),
    { numRuns: process.env.CROSSBOOK_TEST_LONG === '1' ? 100_000 : 3_000, seed: 65 },
  )
})
