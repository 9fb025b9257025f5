import { describe, expect, it } from 'vitest'
import { contradictInAmounts, contradictInYears, isQuotedFrom } from '#matching/decide/judge/quotations'

describe('a quotation', () => {
  const text = 'Will “Ann O’Neil” be elected – for good –\nby 31 Dec 2026?'

  it.each(['Ann O’Neil', "ann o'neil", '"Ann O\'Neil" be elected - for good -', 'for good – by  31 Dec 2026?', '2026'])(
    'is found whatever its quotes, dashes, spaces and letter case: %s',
    (quotation) => {
      expect(isQuotedFrom(quotation, ['other', text])).toBe(true)
    },
  )

  it.each(['Ann Neil', 'elect', 'elected … by', 'o', '', '–', '?', '202', 'be  not elected'])(
    'is not found unless it is there in whole words: "%s"',
    (quotation) => {
      expect(isQuotedFrom(quotation, [text])).toBe(false)
    },
  )
})

describe('two quotations', () => {
  it.each([
    ['in 2023', 'in 2025', true],
    ['in 2026', 'in 2027', true],
    ['by 31 December 2026', 'before 1 January 2027', false],
    ['before 2027', 'in 2026', false],
    ['by 31 December 2027', 'in 2026', true],
    ['before July 2027', 'in 2026', true],
    ['before 2026', 'in 2027', true],
    ['the 2026 election', 'in November 2026', false],
    ['the next election', 'in 2026', false],
  ])('%s and %s: contradict each other in years: %s', (one, other, expected) => {
    expect(contradictInYears(one, other)).toBe(expected)
    expect(contradictInYears(other, one)).toBe(expected)
  })

  it.each([
    ['above $100,000', 'over 100k', false],
    ['$1.5 million', '1,500,000 dollars', false],
    ['above 100 in 2026', 'above 110 in 2026', true],
    ['at least 60 votes', 'a majority', false],
    ['3%', '3.5%', true],
    ['the 7th game', 'game 7', false],
  ])('%s and %s: contradict each other in amounts: %s', (one, other, expected) => {
    expect(contradictInAmounts(one, other)).toBe(expected)
    expect(contradictInAmounts(other, one)).toBe(expected)
  })
})
