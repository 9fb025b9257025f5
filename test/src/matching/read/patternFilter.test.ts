import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { indexTerms } from '#matching/block/indexTerms'
import { bagOf } from '#matching/compare/general/bagOfWords'
import { orderOf } from '#matching/compare/general/wordOrder'
import type { MatchInput } from '#matching/read/input'
import { readQuestion } from '#matching/read/parsedMarket'
import { Letters, Pattern, pattern } from '#matching/read/patternFilter'
import { requiredTokensOf } from '#matching/read/requiredTokens'
import { Scratch } from '#matching/read/text'
import { generateMarkets } from '../../../bench/syntheticMarkets.ts'

/** Every text in the tests of the matcher: titles, labels and rules of all kinds. */
function texts(): string[] {
  const folder = new URL('..', import.meta.url)
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const found = new Set<string>()
  for (const name of sources) {
    for (const [, text = ''] of readFileSync(new URL(name, folder), 'utf8').matchAll(
      /['"`]([A-Z][^'`"\n]{9,200})['"`]/g,
    ))
      found.add(text)
  }
  for (const { title } of generateMarkets(400).markets) found.add(title)
  return [...found]
}

const all = texts()

it('reads the same with and without skipping patterns whose letters are missing', () => {
  const markets = all.map((title, at): MatchInput => ({ venue: 'north', marketId: `m${at}`, title }))
  const read = () =>
    markets.map((market) => {
      const { bet, ...question } = readQuestion(market)
      return {
        ...question,
        claim: bet(),
        terms: indexTerms(market),
        bag: bagOf({ bet, ...question }),
        order: orderOf({ bet, ...question }),
      }
    })
  const skipping = read()
  const { mayMatch } = Pattern.prototype
  let tried = 0
  try {
    Pattern.prototype.mayMatch = () => ++tried > 0
    expect(read()).toEqual(skipping)
  } finally {
    Pattern.prototype.mayMatch = mayMatch
  }
  expect(markets.length).toBeGreaterThan(1_000)
  expect(tried).toBeGreaterThan(markets.length * 100)
})

it.each([
  [/\b(?:the )?semi-?finals?(?: stage)?\b/g, [['semi', 'final']]],
  [/\bgroup ([a-l])\b/g, [['group']]],
  [/\bw[io]n\b|champ(?:ion)?/, [['win'], ['won'], ['champ']]],
  [
    /\b(\d{3})(?:th|st) congress\b/g,
    [
      ['\u0001', 'th', 'congress'],
      ['\u0001', 'st', 'congress'],
    ],
  ],
  [/(?<=wins? )an? (?=seat)/, [['win', 'seat', 'a']]],
  [/(?!not )a+b{0,2}c/, [['a', 'c']]],
  [/\p{Lu}\w* or (?<name>x)\k<name>/u, [['or', 'x']]],
  [/\$?\d|\.|°/, [['\u0001'], ['.'], ['°']]],
  [/.*|a/, null],
  [/(?:a|b?)/, null],
  [/Abc/i, null],
])('finds the tokens that %s requires', (regex, words) => {
  expect(requiredTokensOf(regex)).toEqual(words)
})

it('finds a pattern at any position, in any letters', () => {
  const marks = [/zelenskyy/, /ж/, /20\d\d/, /\bu\.s\. house\b/, /(?:^|\()al\)?/, /† x/].map(pattern)
  for (const text of ['zelenskyy in 2027', 'ж', 'the u.s. house', '(al)', 'a † x', 'al', '']) {
    const found = marks.map((mark) => mark.isIn(text, new Letters(text)))
    expect(found).toEqual(marks.map(({ regex }) => regex.test(text)))
  }
})

it('still finds what remains after a part was removed', () => {
  const scratch = new Scratch('Will the Fed/ECB cut rates in 2027?')
  scratch.take(pattern(/fed\//g), () => true)
  expect(scratch.contains(pattern(/\becb cut\b/))).toBe(true)
  expect(scratch.contains(pattern(/fed/))).toBe(false)
  scratch.rewrite(pattern(/ecb/g), 'European bank')
  expect(scratch.contains(pattern(/european bank/))).toBe(true)
})

it.each([
  [/(?:c{0}abc(a(?=c)))/, 'abcac'],
  [/a(?:abab(?=cab*)|cabab{2}aba)/, 'aababca1'],
  [/1(\$(?=b))/, '1$b'],
  [/cab(?:cb*c|(?:(?<=b)\w {0,2})){1,}/, 'cab0'],
  [/\p{Script=Greek}x/u, 'αx'],
])('finds %s in "%s", despite lookaround assertions', (regex, text) => {
  expect(regex.test(text)).toBe(true)
  expect(pattern(regex).isIn(text, new Letters(text))).toBe(true)
})

it.each([/\x41b/, /\cAb/, /(a)\1/, /\u{41}b/u, /(?=a)*b/])('rejects %s instead of guessing', (regex) => {
  expect(() => requiredTokensOf(regex)).toThrow('cannot be read')
})
