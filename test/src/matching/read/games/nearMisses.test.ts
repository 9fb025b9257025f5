// Similar bets on games: which must never be verified as the same, and which imply each other.
import { describe, expect, test } from 'vitest'
import { readQuestion, relationOf } from '#matching/candidateIndex'
import { compareQuestions } from '#matching/compare/compare'
import { type ListedBet, type NearMiss, nearMisses } from './nearMisses.ts'

const inputOf = (venue: string, { id, ...words }: ListedBet) => ({ venue, marketId: id, ...words })

function comparisonOf({ a, b }: Pick<NearMiss, 'a' | 'b'>): { band: string; sure: string; polarity: string } {
  const [one, other] = [readQuestion(inputOf('kalshi', a)), readQuestion(inputOf('polymarket', b))]
  const result = compareQuestions(one, other)
  const { relation, relationBand } = relationOf(one, other, result)
  return { band: result.matchBand, sure: relationBand === 'verified' ? relation : '', polarity: result.polarity }
}

const relations = { '=': 'identity', '~': 'complement', '>': 'subset', x: 'disjoint', '.': '' } as const
const turned = { ...relations, '>': 'superset' } as const

describe('similar bets on games', () => {
  const neighbours = nearMisses.filter(({ sign }) => sign !== '=' && sign !== '~')
  const related = nearMisses.filter(({ sign }) => sign !== '.')

  test('never verifies a near miss', () => {
    expect(neighbours.length).toBeGreaterThan(80)
    const wrong = neighbours.filter((pair) => comparisonOf(pair).band === 'verified')
    expect(wrong.map(({ text }) => text)).toEqual([])
  })

  test('reports no certain relation that does not hold', () => {
    const wrong = nearMisses.filter((pair) => {
      const back = comparisonOf({ a: pair.b, b: pair.a }).sure
      return !['', relations[pair.sign]].includes(comparisonOf(pair).sure) || !['', turned[pair.sign]].includes(back)
    })
    expect(wrong.map((pair) => `${comparisonOf(pair).sure}: ${pair.text}`)).toEqual([])
  })

  test('reports every relation that holds', () => {
    const missed = related.filter((pair) => comparisonOf(pair).sure !== relations[pair.sign])
    expect(missed.map((pair) => `${JSON.stringify(comparisonOf(pair))}: ${pair.text}`)).toEqual([])
  })
})
