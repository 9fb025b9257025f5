import { describe, expect, test } from 'vitest'
import { ZodError } from 'zod'
import { filterEvents, filterMarkets, type MarketCriteria } from '#catalog/filterCriteria'
import { sampleEvent, sampleMarket, sampleOutcome } from './samples.ts'

const binary = (id: string, yes: number | null, change: number | null = null, labels = ['Yes', 'No']) => [
  sampleOutcome(id, labels[0]!, { price: yes, priceChange24h: change }),
  sampleOutcome(id, labels[1]!, {
    price: yes === null ? null : 1 - yes,
    priceChange24h: change === null ? null : -change,
  }),
]
const markets = [
  sampleMarket('btc', {
    title: 'Bitcoin above 100k?',
    description: 'Coinbase price',
    category: 'Crypto',
    tags: ['BTC', 'Price'],
    volume24h: 100,
    volume: 1_000,
    liquidity: 50,
    openInterest: 5,
    resolutionDate: '2026-06-01T00:00:00.000Z',
    outcomes: binary('btc', 0.75, 0.25),
  }),
  sampleMarket('updown', {
    title: 'Next hour',
    description: 'Bitcoin hourly',
    tags: [],
    volume24h: 0,
    resolutionDate: '2026-03-01T00:00:00.000Z',
    outcomes: binary('updown', 0.5, 0, ['Up', 'Down']),
  }),
  sampleMarket('unknown', {
    title: 'Who wins?',
    outcomes: ['A', 'B', 'Bitcoin'].map((label) => sampleOutcome('u', label)),
  }),
]
const find = (criteria: string | MarketCriteria) => filterMarkets(markets, criteria).map((market) => market.marketId)

describe('filterMarkets', () => {
  test('a text is looked for in titles, without case; criteria say where else', () => {
    expect(find('BITCOIN')).toEqual(['btc'])
    expect(find({ text: 'bitcoin', searchIn: ['title', 'description'] })).toEqual(['btc', 'updown'])
    expect(find({ text: 'bitcoin', searchIn: ['outcomes'] })).toEqual(['unknown'])
    expect(find({ text: 'price', searchIn: ['tags'] })).toEqual(['btc'])
    expect(find({ text: 'crypt', searchIn: ['category'] })).toEqual(['btc'])
    expect(find('')).toEqual(['btc', 'updown', 'unknown'])
    expect(find({})).toEqual(['btc', 'updown', 'unknown'])
  })

  test('bounds count as inside, zero is a fact, and unknown satisfies no bound', () => {
    expect(find({ volume24h: { min: 0 } })).toEqual(['btc', 'updown'])
    expect(find({ volume24h: { max: 0 } })).toEqual(['updown'])
    expect(find({ volume24h: { min: 100, max: 100 } })).toEqual(['btc'])
    expect(find({ volume24h: {} })).toHaveLength(3)
    expect(find({ volume: { min: 1 }, liquidity: { max: 50 }, openInterest: { min: 5 } })).toEqual(['btc'])
    expect(find({ liquidity: { min: -1 } })).toEqual(['btc'])
  })

  test('dates, categories and tags narrow; any tag is enough', () => {
    expect(find({ resolutionDate: { before: '2026-05-01' } })).toEqual(['updown'])
    expect(find({ resolutionDate: { after: Date.UTC(2026, 3, 1) } })).toEqual(['btc'])
    expect(find({ resolutionDate: {} })).toHaveLength(3)
    expect(find({ category: 'crypto' })).toEqual(['btc'])
    expect(find({ tags: ['nothing', 'btc'] })).toEqual(['btc'])
    expect(find({ tags: 'price' })).toEqual(['btc'])
  })

  test('prices and changes are those of the named outcome', () => {
    expect(find({ price: { outcome: 'yes', min: 0.7 } })).toEqual(['btc'])
    expect(find({ price: { outcome: 'no', max: 0.3 } })).toEqual(['btc'])
    expect(find({ price: { outcome: 'up', min: 0.5, max: 0.5 } })).toEqual(['updown'])
    expect(find({ price: { outcome: 'yes', max: 1 } })).toEqual(['btc', 'updown'])
    expect(find({ priceChange24h: { outcome: 'yes', min: 0.1 } })).toEqual(['btc'])
    expect(find({ priceChange24h: { outcome: 'down', min: 0 } })).toEqual(['updown'])
  })

  test('criteria that do not exist are refused rather than ignored', () => {
    for (const wrong of [
      { volumes: { min: 1 } },
      { volume: 5 },
      { searchIn: ['url'] },
      { price: { min: 0 } },
      { text: 7 },
    ]) {
      expect(() => find(wrong as never)).toThrow(ZodError)
    }
  })

  test('rows from a client may lack any field', () => {
    const criteria: MarketCriteria = {
      text: 'x',
      searchIn: ['title', 'tags', 'outcomes'],
      price: { outcome: 'yes', min: 0 },
    }
    expect(filterMarkets([{}, { title: null, outcomes: null }], criteria)).toEqual([])
    expect(filterMarkets([{}], {})).toEqual([{}])
  })
})

describe('filterEvents', () => {
  const events = [
    sampleEvent('one', [sampleMarket('a', { volume: 5 }), sampleMarket('b', { volume: null })], { tags: ['Sports'] }),
    sampleEvent('two', [sampleMarket('c')], { title: 'Elections', category: 'Politics', volume: 100 }),
    sampleEvent('none', []),
  ]
  const find = (criteria: Parameters<typeof filterEvents>[1]) => filterEvents(events, criteria).map((event) => event.id)

  test('text, category and tags narrow as they do for markets', () => {
    expect(find('event')).toEqual(['one', 'none'])
    expect(find({ text: 'polit', searchIn: ['category'] })).toEqual(['two'])
    expect(find({ category: 'POLITICS' })).toEqual(['two'])
    expect(find({ tags: ['sports'] })).toEqual(['one'])
  })

  test('markets are counted; total volume is the event’s own, else the sum of the known, else unknown', () => {
    expect(find({ marketCount: { min: 2 } })).toEqual(['one'])
    expect(find({ marketCount: { max: 0 } })).toEqual(['none'])
    expect(find({ totalVolume: { min: 100 } })).toEqual(['two'])
    expect(find({ totalVolume: { max: 5 } })).toEqual(['one'])
    expect(find({ totalVolume: { min: 0 } })).toEqual(['one', 'two'])
  })
})
