import { describe, expect, test } from 'vitest'
import { CandidateIndex } from '#matching/block/candidates'
import type { MatchInput } from '#matching/read/input'
import { generateMarkets } from '#test/bench/syntheticMarkets'

const at = (venue: string, marketId: string, title: string): MatchInput => ({ venue, marketId, title })

describe('candidate search', () => {
  test('keeps the second listing of a question among 50 candidates out of 8,000 markets', () => {
    const { markets, twins } = generateMarkets(8_000)
    const index = new CandidateIndex(markets)
    const kept = twins.filter(([a, b]) => index.find(a).some((found) => found.index === b)).length
    expect(twins.length).toBeGreaterThan(1_000)
    expect(kept / twins.length).toBeGreaterThanOrEqual(0.99)
  })

  test('never returns a market of the same venue, more than k markets, or the same market twice', () => {
    const { markets } = generateMarkets(2_000)
    const index = new CandidateIndex(markets, { k: 10 })
    for (let market = 0; market < markets.length; market += 37) {
      const found = index.find(market)
      expect(found.length).toBeLessThanOrEqual(10)
      expect(new Set(found.map((each) => each.index)).size).toBe(found.length)
      for (const each of found) expect(markets[each.index]?.venue).not.toBe(markets[market]?.venue)
    }
  })

  test('returns the same candidates on every call, best first', () => {
    const { markets } = generateMarkets(1_000)
    const index = new CandidateIndex(markets)
    const first = index.find(3)
    expect(index.find(3)).toEqual(first)
    expect(new CandidateIndex(markets).find(3)).toEqual(first)
    expect(first.map((each) => each.weight)).toEqual(first.map((each) => each.weight).sort((a, b) => b - a))
  })

  test('ranks the right district, team or strike above hundreds of markets that share every other word', () => {
    const markets: MatchInput[] = []
    for (let district = 1; district <= 150; district++) {
      markets.push(at('north', `n${district}`, `Will Republican win the House race for TX-${district % 100}?`))
      markets.push(
        at(
          'south',
          `s${district}`,
          `Will the Republican Party win the TX-${String(district % 100).padStart(2, '0')} House seat?`,
        ),
      )
    }
    const index = new CandidateIndex(markets, { k: 5 })
    const best = index.find(2 * 36).map((each) => markets[each.index]?.title)
    expect(best[0]).toBe('Will the Republican Party win the TX-37 House seat?')
    const teams = new CandidateIndex([
      at('north', '1', 'Will Houston win the 2026 Pro Baseball American League Championship?'),
      at('south', '2', 'Will Seattle Mariners win the 2026 American League Championship Series?'),
      at('south', '3', 'Will Houston Astros win the 2026 American League Championship Series?'),
    ])
    expect(teams.find(0)[0]?.index).toBe(2)
  })

  test('also finds, for a single market, the markets that would have it among their candidates', () => {
    const counties = 'Adams Brown Clark Dover Essex Floyd Grant Hardin Jasper Knox'.split(' ')
    const markets = [
      at('north', 'asked', 'Will Ohio legalize mead?'),
      ...counties.map((county) => at('south', county, `Will Ohio legalize mead at the ${county} fair?`)),
      ...counties.flatMap((county) => [
        at('east', `${county} 1`, `Is the ${county} bridge to open?`),
        at('east', `${county} 2`, `Is the ${county} museum to open?`),
        at('west', `${county} 3`, `Is the ${county} school of law to close?`),
      ]),
    ]
    const index = new CandidateIndex(markets, { k: 3 })
    const found = markets.map((_, slot) => index.near(slot))
    const expectedSlots = counties.map((_, each) => each + 1).filter((slot) => found[slot]!.includes(0))
    expect(expectedSlots.length).toBeGreaterThan(5)
    expect(index.near(0)).toHaveLength(3)
    expect(index.near(0, undefined, true)).toEqual(expect.arrayContaining(expectedSlots))
  })

  test('returns no candidates for a market without words', () => {
    expect(new CandidateIndex([at('north', '1', '')]).find(0)).toEqual([])
  })
})
