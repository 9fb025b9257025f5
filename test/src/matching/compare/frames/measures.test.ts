// Questions about figures as venues word them: which are equal, which imply each other, and which are never verified.
import { describe, expect, test } from 'vitest'
import { compareQuestions } from '#matching/compare/compare'
import { relate } from '#matching/compare/relation'
import type { MatchInput } from '#matching/read/input'
import { readQuestion } from '#matching/read/parsedMarket'

type Words = Omit<MatchInput, 'venue' | 'marketId'>
const t = (title: string, subtitle?: string, more: Partial<Words> = {}): Words => ({ title, subtitle, ...more })

function pair(a: Words, b: Words) {
  const one = readQuestion({ venue: 'north', marketId: 'a', ...a })
  const two = readQuestion({ venue: 'south', marketId: 'b', ...b })
  const result = compareQuestions(one, two)
  return { ...result, ...relate(one, two, result) }
}

const brti: Partial<Words> = { rules: 'Settles by the CF Benchmarks Bitcoin Real-Time Index.' }
const binance: Partial<Words> = { rules: 'Settles by the Binance one-minute candle of BTC/USDT.' }
const nws: Partial<Words> = { rules: 'By the National Weather Service climatological report for Central Park.' }
const underground: Partial<Words> = { rules: 'By Weather Underground for LaGuardia Airport Station, from KLGA.' }
const noon = 'on May 3, 2027 at 12pm ET'

describe('one question in two wordings', () => {
  test.each<[string, Words, Words]>([
    [
      'a price, with a strike a tick below the round number',
      t(`Bitcoin price ${noon}?`, '$74,300 or above', { ...brti, strikeType: 'greater', floorStrike: 74299.99 }),
      t(`Will the price of Bitcoin be above $74,299.99 ${noon}?`, '', brti),
    ],
    [
      'a range of prices that ends where the next begins',
      t(`Bitcoin price range ${noon}?`, '$66,000 to 66,499.99', brti),
      t(`Will the price of Bitcoin be between $66,000 and $66,500 ${noon}?`, '', brti),
    ],
    [
      'a cut',
      t('Will the Federal Reserve Cut rates by 25bps at their September 2027 meeting?', 'Cut 25bps'),
      t('Will the Fed decrease interest rates by 25 bps after the September 2027 meeting?'),
    ],
    [
      'no change, worded as a hike by zero',
      t('Will the Federal Reserve Hike rates by 0bps at their September 2027 meeting?', 'Fed maintains rate'),
      t('Will there be no change in Fed interest rates after the September 2027 meeting?'),
    ],
    [
      'a figure in tenths',
      t('Will the US unemployment rate be above 4.1% in May 2027?'),
      t('Will the unemployment rate be 4.2% or more in May 2027?'),
    ],
    [
      'a place in a list',
      t('Will Maria Keller be #1 on the Billboard Hot 100 on May 3, 2027?'),
      t('Will Maria Keller rank number one on the Billboard Hot 100 on May 3, 2027?'),
    ],
    [
      'a count',
      t('How many tweets will Maria Keller post in May 2027?', '280-299'),
      t('Will Maria Keller post 280-299 tweets in May 2027?'),
    ],
    [
      'a release',
      t('When will Kroll Motors release the Model K2?', 'Before January 1, 2028'),
      t('Will Kroll Motors release the Model K2 by December 31, 2027?'),
    ],
  ])('%s', (_, a, b) => {
    expect(pair(a, b)).toMatchObject({ matchBand: 'verified', relation: 'identity', sure: true })
  })
})

describe('implications', () => {
  test.each<[string, Words, Words, string]>([
    [
      'prices with one named source',
      t(`Will the price of Bitcoin be above $80,000 ${noon}?`, '', brti),
      t(`Bitcoin price ${noon}?`, '$74,300 or above', brti),
      'subset',
    ],
    [
      'two ranges',
      t(`Bitcoin price range ${noon}?`, '$66,000 to 66,499.99', brti),
      t(`Bitcoin price range ${noon}?`, '$66,500 to 66,999.99', brti),
      'disjoint',
    ],
    [
      'a cut and a hike',
      t('Will the Fed decrease interest rates by 25 bps after the September 2027 meeting?'),
      t('Will the Federal Reserve hike rates by 25bps at their September 2027 meeting?'),
      'disjoint',
    ],
    [
      'a larger cut and any cut',
      t('Will the Fed decrease interest rates by 50+ bps after the September 2027 meeting?'),
      t('Will the Fed cut rates at its September 2027 meeting?'),
      'subset',
    ],
    [
      'the first place and the first five',
      t('Will Maria Keller be #1 on the Billboard Hot 100 on May 3, 2027?'),
      t('Will Maria Keller finish in the top 5 on the Billboard Hot 100 on May 3, 2027?'),
      'subset',
    ],
  ])('%s', (_, a, b, relation) => {
    const found = pair(a, b)
    expect(found.relation).toBe(relation)
    expect(found.matchBand).not.toBe('verified')
  })
})

describe('never verified', () => {
  test.each<[string, Words, Words]>([
    [
      'a price by another exchange',
      t(`Will the price of Bitcoin be above $80,000 ${noon}?`, '', brti),
      t(`Will the price of Bitcoin be above $80,000 ${noon}?`, '', binance),
    ],
    [
      'a price whose source is named once',
      t(`Will the price of Bitcoin be above $80,000 ${noon}?`, '', brti),
      t(`Will the price of Bitcoin be above $80,000 ${noon}?`),
    ],
    [
      'a price of another hour',
      t('Will the price of Bitcoin be above $80,000 on May 3, 2027 at 5pm ET?', '', brti),
      t('Will the price of Bitcoin be above $80,000 on May 3, 2027?', '', brti),
    ],
    [
      'a price whose bound is inclusive on one side',
      t(`Will the price of Bitcoin be above $80,000 ${noon}?`, '', brti),
      t(`Will the price of Bitcoin be $80,000 or above ${noon}?`, '', brti),
    ],
    [
      'a temperature at another station',
      t('Will the **high temp in NYC** be 87-88° on Jul 26, 2027?', '87° to 88°', nws),
      t('Will the highest temperature in New York City be between 87-88°F on July 26, 2027?', '', underground),
    ],
    [
      'a temperature whose station is named on one side',
      t('Will the **high temp in NYC** be 87-88° on Jul 26, 2027?', '87° to 88°', nws),
      t('Will the highest temperature in NYC be between 87-88°F on July 26, 2027?'),
    ],
    [
      'degrees of another scale',
      t('Will the highest temperature in NYC be 30°C or higher on July 26, 2027?', '', nws),
      t('Will the highest temperature in NYC be 30°F or higher on July 26, 2027?', '', nws),
    ],
    [
      'a hike at a meeting and by it',
      t('Will the Fed hike rates at its September 2027 meeting?'),
      t('Will the Fed hike rates by the September 2027 meeting?'),
    ],
    [
      'the consumer price index and its core',
      t('Will CPI rise more than 0.3% in May 2027?'),
      t('Will core CPI rise more than 0.3% in May 2027?'),
    ],
    [
      'a figure of a month and of a year',
      t('Will CPI year-over-year be above 3.0% in May 2027?'),
      t('Will CPI be above 3.0% in May 2027?'),
    ],
    [
      'another bank',
      t('Will the Bank of England cut rates by 25bps at its September 2027 meeting?'),
      t('Will the Bank of Japan cut rates by 25bps at its September 2027 meeting?'),
    ],
    [
      'an announcement and a release',
      t('Will Kroll Motors announce the Model K2 by December 31, 2027?'),
      t('Will Kroll Motors release the Model K2 by December 31, 2027?'),
    ],
  ])('%s', (_, a, b) => {
    expect(pair(a, b).matchBand).not.toBe('verified')
  })
})
