// Prefilters before pattern lists and long patterns: they may let a text through needlessly, but never reject one that matches.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { couldBePlaceName, placeOf, placePattern } from '#matching/read/gazetteer'
import { readQuestion } from '#matching/read/parsedMarket'
import { matches } from '#matching/read/text'
import { wordTrieRegex } from '#matching/read/wordTrieRegex'

const patterns = [
  /\bbitcoin|btc\b/g,
  /\b(?:gold|silver)(?= price)/g,
  /(?<=\d)°/g,
  /\b[|]x\b/g,
  /\ba\|b\b/g,
  /(?<=\p{L}) x (?=\p{L})/gu,
  /\bwins?\b/g,
]
const piece = fc.constantFrom(
  'bitcoin',
  'btc',
  'x',
  'gold',
  ' price',
  '7°',
  '|x',
  'a|b',
  ' ',
  'é x y',
  'wins',
  'm',
  '-',
)
const texts = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
const some = fc.uniqueArray(fc.constantFrom(...patterns), { minLength: 1 })

test('matches exactly the texts that one of the patterns matches', () => {
  const seen = new Set<boolean>()
  fc.assert(
    fc.property(some, texts, (list, text) => {
      const one = list.some((pattern) => matches(pattern, text).length > 0)
      seen.add(one)
      expect(wordTrieRegex(list).test(text)).toBe(one)
    }),
    { numRuns: 2_000 },
  )
  expect(seen.size).toBe(2)
})

describe('places', () => {
  const names = fc.constantFrom(
    'ohio',
    "cote d'ivoire",
    'u.s.a.',
    'd.c.',
    'west virginia',
    'bosnia-herzegovina',
    'somaliland',
  )
  const around = fc.constantFrom('', ' ', 'the ', 'x', '_', "'s", "s'", ', ', '(', 'é', '1')

  test('never rejects a text that contains a place', () => {
    let found = 0
    fc.assert(
      fc.property(around, names, around, (before, name, behind) => {
        const text = `${before}${name}${behind}`
        if (matches(placePattern, text).length === 0) return
        found++
        expect(couldBePlaceName(text), text).toBe(true)
      }),
      { numRuns: 1_000 },
    )
    expect(found).toBeGreaterThan(100)
  })

  test('finds no place in a text without one', () => {
    expect(placeOf('', '')).toBeNull()
    expect(matches(placePattern, 'will it rain?')).toEqual([])
    expect(couldBePlaceName('will it rain?')).toBe(false)
  })
})

test('does not read the founding year of a club as a date', () => {
  const { matchup, dates } = readQuestion({
    venue: 'north',
    marketId: '1',
    title: 'Will Parma Calcio 1913 win on 2026-05-10?',
    eventTitle: 'Parma Calcio 1913 vs. AS Roma',
  })
  expect(matchup?.sides).toEqual([['parma', 'calcio'], ['roma']])
  expect(dates.map(({ grain }) => grain)).toContain('day')
})
