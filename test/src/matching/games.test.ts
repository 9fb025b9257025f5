// One game as worded by several venues: which side Yes is, and that the same side is matched before the opposite side.
import { describe, expect, test } from 'vitest'
import { clusterMarkets } from '#matching/cluster/cluster'
import { compareMarkets } from '#matching/compare/compare'
import type { MatchInput } from '#matching/read/input'

const games: readonly (readonly [home: string, away: string])[] = [
  ['Atlanta', 'Phoenix'],
  ['Boston', 'Seattle'],
  ['New York', 'Chicago'],
  ['Los Angeles', 'Denver'],
]

/** The same side of one game, listed with a label, with outcomes, and with only a title. */
function listings([home, away]: readonly [string, string], side: string): MatchInput[] {
  const title = `Will ${side} win the ${away} vs ${home} professional baseball game on May 10, 2026?`
  const fields = { title, eventTitle: `${away} vs ${home}`, closeTime: '2026-05-10T23:00:00Z' }
  return [
    { venue: 'kalshi', marketId: `KXMLBGAME-26MAY10-${side}`, ...fields, subtitle: side },
    { venue: 'polymarket_us', marketId: `us-${side}`, ...fields, outcomes: [side, side === home ? away : home] },
    { venue: 'polymarket', marketId: `p-${side}`, ...fields, outcomes: ['Yes', 'No'] },
    { venue: 'gemini', marketId: `g-${side}`, ...fields },
  ]
}

describe('a game', () => {
  test.each(games)('%s against %s: the title determines which side Yes is', (home, away) => {
    for (const side of [home, away]) {
      const all = listings([home, away], side)
      for (const [at, a] of all.entries())
        for (const b of all.slice(at + 1))
          expect(compareMarkets(a, b), `${a.venue} ${b.venue}`).toMatchObject({
            matchBand: 'verified',
            polarity: 'same',
          })
    }
    const [one] = listings([home, away], home)
    const [, other] = listings([home, away], away)
    expect(compareMarkets(one!, other!)).toMatchObject({ matchBand: 'verified', polarity: 'inverse' })
  })

  test('matches a listing without a league to one with a league', () => {
    const [coded] = listings(['Boston', 'Seattle'], 'Boston')
    const bare = { venue: 'hyperliquid', marketId: 'h', title: 'Seattle vs Boston on May 10, 2026', subtitle: 'Boston' }
    expect(compareMarkets(coded!, bare)).toMatchObject({ matchBand: 'verified', polarity: 'same' })
  })
})

test('joins the identical market before the opposite one when both pairs are equally certain', () => {
  const result = (polarity: 'same' | 'inverse') => ({
    ...compareMarkets(listings(games[0]!, 'Atlanta')[0]!, listings(games[0]!, 'Atlanta')[2]!),
    polarity,
  })
  const markets = [
    { key: 'a:away', venue: 'a' },
    { key: 'b:away', venue: 'b' },
    { key: 'b:home', venue: 'b' },
  ]
  const [cluster] = clusterMarkets(markets, [
    { a: 'a:away', b: 'b:home', result: result('same') },
    { a: 'a:away', b: 'b:away', result: result('inverse') },
  ])
  expect(cluster?.members.map(({ key }) => key)).toEqual(['a:away', 'b:home'])
})
