// Similar bets on games: which must never be verified as the same, and which imply each other.
import { describe, expect, test } from 'vitest'
import { readQuestion, relationOf } from '#matching/candidateIndex'
import { compareQuestions } from '#matching/compare'
import { type NearMiss, nearMisses, type Told } from './nearMisses.ts'

const inputOf = (venue: string, { id, ...words }: Told) => ({ venue, marketId: id, ...words })

function judged({ a, b }: Pick<NearMiss, 'a' | 'b'>): { band: string; sure: string; polarity: string } {
  const [one, other] = [readQuestion(inputOf('kalshi', a)), readQuestion(inputOf('polymarket', b))]
  const result = compareQuestions(one, other)
  const { relation, relationBand } = relationOf(one, other, result)
  return { band: result.matchBand, sure: relationBand === 'verified' ? relation : '', polarity: result.polarity }
}

const relations = { '=': 'identity', '~': 'complement', '>': 'subset', x: 'disjoint', '.': '' } as const
const turned = { ...relations, '>': 'superset' } as const

describe('similar bets on games', () => {
  const neighbours = nearMisses.filter(({ standing }) => standing !== '=' && standing !== '~')
  const told = nearMisses.filter(({ standing }) => standing !== '.')

  test('never verifies a near miss', () => {
    expect(neighbours.length).toBeGreaterThan(80)
    const wrong = neighbours.filter((pair) => judged(pair).band === 'verified')
    expect(wrong.map(({ text }) => text)).toEqual([])
  })

  test('reports no certain relation that does not hold', () => {
    const wrong = nearMisses.filter((pair) => {
      const back = judged({ a: pair.b, b: pair.a }).sure
      return !['', relations[pair.standing]].includes(judged(pair).sure) || !['', turned[pair.standing]].includes(back)
    })
    expect(wrong.map((pair) => `${judged(pair).sure}: ${pair.text}`)).toEqual([])
  })

  test('reports every relation that holds', () => {
    const missed = told.filter((pair) => judged(pair).sure !== relations[pair.standing])
    expect(missed.map((pair) => `${JSON.stringify(judged(pair))}: ${pair.text}`)).toEqual([])
  })
})
