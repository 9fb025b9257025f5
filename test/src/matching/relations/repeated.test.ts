// Two markets of one event: which amounts may both come true, and which may not.
import { expect, test } from 'vitest'
import { eventRelations, readQuestion } from '#matching/candidateIndex'

const told = (titles: readonly string[]): string[] =>
  eventRelations({
    venue: 'north',
    eventId: 'E',
    markets: titles.map((title, at) => readQuestion({ title, venue: 'north', marketId: `m${at}` })),
    exclusive: [],
    listing: { open: null, grows: null },
  }).map(({ kind, band }) => `${kind} ${band}`)

test.each<[string, string[], string[]]>([
  [
    'closes of a month come out several times',
    ['Will NVIDIA close above $250 in November 2026?', 'Will NVIDIA close below $150 in November 2026?'],
    [],
  ],
  [
    'a close of a day comes out once',
    ['Will NVIDIA close above $250 on November 20, 2026?', 'Will NVIDIA close below $150 on November 20, 2026?'],
    ['exclusive verified'],
  ],
  [
    'a monthly rate comes out several times a year',
    ['Will the US unemployment rate be above 5% in 2026?', 'Will the US unemployment rate be below 4% in 2026?'],
    [],
  ],
  [
    'and once a month',
    [
      'Will the US unemployment rate be above 5% in May 2026?',
      'Will the US unemployment rate be below 4% in May 2026?',
    ],
    ['exclusive verified'],
  ],
  [
    'thresholds in order follow from each other all the same',
    ['Will the US unemployment rate be above 5% in 2026?', 'Will the US unemployment rate be above 4% in 2026?'],
    ['a_implies_b verified'],
  ],
  [
    'two currencies are no ladder',
    ['Will the fee for Maria Keller be below £100 million?', 'Will the fee for Maria Keller be $100 million or more?'],
    [],
  ],
  [
    'one is; a fee that nobody pays is neither',
    ['Will the fee for Maria Keller be below £100 million?', 'Will the fee for Maria Keller be £100 million or more?'],
    ['exclusive verified'],
  ],
])('%s', (_, titles, relations) => {
  expect(told(titles)).toEqual(relations)
})
