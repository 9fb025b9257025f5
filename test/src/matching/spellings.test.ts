// Names that differ by one letter: a different person as often as a typo.
import { describe, expect, test } from 'vitest'
import { compareMarkets, compareQuestions } from '#matching/compare/compare'
import { relate } from '#matching/compare/relation'
import type { MatchBand } from '#matching/match'
import { readQuestion } from '#matching/read/parsedMarket'

const sentences: readonly (readonly [string, string])[] = [
  [
    'Will NAME be the nominee for the Presidency for the Democratic party?',
    'Will NAME win the 2028 Democratic presidential nomination?',
  ],
  ['Will NAME resign by March 4, 2027?', 'NAME to resign by Mar 4 2027?'],
  ['Will NAME sign the treaty by March 4, 2027?', 'NAME to sign the treaty by Mar 4 2027?'],
  ['Who will win the Nobel Peace Prize in 2026? : NAME', 'Will NAME win the 2026 Nobel Peace Prize?'],
]

const bands = (one: string, two: string): MatchBand[] =>
  sentences.flatMap(([a, b]) =>
    [
      [one, two],
      [two, one],
    ].map(([x = '', y = '']) => {
      return compareMarkets(
        { venue: 'kalshi', marketId: 'KXNAMED-28-X', title: a.replace('NAME', x) },
        { venue: 'polymarket', marketId: '1', title: b.replace('NAME', y) },
        Date.UTC(2026, 10, 23),
      ).matchBand
    }),
  )

describe('does not verify two similar names', () => {
  test.each([
    ['Maria Petdalbo', 'Maria Petdallo'],
    ['Petdalbo', 'Petdallo'],
    ['Petdalo', 'Petdallo'],
    ['Lars Anderson', 'Lars Andersen'],
    ['Anderson', 'Andersen'],
    ['Anderson', 'Andersson'],
    ['Boris Johnson', 'Boris Johnston'],
    ['Marie Keller', 'Maria Keller'],
    ['Mara Keller', 'Maria Keller'],
    ['Martina Kovac', 'Marina Kovac'],
    ['Christian Petrov', 'Christina Petrov'],
    ['John Clarke', 'John Clark'],
    ['Robert Simpson', 'Robert Simson'],
    ['Malrone', 'Marlone'],
  ])('%s and %s', (one, two) => {
    expect(bands(one, two)).not.toContain('verified')
  })
})

describe('verifies one name in two spellings', () => {
  test.each([
    ['Kylian Mbappe', 'Kylian Mbappé'],
    ['Mbappe', 'Mbappé'],
    ['Volodymyr Zelensky', 'Volodymyr Zelenskyy'],
    ['Zelensky', 'Zelenskyy'],
    ['Zelensky', 'Zelenskiy'],
    ['Hilary Clinton', 'Hillary Clinton'],
    ['Zohran Mamdani', 'Zohran Madmani'],
    ['Jorg Haider', 'Joerg Haider'],
  ])('%s and %s', (one, two) => {
    expect(new Set(bands(one, two))).toEqual(new Set(['verified']))
  })
})

test('reports a letter that may mean another name, and rates the pair minor', () => {
  const found = compareMarkets(
    { venue: 'kalshi', marketId: 'KXNAMED-28-X', title: sentences[0]![0].replace('NAME', 'Maria Petdalbo') },
    { venue: 'polymarket', marketId: '1', title: sentences[0]![1].replace('NAME', 'Maria Petdallo') },
  )
  expect(found.matchBand).toBe('minor')
  expect(found.resolution.auditReasons).toContain(
    'spelling: "petdalbo" on kalshi, "petdallo" on polymarket, which may be two names',
  )
})

test('is unsure of an implication when the names differ by a letter', () => {
  const sure = (name: string): boolean => {
    const [a, b] = [
      readQuestion({
        venue: 'north',
        marketId: '1',
        title: 'Will Maria Petdalbo be out as Secretary of Labor by March 31, 2027?',
      }),
      readQuestion({
        venue: 'south',
        marketId: '2',
        title: `Will ${name} be out as Secretary of Labor by June 30, 2027?`,
      }),
    ]
    return relate(a, b, compareQuestions(a, b)).sure
  }
  expect(sure('Maria Petdallo')).toBe(false)
  expect(sure('Maria Petdalbo')).toBe(true)
})
