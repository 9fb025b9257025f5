// Abbreviations in club names: usually optional, but sometimes the only difference between two clubs.
import { expect, test } from 'vitest'
import { compareMarkets } from '#matching/compare/compare'
import { otherClub } from '#matching/read/games/clubSuffixes'

test.each([
  ['Will Barcelona win?', 'Will Barcelona SC win?'],
  ['FC Barcelona vs Getafe', 'Barcelona SC vs Getafe'],
  ['Will Everton win?', 'Will CD Everton win?'],
  ['Will Carolina FC win?', 'Will Carolina SC win?'],
])('different clubs: %s | %s', (one, other) => {
  expect(otherClub(one, other)).not.toBeNull()
  expect(otherClub(other, one)).not.toBeNull()
})

test.each([
  ['Will Barcelona win?', 'Will FC Barcelona win?'],
  ['Will Nashville win?', 'Will Nashville SC win?'],
  ['Getafe CF vs Mallorca', 'Getafe vs RCD Mallorca'],
  ['Will Everton win?', 'Will Everton FC win?'],
  ['Seattle Sounders FC vs San Diego FC', 'Seattle vs San Diego'],
])('the same club: %s | %s', (one, other) => {
  expect(otherClub(one, other)).toBeNull()
})

test.each(['SC', 'B', 'II', 'U21', 'Women', 'Legends', 'Reserves'])(
  'does not verify "Barcelona" as "Barcelona %s"',
  (suffix) => {
    const marketOf = (title: string, venue: string) => ({ venue, marketId: venue, title })
    const pairs = [
      ['Will Barcelona win on May 13, 2026?', `Will Barcelona ${suffix} win on May 13, 2026?`],
      [
        'Barcelona vs Getafe on May 13, 2026: Barcelona',
        `Barcelona ${suffix} vs Getafe on May 13, 2026: Barcelona ${suffix}`,
      ],
    ] as const
    for (const [one, other] of pairs)
      expect(compareMarkets(marketOf(one, 'kalshi'), marketOf(other, 'gemini')).matchBand, other).not.toBe('verified')
  },
)
