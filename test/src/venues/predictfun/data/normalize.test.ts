// Converts recorded rows to our schema, including each special case.
import { describe, expect, test } from 'vitest'
import { Event } from '#schemas/market'
import { unmappedFields } from '#test/support/unmappedFields'
import { normalizeEvent, normalizeMarket } from '#venues/predictfun/data/normalize'
import { normalizeBook, normalizeTrade } from '#venues/predictfun/data/tape'
import { feeModel } from '#venues/predictfun/fees'
import { PredictBookAnswer, PredictCategory, PredictMarket, PredictMatch } from '#venues/predictfun/wire'
import { category, matches, orderbook, type Row, socketBook } from '../fixtures/recorded.ts'

const eventOf = (row: unknown): Event => {
  const raw = PredictCategory.parse(row)
  const markets = (raw.markets ?? []).map((market) => normalizeMarket(PredictMarket.parse(market), raw)!)
  return Event.parse(normalizeEvent(raw, markets))
}
const row = () => category().markets[0]!
const marketOf = (more: object = {}) => normalizeMarket(PredictMarket.parse({ ...row(), ...more }), null)!
const decided = (first: string | null, second: string | null) => ({
  status: 'RESOLVED',
  outcomes: row().outcomes.map((outcome, n) => ({ ...outcome, status: n === 0 ? first : second })),
})

describe('a category', () => {
  test('is an event of its markets, each with two sides on one book', () => {
    expect(eventOf(category())).toMatchObject({
      id: 'eth-updown-15m-1787839200',
      title: 'Ethereum Up or Down - August 27, 10AM-10:15AM ET',
      category: 'Crypto',
      tags: ['Crypto', 'ETH', 'Up/Down', '15 Min'],
      volume24h: null,
      sourceMetadata: { venueId: 405022, openTime: '2026-08-27T14:00:00.000Z', resolutionProvider: 'CHAINLINK' },
      markets: [
        {
          marketId: '1739803',
          eventId: 'eth-updown-15m-1787839200',
          title: 'Ethereum Up or Down - August 27, 10AM-10:15AM ET',
          resolutionDate: '2026-08-27T14:15:00.000Z',
          status: 'active',
          volume24h: null,
          outcomes: [
            { outcomeId: '1739803:1', label: 'Up', price: null, bestBid: 0.02, bestAsk: 0.98 },
            { outcomeId: '1739803:2', label: 'Down', price: null, bestBid: 0.02, bestAsk: 0.98 },
          ],
          sourceMetadata: { collateral: 'USDT', negRisk: false, fees: { maker: '0', taker: '0.02' } },
        },
      ],
    })
  })

  test('with several markets labels each of them', () => {
    const two = { ...category(), markets: [{ ...row(), title: '$1,800+' }, row()] }
    expect(eventOf(two).markets[0]!.sourceMetadata.yesSubTitle).toBe('$1,800+')
    expect(eventOf(category()).markets[0]!.sourceMetadata.yesSubTitle).toBeUndefined()
  })

  test('has its figures unchanged; zero is a value', () => {
    const stats = { volume24hUsd: 0, volumeTotalUsd: 12.5, totalLiquidityUsd: 3 }
    const event = eventOf({ ...category(), stats, markets: [{ ...row(), stats }] })
    expect(event).toMatchObject({ volume24h: 0, volume: 12.5, volume24hSource: { sources: ['venue'], partial: false } })
    expect(event.markets[0]).toMatchObject({ volume24h: 0, volume24hSource: 'venue', volume: 12.5, liquidity: 3 })
    expect(eventOf({ ...category(), stats: 'soon' }).volume24h).toBeNull()
  })
})

describe('a market', () => {
  test.each([
    ['REGISTERED', 'OPEN', 'active'],
    ['UNPAUSED', 'OPEN', 'active'],
    ['PRICE_PROPOSED', 'OPEN', 'active'],
    ['PRICE_PROPOSED', 'CLOSED', 'closed'],
    ['PRICE_DISPUTED', 'CANCEL_ONLY', 'closed'],
    ['REGISTERED', 'MATCHING_NOT_ENABLED', 'inactive'],
    ['PAUSED', 'OPEN', 'inactive'],
    ['RESOLVED', 'CLOSED', 'resolved'],
    ['REMOVED', 'CLOSED', 'archived'],
    ['REGISTERED', 'SOMETHING_ELSE', 'unknown'],
    ['REGISTERED', null, 'unknown'],
  ])('status %s with trading status %s is %s', (status, tradingStatus, expected) => {
    expect(marketOf({ status, tradingStatus }).status).toBe(expected)
  })

  test.each([
    ['WON', 'LOST', [1, 0]],
    ['LOST', 'WON', [0, 1]],
    // Split, or not published.
    ['LOST', 'LOST', [null, null]],
    ['WON', null, [null, null]],
    [null, null, [null, null]],
  ])('resolved with %s and %s pays %j, and has no quotes', (first, second, paid) => {
    const { outcomes } = marketOf(decided(first, second))
    expect(outcomes.map(({ price }) => price)).toEqual(paid)
    expect(outcomes.map(({ bestBid, bestAsk }) => [bestBid, bestAsk])).toEqual([
      [null, null],
      [null, null],
    ])
  })

  test('has the quotes of the outcome with index set 1, in any order', () => {
    const quote = (price: number) => ({ price, size: 1 })
    const [up, down] = row().outcomes
    const outcomes = [
      { ...down, bestBid: quote(0.7), bestAsk: quote(0.75) },
      { ...up, bestBid: quote(0.25), bestAsk: quote(0.3) },
    ]
    expect(marketOf({ outcomes }).outcomes.map(({ label, bestBid, bestAsk }) => [label, bestBid, bestAsk])).toEqual([
      ['Up', 0.25, 0.3],
      ['Down', 0.7, 0.75],
    ])
  })

  test('must have exactly two outcomes', () => {
    const [up, down] = row().outcomes
    const third = { ...down, indexSet: 4 }
    for (const outcomes of [[up], [up, up], [up, down, third], [up, third]]) expect(marketOf({ outcomes })).toBeNull()
  })

  test('takes its tick from its precision, or has none; a recording has a finer order in a market of two decimals', () => {
    expect([3, 2, '2', null].map((decimalPrecision) => marketOf({ decimalPrecision }).tickSize)).toEqual([
      ...[0.001, 0.01, 0.01, null],
    ])
    expect(socketBook().data.asks[0]![0]).toBe(0.029)
  })

  test('has its taker rate in the fee reason, because the venue publishes no rounding rule', () => {
    const { fee, settlementFee } = feeModel(marketOf())
    expect([fee, settlementFee]).toMatchObject([
      { kind: 'unknown', reason: expect.stringContaining('rate 0.02') },
      { kind: 'unknown' },
    ])
    expect(feeModel(marketOf({ feeRateBps: null })).fee).toMatchObject({
      reason: expect.stringContaining('unknown rate'),
    })
  })
})

describe('a market with outcomes without an index', () => {
  const ordered = (sides: readonly (readonly [name: string, indexSet: unknown])[]) =>
    marketOf({ outcomes: sides.map(([name, indexSet], n) => ({ ...row().outcomes[n], name, indexSet })) })

  test.each([
    ['Up', 1, 'Down', undefined],
    ['Up', null, 'Down', 2],
    ['Down', 2, 'Up', 'odd'],
    ['Down', undefined, 'Up', 1],
    ['Yes', undefined, 'No', undefined],
  ])('uses the other outcome’s index, or the names Yes and No: %s %s, %s %s', (one, index, other, otherIndex) => {
    const { outcomes, sourceMetadata } = ordered([
      [one, index],
      [other, otherIndex],
    ])
    expect(outcomes.map(({ label }) => label)).toEqual(one === 'Yes' ? ['Yes', 'No'] : ['Up', 'Down'])
    expect(sourceMetadata.tokenIds).toHaveLength(2)
  })

  test('otherwise has no quotes, labels and tokens', () => {
    const market = ordered([
      ['Up', undefined],
      ['Down', undefined],
    ])
    expect(market.outcomes).toMatchObject([
      { outcomeId: '1739803:1', label: 'Outcome 1', price: null, bestBid: null, bestAsk: null },
      { outcomeId: '1739803:2', label: 'Outcome 2', price: null, bestBid: null, bestAsk: null },
    ])
    expect(market.sourceMetadata).toMatchObject({ outcomeNames: ['Up', 'Down'] })
    expect(market.sourceMetadata.tokenIds).toBeUndefined()
  })
})

describe('every field of a recorded payload is mapped', () => {
  test('of a category and its market', () => {
    expect(unmappedFields(category(), eventOf).sort()).toEqual([
      // Redundant with the category that contains it.
      'markets.0.categorySlug',
      // The second outcome’s quotes mirror the first one’s; sizes are in the book.
      'markets.0.outcomes.0.bestAsk.size',
      'markets.0.outcomes.0.bestBid.size',
      // A standalone market is titled by its question. Figures are tested above.
      'markets.0.title',
      'stats',
    ])
  })

  test('of a book', () => {
    // An order at its limit, not a trade.
    const made = (answer: unknown) => normalizeBook('1743016', PredictBookAnswer.parse(answer).data, 0)
    expect(unmappedFields(orderbook(), made)).toEqual(['data.lastOrderSettled', 'data.marketId'])
  })

  test('of a match', () => {
    const made = (match: unknown) => normalizeTrade(PredictMatch.parse(match), '1:1', 1)
    const left = unmappedFields(matches().data[0], made)
    const readFields = [
      'amountFilled',
      'executedAt',
      'priceExecuted',
      'settlementId',
      'taker.outcome.indexSet',
      'taker.quoteType',
    ]
    expect(left.filter((path) => readFields.includes(path))).toEqual([])
    // Participants, their costs and limits: a trade is reported once, from its taker’s side.
    expect(left.filter((path) => !/^(?:taker|makers)\./.test(path))).toEqual(['transactionHash', 'market.id'])
  })
})

describe('a book', () => {
  const read = (data: object) => normalizeBook('1', PredictBookAnswer.parse({ success: true, data }).data, 5)

  test('keeps every level and the venue’s time; sizes keep all their decimals', () => {
    expect(read(socketBook().data)).toMatchObject({
      bids: [
        [20_000, 1386.724081632653],
        [17_000, 2640.3371187742646],
      ],
      asks: [
        [29_000, 1478.08],
        [30_000, 870.93],
      ],
      eventTs: 1_788_953_990_223,
      recvTs: 5,
    })
  })

  test.each([[[0, 1]], [[1, 1]], [[0.5, -1]], [[0.1234567, 1]]])('with a level %j is null', (level) => {
    expect(read({ ...orderbook().data, bids: [level] })).toBeNull()
  })
})

describe('a trade', () => {
  const [recorded] = matches().data as [Row & { taker: Row }]
  const tradeOf = (more: object, indexSet: 1 | 2 = 1) =>
    normalizeTrade(PredictMatch.parse({ ...recorded, ...more }), `7:${indexSet}`, indexSet)

  test('has the executed price of the match, not the taker’s limit', () => {
    expect(tradeOf({})).toEqual({
      id: '01a07689-955a-7070-86af-a100b7b7350c',
      timestamp: Date.parse('2026-09-06T11:45:23Z'),
      price: 0.1112,
      amount: 8.40909090909091,
      side: 'buy',
      outcomeId: '7:1',
    })
  })

  test('of one outcome is the opposite trade of the other, at one minus the price', () => {
    expect(tradeOf({}, 2)).toMatchObject({ price: 0.8888, side: 'sell', outcomeId: '7:2' })
    const down = { ...recorded.taker, outcome: { indexSet: 2 }, quoteType: 'Ask' }
    expect(tradeOf({ taker: down }, 2)).toMatchObject({ price: 0.1112, side: 'sell' })
    expect(tradeOf({ taker: down }, 1)).toMatchObject({ price: 0.8888, side: 'buy' })
    expect(tradeOf({ taker: { ...recorded.taker, quoteType: 'Swap' } })).toMatchObject({ side: 'unknown' })
  })

  test('rounds an average of maker prices to the millionth', () => {
    expect(tradeOf({ priceExecuted: '333333333333333333' })?.price).toBe(0.333333)
    expect(tradeOf({ priceExecuted: '333333333333333333' }, 2)?.price).toBe(0.666667)
  })

  test.each([
    [{ priceExecuted: '1100000000000000000' }],
    [{ priceExecuted: '0.5' }],
    [{ amountFilled: '-1' }],
    [{ executedAt: 'yesterday' }],
    [{ taker: { outcome: { indexSet: 3 } } }],
  ])('with %j is null', (more) => {
    expect(tradeOf(more)).toBeNull()
  })
})
