import { describe, expect, it } from 'vitest'
import type { Market, Outcome } from '#schemas/market'
import { legsOf, type MatchedMarket } from '../../../ui/lib/mergedLegs.ts'

const outcome = (outcomeId: string, label: string): Outcome => ({ outcomeId, label }) as Outcome
const market = (sourceExchange: string, labels: readonly string[] = ['Yes', 'No']): Market =>
  ({
    sourceExchange,
    marketId: `${sourceExchange}:1`,
    outcomes: labels.map((label) => outcome(`${sourceExchange} ${label}`, label)),
  }) as Market
const match = (venue: string, over: Partial<MatchedMarket> = {}): MatchedMarket => ({
  market: market(venue),
  venue,
  relation: over.polarity === 'inverse' ? 'complement' : 'identity',
  polarity: 'same',
  matchBand: 'verified',
  clusterId: 'c',
  ...over,
})
const legs = (own: Market, label: string, ...matches: MatchedMarket[]) => {
  const chosen = own.outcomes.find((one) => one.label === label)!
  const found = legsOf(own, chosen, matches)
  return { ids: found.legs.map(({ outcomeId }) => outcomeId), left: found.left }
}

describe('legs of a merged book', () => {
  const own = market('own')

  it('are the same answer everywhere: inverted where the question is', () => {
    const matches = [match('a'), match('b', { polarity: 'inverse' })]
    expect(legs(own, 'Yes', ...matches)).toEqual({ ids: ['own Yes', 'a Yes', 'b No'], left: [] })
    expect(legs(own, 'No', ...matches)).toEqual({ ids: ['own No', 'a No', 'b Yes'], left: [] })
  })

  it('with names as outcomes treat the first as YES, like the program', () => {
    const teams = market('a', ['Cleveland', 'Dallas'])
    const games = [match('a', { market: teams }), match('b', { polarity: 'inverse' })]
    expect(legs(own, 'Yes', ...games)).toEqual({ ids: ['own Yes', 'a Cleveland', 'b No'], left: [] })
    expect(legs(own, 'No', ...games)).toEqual({ ids: ['own No', 'a Dallas', 'b Yes'], left: [] })
    expect(legs(teams, 'Dallas', match('b'))).toEqual({ ids: ['a Dallas', 'b No'], left: [] })
    // By their labels, in any order and letter case.
    expect(legs(own, 'Yes', match('a', { market: market('a', ['NO', 'yes']) })).ids).toEqual(['own Yes', 'a yes'])
  })

  it('silently leave out markets that are not surely the same question', () => {
    const others = [match('a', { matchBand: 'minor' }), match('b', { relation: 'subset' })]
    expect(legs(own, 'Yes', ...others)).toEqual({ ids: ['own Yes'], left: [] })
  })

  it('name every market with the same question and no outcome that is known to be this one', () => {
    const three = match('a', { market: market('a', ['Home', 'Draw', 'Away']) })
    expect(legs(own, 'Yes', three)).toEqual({
      ids: ['own Yes'],
      left: [{ id: 'a', reason: 'which of its outcomes is YES is unknown' }],
    })
    expect(legs(market('own', ['Home', 'Draw', 'Away']), 'Draw', match('a'))).toEqual({
      ids: ['own Draw'],
      left: [{ id: 'a', reason: 'which of its outcomes is “Draw” is unknown' }],
    })
    expect(legs(own, 'Yes', match('a', { clusterId: null }))).toEqual({
      ids: ['own Yes'],
      left: [{ id: 'a', reason: 'other matches contradict this one' }],
    })
  })

  it('have unique names, also where one venue lists the question twice', () => {
    const again = { ...market('a'), marketId: 'a:2' }
    const found = legsOf(own, own.outcomes[0]!, [match('a'), match('a', { market: again })])
    expect(found.legs.map(({ id }) => id)).toEqual(['own Yes', 'a Yes (1)', 'a Yes (2)'])
  })
})
