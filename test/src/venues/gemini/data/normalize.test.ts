import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Event, Market } from '#schemas/market'
import { messageText, normalizeEvent, normalizeMarket } from '#venues/gemini/data/normalize'
import { readCatalogFacts } from '#venues/gemini/exec/facts'
import { eventTickersOf, idsOf, symbolForm } from '#venues/gemini/ids'
import { gemini } from '#venues/gemini/index'
import { orderSizes } from '#venues/gemini/orderSizes'
import { GeminiContract, GeminiEvent } from '#venues/gemini/wire'
import { contract, event } from './venueServer.ts'

const symbol = 'GEMI-TESTEV26-AAA'

function marketOf(more: object = {}, eventMore: object = {}, siblings: unknown[] = []): Market {
  const row = contract(symbol, more)
  const parent = GeminiEvent.parse(event('TESTEV26', [row, ...siblings], eventMore))
  return Market.parse(normalizeMarket(GeminiContract.parse(row), parent))
}
const sibling = contract('GEMI-TESTEV26-BBB')

describe('a contract', () => {
  test('becomes a YES and a NO outcome on one book, with NO priced at one minus YES', () => {
    const market = marketOf()
    expect(market).toMatchObject({
      marketId: symbol,
      eventId: 'TESTEV26',
      title: 'Who wins the test?',
      description: 'It resolves by the count.',
      resolutionDate: '2026-12-31T12:00:00.000Z',
      status: 'active',
      tickSize: 0.01,
      category: 'Politics',
      tags: ['Test'],
      sourceExchange: 'gemini',
      outcomes: [
        { outcomeId: symbol, label: 'Yes', price: 0.22, bestBid: 0.19, bestAsk: 0.2 },
        { outcomeId: `${symbol}-NO`, label: 'No', price: 0.78, bestBid: 0.8, bestAsk: 0.81 },
      ],
    })
  })

  test('includes its label in the title when the event has several contracts', () => {
    expect(marketOf({ label: 'Alpha' }, {}, [sibling])).toMatchObject({
      title: 'Who wins the test?: Alpha',
      sourceMetadata: { yesSubTitle: 'Alpha' },
    })
  })

  test('carries the catalog fields that the lane needs', () => {
    const market = marketOf()
    const [outcome] = market.outcomes
    expect(readCatalogFacts({ market, outcome: outcome!, side: 'YES' })).toEqual({
      marketId: symbol,
      outcomeId: symbol,
      symbol,
      side: 'YES',
      tick: '0.01',
      priceMinimum: '0.01',
      quantityStep: '1',
      quantityMinimum: '1',
    })
  })

  test('uses the event volume only when the event has a single contract', () => {
    expect(marketOf()).toMatchObject({ volume: 1_200, volume24h: 300, volume24hSource: 'venue' })
    const among = marketOf({}, {}, [sibling])
    expect([among.volume, among.volume24h, among.volume24hSource]).toEqual([null, null, 'venue'])
    expect(marketOf({}, { volume24h: '0' }).volume24h).toBe(0)
  })

  test('takes quotes from bestBid and bestAsk only, ignoring indicative prices, zero and missing values', () => {
    const mark = { buy: { yes: '0.40', no: '0.60' }, sell: { yes: '0.40', no: '0.60' } }
    for (const prices of [mark, { ...mark, bestBid: '0', bestAsk: '1.00' }, { buy: {}, sell: {} }, null]) {
      for (const { price, bestBid, bestAsk } of marketOf({ prices }).outcomes) {
        expect([price, bestBid, bestAsk]).toEqual([null, null, null])
      }
    }
  })

  test('maps unknown values to null or omits them, never to zero or an early date', () => {
    const market = marketOf(
      { label: null, description: null, prices: {}, expiryDate: null, marketState: null },
      {
        volume: null,
        volume24h: undefined,
        expiryDate: '',
        category: null,
        tags: null,
        imageUrl: null,
        description: null,
      },
    )
    expect(market).toMatchObject({ volume: null, volume24h: null, liquidity: null, openInterest: null })
    for (const name of ['resolutionDate', 'category', 'tags', 'image']) {
      expect(market).not.toHaveProperty(name)
    }
    expect(market.description).toBe('')
    expect(Object.values(market.sourceMetadata)).not.toContain(null)
    expect(market.sourceMetadata).not.toHaveProperty('totalShares')
  })

  test('loses only the affected field when a field is missing or has an unexpected type', () => {
    const odd = { description: undefined, sortOrder: 'first', strike: 7, imageUrl: {}, termsAndConditionsUrl: 3 }
    const market = marketOf(odd, { series: { name: 'x' }, subcategory: 'x', source: [], isLive: 'yes', imageUrl: 5 })
    expect(market).toMatchObject({ marketId: symbol, status: 'active', description: 'All about the test.' })
    expect(market).not.toHaveProperty('image')
    expect(marketOf({ prices: { bestBid: {}, bestAsk: '0.30' } }).outcomes[0]).toMatchObject({
      bestBid: null,
      bestAsk: 0.3,
    })
    for (const name of ['status', 'marketState']) expect(marketOf({ [name]: 1 }).status).toBe('unknown')
    expect(GeminiContract.safeParse(contract(symbol, { instrumentSymbol: 7 })).success).toBe(false)
  })

  test('that is settled is priced at its payout, never at its last trade', () => {
    const settled = { status: 'settled', prices: { lastTradePrice: '0.63' }, resolutionSide: null }
    expect(marketOf(settled).outcomes.map(({ price }) => price)).toEqual([null, null])
    expect(marketOf({ ...settled, resolutionSide: 'no' }).outcomes.map(({ price }) => price)).toEqual([0, 1])
  })

  test('with its own grid has its own price step and order sizes', () => {
    const market = marketOf({
      priceIncrement: '0.05',
      priceMinimum: '0.05',
      quantityIncrement: '10',
      quantityMinimum: '50',
    })
    expect(market.tickSize).toBe(0.05)
    expect(orderSizes(market)).toEqual({ step: 10, minimum: 50 })
    expect(orderSizes(marketOf())).toEqual({ step: 1, minimum: 1 })
    // A price increment that cannot be parsed is unknown.
    for (const priceIncrement of ['-1', 'x', '0'])
      expect(marketOf({ priceIncrement, quantityMinimum: [] })).toMatchObject({ tickSize: null })
  })

  test.each([
    ['active', 'open', 'active', 'active'],
    ['active', null, 'active', 'active'],
    ['active', 'closed', 'active', 'inactive'],
    ['active', 'halted', 'active', 'unknown'],
    ['active', 'open', 'approved', 'inactive'],
    ['active', 'open', 'under_review', 'closed'],
    ['approved', 'open', 'active', 'inactive'],
    ['closed', 'closed', 'active', 'closed'],
    ['invalid', 'closed', 'invalid', 'closed'],
    ['settled', 'closed', 'active', 'resolved'],
    ['brand_new', 'open', 'active', 'unknown'],
  ])('status %s, market state %s, event status %s: %s', (status, marketState, eventStatus, expected) => {
    expect(marketOf({ status, marketState }, { status: eventStatus }).status).toBe(expected)
  })

  test('prices a settled contract at what its side paid, ignoring the last trade', () => {
    const prices = { lastTradePrice: '0.93', bestBid: '0.92', bestAsk: '0.94' }
    const done = { status: 'settled', marketState: 'closed', resolutionSide: 'no', prices }
    for (const settlementValue of [undefined, '0']) {
      expect(marketOf({ ...done, settlementValue }).outcomes).toMatchObject([
        { price: 0, bestBid: null, bestAsk: null },
        { price: 1, bestBid: null, bestAsk: null },
      ])
    }
    expect(marketOf({ ...done, settlementValue: '0.5' }).outcomes[0]).toMatchObject({ price: 0.5 })
  })

  test('prices a settled contract without a settlement value at what its side paid', () => {
    const done = { status: 'settled', marketState: 'closed', prices: { buy: {}, sell: {} } }
    expect(marketOf({ ...done, resolutionSide: 'yes' }).outcomes.map(({ price }) => price)).toEqual([1, 0])
    expect(marketOf({ ...done, resolutionSide: 'no' }).outcomes.map(({ price }) => price)).toEqual([0, 1])
    expect(marketOf(done).outcomes.map(({ price }) => price)).toEqual([null, null])
  })

  test.each([
    [
      { type: 'above', value: '61000' },
      { strikeType: 'greater_or_equal', floorStrike: 61_000 },
    ],
    [
      { type: 'below', value: '76' },
      { strikeType: 'less_or_equal', capStrike: 76 },
    ],
    [
      { type: 'under_or_equal', value: '10' },
      { strikeType: 'less_or_equal', capStrike: 10 },
    ],
    [{ type: 'reference', value: '61000' }, {}],
    [{ type: 'below', value: 'CKHEE.' }, {}],
    [
      { type: 'over', value: '45.5' },
      { strikeType: 'greater', floorStrike: 45.5 },
    ],
    [
      { type: 'over_or_equal', value: '3' },
      { strikeType: 'greater_or_equal', floorStrike: 3 },
    ],
    [
      { type: 'under', value: '45.5' },
      { strikeType: 'less', capStrike: 45.5 },
    ],
    [{ type: 'spread', value: '-3.5' }, {}],
    [{ type: 'above', value: null }, {}],
  ])('maps strike %j to %j', (strike, expected) => {
    const { strikeType, floorStrike, capStrike } = marketOf({ strike }).sourceMetadata
    expect({ strikeType, floorStrike, capStrike }).toEqual({
      strikeType: undefined,
      floorStrike: undefined,
      capStrike: undefined,
      ...expected,
    })
  })
})

describe('an event', () => {
  test('keeps the venue’s volume, which covers all its contracts', () => {
    const raw = GeminiEvent.parse(event('TESTEV26', [contract(symbol), sibling]))
    expect(Event.parse(normalizeEvent(raw, []))).toMatchObject({
      id: 'TESTEV26',
      slug: 'who-wins-the-test',
      volume: 1_200,
      volume24h: 300,
      volume24hSource: { sources: ['venue'], partial: false },
      seriesId: null,
    })
  })

  test('unknown volume is null', () => {
    const raw = GeminiEvent.parse(event('TESTEV26', [], { volume24h: null, volume: undefined }))
    const { volume, volume24h, volume24hSource } = normalizeEvent(raw, [])
    expect([volume, volume24h, volume24hSource]).toEqual([null, null, { sources: [], partial: false }])
  })

  test('marks the 24h volume as partial when a contract has no volume, even if the event has one', () => {
    const raw = GeminiEvent.parse(event('TESTEV26', [], { volume24h: '300' }))
    const members = [marketOf(), { ...marketOf(), volume24h: null }]
    expect(normalizeEvent(raw, members)).toMatchObject({
      volume24h: 300,
      volume24hSource: { sources: ['venue'], partial: true },
    })
  })
})

test('extracts rules from the rich-text tree in order at any depth, and stops on an unbounded tree', () => {
  expect(messageText({ content: [{ value: 'a' }, { content: [{ value: 'b' }, 'c'] }, 7, null] })).toBe('abc')
  const loop: { value: string; content: unknown[] } = { value: 'x', content: [] }
  loop.content.push(loop)
  expect(messageText(loop).length).toBeLessThan(100_000)
  expect(messageText(undefined)).toBe('')
})

describe('names', () => {
  const part = fc.stringMatching(/^[A-Z0-9][A-Z0-9._]{0,8}$/)
  const symbols = fc.array(part, { minLength: 2, maxLength: 6 }).map((parts) => `GEMI-${parts.join('-')}`)
  const { bookRef } = gemini.data

  test('every symbol has its own book, and its NO outcome reads the same book inverted', () => {
    fc.assert(
      fc.property(symbols, (name) => {
        expect(bookRef(name, name)).toEqual({ bookId: name, complement: false })
        expect(bookRef(idsOf(name)[1], name)).toEqual({ bookId: name, complement: true })
        expect(bookRef(idsOf(name)[1])).toEqual({ bookId: name, complement: true })
        if (!name.endsWith('-NO')) expect(bookRef(name)).toEqual({ bookId: name, complement: false })
      }),
    )
  })

  test('a symbol that itself ends in -NO (New Orleans) is resolved with the help of its market', () => {
    const saints = 'GEMI-NFL-2608212330-CAR-NO-M-NO'
    expect(bookRef(saints, saints)).toEqual({ bookId: saints, complement: false })
    expect(bookRef(`${saints}-NO`, saints)).toEqual({ bookId: saints, complement: true })
  })

  test.each(['KXBTC-26AUG07', '123', '', 'GEMI-', 'GEMI', 'gemi-a-b', 'GEMI-A/B', `GEMI-${'A'.repeat(300)}`])(
    'rejects %j as an id of this venue',
    (id) => {
      expect(bookRef(id)).toBeNull()
      expect(bookRef(id, id)).toBeNull()
    },
  )

  test('the candidate event tickers of a symbol are its prefixes, longest first', () => {
    expect(eventTickersOf('GEMI-NFL-26-CAR-JAX-M-JAX', 3)).toEqual(['NFL-26-CAR-JAX-M', 'NFL-26-CAR-JAX', 'NFL-26-CAR'])
    expect(eventTickersOf('GEMI-RECESSION26', 3)).toEqual([])
    fc.assert(
      fc.property(symbols, (name) => {
        expect(symbolForm.test(name)).toBe(true)
        for (const ticker of eventTickersOf(name, 6)) expect(name.startsWith(`GEMI-${ticker}-`)).toBe(true)
      }),
    )
  })
})
