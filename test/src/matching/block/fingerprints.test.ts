// Questions that differ by their fingerprints also differ by their words. Tried with names and sides that are only a few letters apart.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fingerprints } from '#matching/block/fingerprints'
import { disjointSketches } from '#matching/block/minHash'
import { cannotMatch } from '#matching/block/prefilter'
import { readQuestion } from '#matching/read/parsedMarket'
import type { Question } from '#matching/read/question'

const of = (title: string, venue: string): Question => readQuestion({ venue, marketId: title, title })

function differ(a: Question, b: Question): boolean {
  const signs = new Fingerprints()
  signs.set(0, a)
  signs.set(1, b)
  return signs.slots(0, 1)
}

const first = fc.constantFrom('Maria', 'Mike', 'Michael', 'Karl', 'Carl', 'Rob', 'Bob', 'Robert', 'Lee', 'J', 'Al')
const last = fc.constantFrom('Keller', 'Kellner', 'Keler', 'Kelelr', 'Lindqvist', 'Lindquist', 'Rerman', 'Karl', 'Lee')
const person = fc
  .tuple(fc.array(first, { maxLength: 2 }), fc.array(last, { minLength: 1, maxLength: 2 }))
  .map((words) => words.flat().join(' '))
const club = fc.constantFrom('Man', 'Manres', 'Resman', 'Ogden', 'Ogden Town', 'Town', 'Lor', 'Mus', 'Lormus', 'Szakel')

const templates: Record<string, [fc.Arbitrary<string>, fc.Arbitrary<string>, (x: string, y: string) => string]> = {
  'people of one race': [person, fc.constant(''), (x) => `Will ${x} be the Democratic nominee for Governor in Ohio?`],
  'people in any wording': [
    person,
    fc.constantFrom('resign', 'visit Oslo', 'sign the treaty'),
    (x, act) => `Will ${x} ${act} by May 21, 2027?`,
  ],
  'works and parties': [last, first, (x, y) => `Will "${x} ${y}" win Album of the Year at the 2027 Grammys?`],
  'games of one day': [club, club, (x, y) => `Will ${x} win on 2026-09-21? (${x} vs. ${y})`],
}

test.each(Object.entries(templates))('%s: fingerprints separate only pairs that cannot match', (_, [x, y, title]) => {
  let [parted, left] = [0, 0]
  fc.assert(
    fc.property(x, y, x, y, (one, two, three, four) => {
      const [a, b] = [of(title(one, two), 'north'), of(title(three, four), 'south')]
      if (!differ(a, b)) left++
      else {
        parted++
        expect(cannotMatch(a, b), `${a.text} | ${b.text}`).toBe(true)
      }
    }),
    { numRuns: 400 },
  )
  expect(parted).toBeGreaterThan(40)
  expect(left).toBeGreaterThan(20)
})

test('separates two kinds only if every question of one is separate from every question of the other', () => {
  const titles = [
    'Will Maria Keller be the Democratic nominee for Governor in Ohio?',
    'Will Jonas Lind be the Republican nominee for Governor in Ohio?',
    'Bitcoin price on August 22, 2026: $49,400 or above',
    'Will Ethereum be above $4900 on November 22?',
    'Will Ogden win on 2026-09-21? (Ogden vs. Salem)',
    'Will Maria Keller resign by May 21, 2027?',
    'Will Ohio legalize mead by June 30, 2027?',
  ]
  const signs = new Fingerprints()
  const kinds = titles.map((title, slot) => signs.set(slot, of(title, 'north')).kind)
  const pairs = titles.flatMap((_, a) => titles.map((_, b) => [a, b] as const))
  const parted = pairs.filter(([a, b]) => signs.kinds(kinds[a]!, kinds[b]!))
  expect(parted.length).toBeGreaterThan(10)
  for (const [a, b] of parted) expect(signs.slots(a, b), `${titles[a]} | ${titles[b]}`).toBe(true)
})

test.each(['people of one race', 'games of one day'])('%s: separates questions whose sketches are disjoint', (name) => {
  const [x, y, title] = templates[name]!
  let parted = 0
  fc.assert(
    fc.property(x, y, x, y, (one, two, three, four) => {
      const signs = new Fingerprints()
      const [a, b] = [signs.set(0, of(title(one, two), 'north')), signs.set(1, of(title(three, four), 'south'))]
      const by = signs.sketched(a.kind, b.kind)
      if (!disjointSketches(by, Int32Array.from(a.sketch), 0, Int32Array.from(b.sketch), 0)) return
      parted++
      expect(signs.slots(0, 1), `${title(one, two)} | ${title(three, four)}`).toBe(true)
    }),
    { numRuns: 1_000 },
  )
  expect(parted).toBeGreaterThan(20)
})
