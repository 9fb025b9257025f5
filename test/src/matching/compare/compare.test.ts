import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareMarkets } from '#matching/compare/compare'
import { bandOf, type MatchResult } from '#matching/match'
import type { MatchInput } from '#matching/read/input'
import { casesOf } from '#test/support/shortRuns'
import { changed, drawn, market } from '../questions.ts'

const at = (venue: string, title: string, more: Partial<MatchInput> = {}): MatchInput => ({
  venue,
  marketId: `${venue}.1`,
  title,
  ...more,
})
const compare = (a: string, b: string, more: Partial<MatchInput> = {}): MatchResult =>
  compareMarkets(at('north', a, more), at('south', b, more))
const sum = (result: MatchResult): number => result.matchDifferences.reduce((total, each) => total + each.points, 0)

const anyMarket = (venue: string): fc.Arbitrary<MatchInput> =>
  fc.oneof(
    drawn.chain((each) => fc.constantFrom(0 as const, 1 as const).map((manner) => market(each, manner, venue))),
    fc
      .record({
        title: fc.string({ maxLength: 80 }),
        subtitle: fc.option(fc.string({ maxLength: 30 })),
        rules: fc.option(fc.string({ maxLength: 60 })),
        closeTime: fc.option(fc.string({ maxLength: 12 })),
      })
      .map((fields) => ({ venue, marketId: 'any', ...fields })),
  )

describe('compareMarkets', () => {
  test('returns points that sum to exactly 100 minus the score, an integer score and the band of that score', () => {
    fc.assert(
      fc.property(anyMarket('north'), anyMarket('south'), (a, b) => {
        const result = compareMarkets(a, b)
        expect(result.matchBand).toBe(bandOf(result.matchScore))
        if (result.matchScore === null) {
          expect(result.matchDifferences).toEqual([])
          return
        }
        expect(Number.isInteger(result.matchScore) && result.matchScore >= 0 && result.matchScore <= 100).toBe(true)
        expect(sum(result)).toBe(100 - result.matchScore)
        for (const each of result.matchDifferences) {
          expect(Number.isInteger(each.points) && each.points > 0).toBe(true)
          expect(each.detail.length).toBeGreaterThan(8)
        }
      }),
      { numRuns: casesOf(600) },
    )
  })

  test('is symmetric and deterministic', () => {
    fc.assert(
      fc.property(anyMarket('north'), anyMarket('south'), (a, b) => {
        const result = compareMarkets(a, b)
        expect(compareMarkets(b, a)).toEqual(result)
        expect(compareMarkets(a, b)).toEqual(result)
      }),
      { numRuns: casesOf(300) },
    )
  })

  test('verifies identical questions with a score of 100', () => {
    fc.assert(
      fc.property(drawn, fc.constantFrom(0 as const, 1 as const), (each, manner) => {
        const result = compareMarkets(market(each, manner, 'north'), market(each, manner, 'south'))
        expect(result).toMatchObject({ matchScore: 100, matchBand: 'verified', polarity: 'same', matchDifferences: [] })
      }),
      { numRuns: casesOf(400) },
    )
  })

  test('verifies one question in two wordings, with the same polarity', () => {
    fc.assert(
      fc.property(drawn, (each) => {
        const result = compareMarkets(market(each, 0, 'north'), market(each, 1, 'south'))
        expect(result, JSON.stringify([market(each, 0, 'north'), market(each, 1, 'south')])).toMatchObject({
          matchBand: 'verified',
          polarity: 'same',
        })
      }),
      { numRuns: casesOf(600) },
    )
  })

  test('never verifies the pair after one strike, date, name, team, office, place or period is changed', () => {
    fc.assert(
      fc.property(
        changed,
        fc.constantFrom(0 as const, 1 as const),
        fc.constantFrom(0 as const, 1 as const),
        (each, one, two) => {
          const a = market(each, one, 'north')
          const b = market({ template: each.template, values: each.other }, two, 'south')
          const result = compareMarkets(a, b)
          // Reversing the direction of a strike gives the other side of the same question, never the same side.
          if (/^(?:side|direction)$/.test(each.parameter) && result.polarity === 'inverse') return
          expect(['material', 'hidden'], JSON.stringify([each.parameter, a, b, result.matchDifferences])).toContain(
            result.matchBand,
          )
        },
      ),
      { numRuns: casesOf(1_500) },
    )
  })
})

describe('polarity', () => {
  test.each([
    ['Will Keller win the 2027 Kroll Prize?', 'Will Keller not win the 2027 Kroll Prize?'],
    ['Will there be at least 3000 measles cases in 2026?', 'Will there be fewer than 3000 measles cases in 2026?'],
    ['Will unemployment be above 4.5% in June 2026?', 'Will unemployment be 4.5% or lower in June 2026?'],
  ])('is inverse: %s / %s', (a, b) => {
    expect(compare(a, b)).toMatchObject({ matchBand: 'verified', polarity: 'inverse' })
  })

  test('is inverse between a rise and a fall of one price that settles by one named source', () => {
    const rules = { rules: 'According to the CF Benchmarks index.' }
    const result = compare('Will Bitcoin end 2026 up?', 'Will Bitcoin end 2026 down?', rules)
    expect(result).toMatchObject({ matchScore: 96, matchBand: 'verified', polarity: 'inverse' })
  })

  test('is inverse for the two sides of a game without a draw', () => {
    const fields = { closeTime: '2026-05-10T22:00:00Z' }
    const title = 'MLB: Astros vs Reds on May 10, 2026'
    const result = compareMarkets(
      at('north', title, { ...fields, subtitle: 'Astros' }),
      at('south', title, { ...fields, subtitle: 'Reds' }),
    )
    expect(result).toMatchObject({ matchBand: 'verified', polarity: 'inverse' })
  })

  test('is not inverse for the two sides where a draw is possible', () => {
    const title = 'Getafe vs Mallorca on May 10, 2026'
    const result = compareMarkets(
      at('north', title, { subtitle: 'Getafe' }),
      at('south', title, { subtitle: 'Mallorca' }),
    )
    expect(result.matchBand).toBe('material')
  })
})

describe('differences that prevent verification', () => {
  test.each([
    [
      'touching a price against closing above it',
      'Will Bitcoin reach $150,000 by December 31, 2026?',
      'Will Bitcoin be above $150,000 by December 31, 2026?',
      'strike',
    ],
    [
      'a day against a deadline',
      'Will the bill pass on March 3, 2026?',
      'Will the bill pass by March 3, 2026?',
      'date',
    ],
    [
      'a semifinal against the title',
      'Will Brazil reach the 2026 World Cup semifinals?',
      'Will Brazil win the 2026 World Cup?',
      'stage',
    ],
    [
      'the first round against the election',
      'Will Keller win the first round of the 2027 presidential election?',
      'Will Keller win the 2027 presidential election?',
      'stage',
    ],
    [
      'a half against the game',
      'Will Getafe win the 1st half against Mallorca on May 3, 2026?',
      'Will Getafe win against Mallorca on May 3, 2026?',
      'period',
    ],
    [
      'women against men',
      "Will Norway win the 2027 Women's World Cup?",
      'Will Norway win the 2027 World Cup?',
      'division',
    ],
    [
      'control of the chamber against one seat',
      'Will Republicans win the Senate in 2026?',
      'Will Republicans win the Senate race in Ohio in 2026?',
      'place',
    ],
    [
      'another first name',
      'Will Eduardo Amaral win the 2026 election?',
      'Will Flavio Amaral win the 2026 election?',
      'name',
    ],
    [
      'goals against goals and assists',
      'Jonas Lind: 2+ goals on May 3, 2026',
      'Jonas Lind: 2+ goals + assists on May 3, 2026',
      'measure',
    ],
    ['another bet on one game', 'Spurs vs. Wolves on May 3, 2026', 'Spurs vs. Wolves on May 3, 2026: overtime?', 'bet'],
    ['core against headline', 'Will core CPI rise 0.3% in May 2026?', 'Will CPI rise 0.3% in May 2026?', 'metric'],
  ])('%s', (_, a, b, kind) => {
    const result = compare(a, b)
    expect(['material', 'hidden']).toContain(result.matchBand)
    expect(result.matchDifferences.map((each) => each.kind)).toContain(kind)
    expect(result.resolutionEquivalence).toBe('different')
  })

  test('names an inclusive bound on one side only, and does not verify the pair', () => {
    const result = compare(
      'Will there be more than 3000 measles cases in 2026?',
      'Will there be at least 3000 measles cases in 2026?',
    )
    expect(result.matchBand).toBe('minor')
    expect(result.matchDifferences[0]?.detail).toContain('counts on one side only')
  })

  test('does not match an open question with one of its outcomes, and rates two open questions at most minor', () => {
    expect(compare('Who will win the 2027 Kroll Prize?', 'Who will win the 2027 Kroll Prize?').matchBand).toBe('minor')
    expect(['material', 'hidden']).toContain(
      compare('Who will win the 2027 Kroll Prize?', 'Will Maria Keller win the 2027 Kroll Prize?').matchBand,
    )
  })

  test('does not verify temperatures unless both sides name the source and the station', () => {
    const title = 'Will the highest temperature in Houston be 94-95° on Aug 4, 2026?'
    const nws = { rules: 'National Weather Service report at Hobby Airport' }
    expect(compareMarkets(at('north', title, nws), at('south', title)).matchBand).not.toBe('verified')
    const other = compareMarkets(
      at('north', title, nws),
      at('south', title, { rules: 'Weather Underground at Hobby Airport' }),
    )
    expect(other).toMatchObject({
      matchBand: 'material',
      resolutionEquivalence: 'different',
      resolution: { compatible: false },
    })
  })
})

describe('resolution', () => {
  test('is verified only when both rules were read and nothing is unresolved', () => {
    const title = 'Will Maria Keller win the 2027 Kroll Prize?'
    expect(
      compareMarkets(
        at('north', title, { rules: 'As announced.' }),
        at('south', title, { rules: 'As published by the committee.' }),
      ).resolutionEquivalence,
    ).toBe('verified')
    const half = compareMarkets(at('north', title, { rules: 'As announced.' }), at('south', title))
    expect(half).toMatchObject({ matchBand: 'verified', resolutionEquivalence: 'unverified' })
    expect(half.resolution.auditReasons).toContain('no rules text of south was given')
  })

  test('leaves a market without a question unscored', () => {
    expect(compare('', 'Will Maria Keller win?')).toMatchObject({
      matchScore: null,
      matchBand: 'unscored',
      matchDifferences: [],
    })
  })
})
