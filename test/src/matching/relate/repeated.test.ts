// Two markets of one event: which amounts can both resolve Yes, and which cannot.
import { expect, test } from 'vitest'
import { eventRelations, readQuestion } from '#matching/candidateIndex'

const relationKinds = (titles: readonly string[]): string[] =>
  eventRelations({
    venue: 'north',
    eventId: 'E',
    markets: titles.map((title, at) => readQuestion({ title, venue: 'north', marketId: `m${at}` })),
    exclusive: [],
    listing: { open: null, grows: null },
  }).map(({ kind, band }) => `${kind} ${band}`)

test.each<[string, string[], string[]]>([
  [
    'a month has several closes',
    ['Will NVIDIA close above $250 in November 2026?', 'Will NVIDIA close below $150 in November 2026?'],
    [],
  ],
  [
    'a day has one close',
    ['Will NVIDIA close above $250 on November 20, 2026?', 'Will NVIDIA close below $150 on November 20, 2026?'],
    ['exclusive verified'],
  ],
  [
    'a monthly rate is published several times a year',
    ['Will the US unemployment rate be above 5% in 2026?', 'Will the US unemployment rate be below 4% in 2026?'],
    [],
  ],
  [
    'a monthly rate is published once a month',
    [
      'Will the US unemployment rate be above 5% in May 2026?',
      'Will the US unemployment rate be below 4% in May 2026?',
    ],
    ['exclusive verified'],
  ],
  [
    'a higher threshold still implies a lower one',
    ['Will the US unemployment rate be above 5% in 2026?', 'Will the US unemployment rate be above 4% in 2026?'],
    ['a_implies_b verified'],
  ],
  [
    'two currencies are not a ladder',
    ['Will the fee for Maria Keller be below £100 million?', 'Will the fee for Maria Keller be $100 million or more?'],
    [],
  ],
  [
    'one currency is a ladder, but a fee may not be paid at all',
    ['Will the fee for Maria Keller be below £100 million?', 'Will the fee for Maria Keller be £100 million or more?'],
    ['exclusive verified'],
  ],
])('%s', (_, titles, relations) => {
  expect(relationKinds(titles)).toEqual(relations)
})
