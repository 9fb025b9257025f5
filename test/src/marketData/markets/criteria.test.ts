import { describe, expect, it } from 'vitest'
import { MarketCriteria, matchesEvent, matchesMarket } from '#marketData/markets/criteria'

const market = {
  title: 'Will Bitcoin fall?',
  description: 'A crypto question',
  category: 'Crypto',
  tags: ['btc', 'daily'],
  outcomes: [
    { label: 'Yes', price: 0.3, priceChange24h: null },
    { label: 'No', price: 0.7, priceChange24h: 0.1 },
  ],
  volume24h: 0,
  liquidity: null,
  resolutionDate: '2026-09-01T00:00:00Z',
}

describe('market criteria', () => {
  it.each([
    ['text in the title, in any letter case', 'bitcoin', true],
    ['text elsewhere only when requested', 'crypto', false],
    ['text in a requested field', { text: 'crypto', searchIn: ['description'] as const }, true],
    ['text in outcomes', { text: 'yes', searchIn: ['outcomes'] as const }, true],
    ['category', { category: 'crypto' }, true],
    ['any tag', { tags: ['x', 'BTC'] }, true],
    ['no tag', { tags: 'x' }, false],
    ['a zero inside a range', { volume24h: { min: 0 } }, true],
    ['an unknown value in no range', { liquidity: { min: 0 } }, false],
    ['a missing value in no range', { openInterest: { max: 5 } }, false],
    ['price of an outcome', { price: { outcome: 'no' as const, min: 0.6 } }, true],
    ['unknown change in no range', { priceChange24h: { outcome: 'yes' as const, max: 1 } }, false],
    ['known change', { priceChange24h: { outcome: 'no' as const, min: 0.05 } }, true],
    ['resolution before', { resolutionDate: { before: '2026-10-01' } }, true],
    ['resolution not after', { resolutionDate: { after: '2026-10-01' } }, false],
    ['all of several', { text: 'bitcoin', volume24h: { max: 1 }, tags: ['btc'] }, true],
    ['not all of several', { text: 'bitcoin', volume24h: { min: 1 } }, false],
    ['no criteria', {}, true],
  ])('%s', (_, criteria, fits) => {
    const read = typeof criteria === 'string' ? criteria : MarketCriteria.parse(criteria)
    expect(matchesMarket(market, read)).toBe(fits)
  })

  it('survive rows of any shape', () => {
    const odd = [{}, { title: 5, tags: 'x', outcomes: [null, 1, { label: null }], yes: null, resolutionDate: {} }]
    for (const row of odd) {
      expect(
        matchesMarket(row, {
          text: 'a',
          searchIn: ['title', 'tags', 'outcomes'],
          price: { outcome: 'yes', min: 0 },
          resolutionDate: { before: 1 },
        }),
      ).toBe(false)
    }
  })
})

it('event criteria count markets and add only known volumes', () => {
  const event = { title: 'E', markets: [{ volume24h: 5 }, { volume24h: null }] }
  expect(matchesEvent(event, { marketCount: { min: 2, max: 2 }, totalVolume: { min: 5, max: 5 } })).toBe(true)
  expect(matchesEvent({ title: 'E', markets: [{ volume24h: null }] }, { totalVolume: { min: 0 } })).toBe(false)
  expect(matchesEvent({ ...event, volume24h: 9 }, { totalVolume: { min: 9 } })).toBe(true)
})
