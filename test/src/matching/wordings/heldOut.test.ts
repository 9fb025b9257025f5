// Held-out wordings: which must never be verified as one question, and how many of the equal ones are found.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { cannotMatch } from '#matching/block/prefilter'
import { compareMarkets } from '#matching/compare/compare'
import type { MatchResult } from '#matching/match'
import type { MatchInput } from '#matching/read/input'
import { readQuestion } from '#matching/read/parsedMarket'
import { type HeldOut, heldOut } from './heldOut.ts'
import { heldOutKinds } from './heldOutKinds.ts'

const sides = ({ a, b }: HeldOut): [MatchInput, MatchInput] => [
  { venue: 'kalshi', marketId: a.id, title: a.title, subtitle: a.subtitle },
  { venue: 'polymarket', marketId: b.id, title: b.title, subtitle: b.subtitle },
]

const comparisonOf = (pair: HeldOut): MatchResult => compareMarkets(...sides(pair), Date.UTC(2026, 10, 23))

describe.each([
  ['by subject', heldOut, 200],
  ['by kind of question', heldOutKinds, 70],
] as const)('wordings of families that no labelled set contains, %s', (_, pairs, nearMisses) => {
  const others = pairs.filter(({ kind }) => kind === 'other')
  const equal = pairs.filter(({ kind }) => kind !== 'other')

  test('verifies no near miss', () => {
    expect(others.length).toBeGreaterThan(nearMisses)
    const wrong = others.filter((pair) => comparisonOf(pair).matchBand === 'verified')
    expect(wrong.map(({ text }) => text)).toEqual([])
  })

  test('verifies most equal questions, with the right polarity', () => {
    const found = equal.filter((pair) => comparisonOf(pair).matchBand === 'verified')
    const missed = equal.filter((pair) => !found.includes(pair)).map(({ text }) => text)
    expect(found.length / equal.length, missed.join('\n')).toBeGreaterThanOrEqual(0.85)
    expect(found.filter((pair) => (comparisonOf(pair).polarity === 'inverse') !== (pair.kind === 'inverse'))).toEqual(
      [],
    )
  })

  test('does not prefilter verified pairs, except a few where both sides spell names differently', () => {
    const found = equal.filter((pair) => comparisonOf(pair).matchBand === 'verified')
    const passed = found.filter((pair) => {
      const [a, b] = sides(pair)
      return cannotMatch(readQuestion(a), readQuestion(b))
    })
    expect(passed.length, passed.map(({ text }) => text).join('\n')).toBeLessThanOrEqual(2)
  })
})

interface Listing {
  relation: 'same' | 'inverse' | 'other'
  kind: string
  a: MatchInput
  b: MatchInput
}

/**
 * 164 pairs as venues list them, written before the matcher read any of them and unchanged since. They measure how it
 * handles unseen wordings.
 */
const listings = readFileSync(new URL('./listings.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Listing)

describe('listings that no rule was written for', () => {
  const verified = listings.flatMap((pair) => {
    const result = compareMarkets(pair.a, pair.b, Date.UTC(2026, 10, 24))
    return result.matchBand === 'verified' ? [{ pair, polarity: result.polarity }] : []
  })
  const text = ({ a, b }: Listing): string => `${a.title} | ${a.subtitle ?? ''} || ${b.title} | ${b.subtitle ?? ''}`

  test('never verifies pairs that differ in one thing', () => {
    expect(listings.filter(({ relation }) => relation === 'other').length).toBeGreaterThan(80)
    expect(verified.flatMap(({ pair }) => (pair.relation === 'other' ? [text(pair)] : []))).toEqual([])
  })

  test('verifies three of five equal pairs, with the right polarity', () => {
    const equal = listings.filter(({ relation }) => relation !== 'other')
    expect(equal.length).toBeGreaterThan(70)
    expect(verified.length / equal.length).toBeGreaterThanOrEqual(0.6)
    expect(verified.flatMap(({ pair, polarity }) => (pair.relation === polarity ? [] : [text(pair)]))).toEqual([])
  })
})
