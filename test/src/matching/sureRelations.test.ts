// Relations that structures rely on: a certain relation must hold in every world, and similar wording is not enough.
import { describe, expect, test } from 'vitest'
import { readQuestion, relationOf } from '#matching/candidateIndex'
import { compareQuestions } from '#matching/compare/compare'

function certainRelation(one: string, other: string, rules?: string): string {
  const [a, b] = [
    readQuestion({ venue: 'kalshi', marketId: 'KXMADE-X', title: one, rules }),
    readQuestion({ venue: 'polymarket', marketId: '500001', title: other, rules }),
  ]
  const { relation, relationBand } = relationOf(a, b, compareQuestions(a, b))
  return relationBand === 'verified' ? relation : 'not sure'
}

describe('reports no certain exclusion when both can resolve Yes', () => {
  test.each([
    // Each price may be touched on a different day.
    ['Will Bitcoin hit $150k in 2026?', 'Will Bitcoin dip to $60k in 2026?'],
    ['Will Bitcoin reach $150k by December 31, 2026?', 'Will Bitcoin drop to $60k by December 31, 2026?'],
    // Decided at several meetings, or measured on several days.
    ['Will the Fed hike rates in 2026?', 'Will the Fed cut rates in 2026?'],
    [
      'Will the Fed cut rates by 25 bps by December 31, 2026?',
      'Will the Fed cut rates by 50 bps by December 31, 2026?',
    ],
    ['Will the Fed leave rates unchanged in 2026?', 'Will the Fed cut rates in 2026?'],
    ['Will Nvidia close above $250 in November 2026?', 'Will Nvidia close below $150 in November 2026?'],
    ['Will unemployment be above 5% in 2026?', 'Will unemployment be below 4% in 2026?'],
    ['Will Golden be #1 on the Billboard Hot 100 in 2026?', 'Will Ordinary be #1 on the Billboard Hot 100 in 2026?'],
    ['Will Ada Finch be ranked #1 in ATP in 2026?', 'Will Iris Boyd be ranked #1 in ATP in 2026?'],
    // Several people can win one.
    ['Will Ada Finch win a Grammy in 2026?', 'Will Iris Boyd win a Grammy in 2026?'],
    ['Will Max Verstappen win a race in 2026?', 'Will Lando Norris win a race in 2026?'],
    ['Will Norway win a gold medal in 2026?', 'Will Sweden win a gold medal in 2026?'],
    ['Will Ada Finch finish second in a primary in 2028?', 'Will Iris Boyd finish second in a primary in 2028?'],
    ['Will Ada Finch win player of the month in 2026?', 'Will Iris Boyd win player of the month in 2026?'],
    // Awarded every year.
    ['Will Arsenal win the Premier League before 2030?', 'Will Chelsea win the Premier League before 2030?'],
    ['Will France win the World Cup before 2035?', 'Will Spain win the World Cup before 2035?'],
    // A bare count may mean at least that many.
    ['Will Ada Finch score 30 goals in the 2027 season?', 'Will Ada Finch score 40 goals in the 2027 season?'],
    // Both names may mean one person.
    ['Will Harris win the 2028 nomination?', 'Will Calvin Harris win the 2028 nomination?'],
  ])('%s | %s', (one, other) => {
    expect(certainRelation(one, other)).toBe('not sure')
    expect(certainRelation(other, one)).toBe('not sure')
  })
})

describe('does not assume that two names are two entrants', () => {
  test.each([
    ['Will Ada Finch win the 2028 Democratic nomination?', 'Will Iris Boyd win the 2028 Democratic nomination?'],
    [
      'Will AfD win the most seats in the 2029 German election?',
      'Will SPD win the most seats in the 2029 German election?',
    ],
    ['Will Wolves win the 2026-27 Premier League?', 'Will Wolverhampton win the 2026-27 Premier League?'],
    ['Will Ye be the next mayor of Ohio?', 'Will Kanye West be the next mayor of Ohio?'],
  ])('%s | %s', (one, other) => {
    expect(certainRelation(one, other)).toBe('not sure')
    expect(certainRelation(other, one)).toBe('not sure')
  })
})

describe('does not infer an ongoing state from an earlier deadline', () => {
  test.each([
    ['Will there be no recession by June 30, 2027?', 'Will there be no recession by December 31, 2027?'],
    ['Will no country leave NATO by June 30, 2027?', 'Will no country leave NATO by December 31, 2027?'],
    ['Will Trump avoid impeachment by June 30, 2027?', 'Will Trump avoid impeachment by December 31, 2027?'],
    ['Will Ohio still ban mead by June 30, 2027?', 'Will Ohio still ban mead by December 31, 2027?'],
  ])('%s | %s', (one, other) => {
    expect(['not sure', 'superset']).toContain(certainRelation(one, other))
    expect(['not sure', 'subset']).toContain(certainRelation(other, one))
  })
})

test('is unsure of an implication when the hours differ', () => {
  const rules = 'It resolves by the CF Benchmarks BRTI.'
  const lower = 'Will the price of Bitcoin be above $90,000 on December 31, 2026'
  const higher = 'Will the price of Bitcoin be above $100,000 on December 31, 2026?'
  expect(certainRelation(`${lower}?`, higher, rules)).toBe('superset')
  expect(certainRelation(`${lower} at 5pm EST?`, higher, rules)).toBe('not sure')
})

describe('keeps certain relations', () => {
  test.each([
    [
      'Will Ada Finch score exactly 30 goals in the 2027 season?',
      'Will Ada Finch score exactly 40 goals in the 2027 season?',
      'disjoint',
    ],
    ['Will the Fed hike rates in December 2026?', 'Will the Fed cut rates in December 2026?', 'disjoint'],
    ['Will Ohio legalize mead by June 30, 2027?', 'Will Ohio legalize mead by December 31, 2027?', 'subset'],
    ['Will Labour win more than 80 seats?', 'Will Labour win at least 80 seats?', 'subset'],
    ['Will Stripe not IPO by June 30, 2027?', 'Will Stripe not IPO by December 31, 2027?', 'superset'],
  ])('%s | %s: %s', (one, other, expected) => {
    expect(certainRelation(one, other)).toBe(expected)
  })
})
