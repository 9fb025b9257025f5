import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Event, Market } from '#schemas/market'
import { messageText, normalizeEvent, normalizeMarket } from '#venues/gemini/data/normalize'
import { readCatalogFacts } from '#venues/gemini/exec/build'
import { gemini } from '#venues/gemini/index'
import { orderSizes } from '#venues/gemini/orderSizes'
import { eventTickersOf, idsOf, symbolForm } from '#venues/gemini/symbol'
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
  test('is a market of YES and NO on one book, NO at one minus', () => {
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

  test('among others says in its title which of them it is', () => {
    expect(marketOf({ label: 'Alpha' }, {}, [sibling])).toMatchObject({
      title: 'Who wins the test?: Alpha',
      sourceMetadata: { yesSubTitle: 'Alpha' },
    })
  })

  test('carries what the lane reads of the catalog', () => {
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

  test('the volume of an event is its own only where it is alone', () => {
    expect(marketOf()).toMatchObject({ volume: 1_200, volume24h: 300, volume24hSource: 'venue' })
    const among = marketOf({}, {}, [sibling])
    expect([among.volume, among.volume24h, among.volume24hSource]).toEqual([null, null, 'venue'])
    expect(marketOf({}, { volume24h: '0' }).volume24h).toBe(0)
  })

  test('quotes are what rests: the indicative marks of buy and sell, zero and absence are none', () => {
    const mark = { buy: { yes: '0.40', no: '0.60' }, sell: { yes: '0.40', no: '0.60' } }
    for (const prices of [mark, { ...mark, bestBid: '0', bestAsk: '1.00' }, { buy: {}, sell: {} }, null]) {
      for (const { price, bestBid, bestAsk } of marketOf({ prices }).outcomes) {
        expect([price, bestBid, bestAsk]).toEqual([null, null, null])
      }
    }
  })

  test('unknown is null or absent, never zero or an early date', () => {
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

  test('a field that is missing, or a side note of another form, costs its own value and nothing else', () => {
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

  test('that is settled has its payout as its price, and never its last trade', () => {
    const settled = { status: 'settled', prices: { lastTradePrice: '0.63' }, resolutionSide: null }
    expect(marketOf(settled).outcomes.map(({ price }) => price)).toEqual([null, null])
    expect(marketOf({ ...settled, resolutionSide: 'no' }).outcomes.map(({ price }) => price)).toEqual([0, 1])
  })

  test('with a grid of its own has its price step and its order sizes', () => {
    const market = marketOf({
      priceIncrement: '0.05',
      priceMinimum: '0.05',
      quantityIncrement: '10',
      quantityMinimum: '50',
    })
    expect(market.tickSize).toBe(0.05)
    expect(orderSizes(market)).toEqual({ step: 10, minimum: 50 })
    expect(orderSizes(marketOf())).toEqual({ step: 1, minimum: 1 })
    // A step that is stated and cannot be read is unknown.
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
  ])('%s, its market %s, its event %s: %s', (status, marketState, eventStatus, expected) => {
    expect(marketOf({ status, marketState }, { status: eventStatus }).status).toBe(expected)
  })

  test('settled it stands at what its side paid, whatever was traded last', () => {
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

  test('settled without a price is what its side paid', () => {
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
  ])('strike %j is told as %j', (strike, expected) => {
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
  test('keeps the venue’s own volume, which is of all its contracts', () => {
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

  test('a member without a volume of its own makes the sum partial, though the event says it', () => {
    const raw = GeminiEvent.parse(event('TESTEV26', [], { volume24h: '300' }))
    const members = [marketOf(), { ...marketOf(), volume24h: null }]
    expect(normalizeEvent(raw, members)).toMatchObject({
      volume24h: 300,
      volume24hSource: { sources: ['venue'], partial: true },
    })
  })
})

test('rules are read out of the tree in order, however deep, and a tree without end does not hold us', () => {
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

  test('every symbol reads its own book, and its NO the same book from the other side', () => {
    fc.assert(
      fc.property(symbols, (name) => {
        expect(bookRef(name, name)).toEqual({ bookId: name, complement: false })
        expect(bookRef(idsOf(name)[1], name)).toEqual({ bookId: name, complement: true })
        expect(bookRef(idsOf(name)[1])).toEqual({ bookId: name, complement: true })
        if (!name.endsWith('-NO')) expect(bookRef(name)).toEqual({ bookId: name, complement: false })
      }),
    )
  })

  test('a symbol that itself ends in -NO (New Orleans) is told apart by its market', () => {
    const saints = 'GEMI-NFL-2608212330-CAR-NO-M-NO'
    expect(bookRef(saints, saints)).toEqual({ bookId: saints, complement: false })
    expect(bookRef(`${saints}-NO`, saints)).toEqual({ bookId: saints, complement: true })
  })

  test.each(['KXBTC-26AUG07', '123', '', 'GEMI-', 'GEMI', 'gemi-a-b', 'GEMI-A/B', `GEMI-${'A'.repeat(300)}`])(
    '%j is no id of this venue',
    (id) => {
      expect(bookRef(id)).toBeNull()
      expect(bookRef(id, id)).toBeNull()
    },
  )

  test('the events a symbol may belong to are prefixes of it, the longest first', () => {
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
