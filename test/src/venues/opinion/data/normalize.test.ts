// Converts recorded rows to our schema, including each special case.
import { describe, expect, test } from 'vitest'
import { Event, Market } from '#schemas/market'
import { unmappedFields } from '#test/support/unmappedFields'
import { normalizeBook, normalizeEvent, normalizeMarket } from '#venues/opinion/data/normalize'
import { opinion } from '#venues/opinion/index'
import { OpinionBookAnswer, OpinionMarket } from '#venues/opinion/wire'
import { categorical, markets, orderbook, type Row } from '../fixtures/recorded.ts'

const open = () => markets().result.list[0]!
const eventOf = (row: unknown): Event => {
  const head = OpinionMarket.parse(row)
  const children = (head.childMarkets ?? []).map((child) => normalizeMarket(OpinionMarket.parse(child), head))
  return Event.parse(normalizeEvent(head, children))
}
/** A recorded child as a standalone market, with the fields that only list rows have. */
const alone = (more: object = {}): Row => ({
  ...open().childMarkets[0]!,
  marketType: 0,
  volume24h: '12.5',
  volume7d: '30',
  labels: ['Crypto'],
  ...more,
})
const marketOf = (more: object = {}) => Market.parse(normalizeMarket(OpinionMarket.parse(alone(more)), null))

describe('a categorical market', () => {
  test('is an event of its children, each a market with two tokens and a book per token', () => {
    const [yes, no] = ['286935169237238303', '814470267611151883']
    expect(eventOf(open())).toMatchObject({
      id: 'categorical-1277',
      title: 'What price will Bitcoin hit in August?',
      volume24h: 40.52,
      volume24hSource: { sources: ['venue'], partial: true },
      volume: 40.52,
      category: 'Crypto',
      url: 'https://app.opinion.trade/detail?topicId=1277&type=multi',
      markets: [
        {
          marketId: '26356',
          eventId: 'categorical-1277',
          title: 'What price will Bitcoin hit in August?: ↑ 100,000',
          status: 'active',
          volume24h: null,
          volume: 34.27,
          resolutionDate: '2026-09-01T04:00:00.000Z',
          outcomes: [
            { outcomeId: expect.stringContaining(`26356:${yes}`), label: 'YES', price: null, bestBid: null },
            { outcomeId: expect.stringContaining(`26356:${no}`), label: 'NO', price: null, bestAsk: null },
          ],
          sourceMetadata: { yesSubTitle: '↑ 100,000', collateral: 'USDT', volumeUnit: 'USD', categoricalId: 1277 },
        },
        { marketId: '26362', volume: 6.25 },
      ],
    })
  })

  test('that is over is priced by the winning token of each child, not by the parent’s status, which stays “Created”', () => {
    const event = eventOf(categorical().result.data)
    expect(event.sourceMetadata.venueStatus).toBe('Created')
    expect(event.markets.map(({ status, outcomes }) => [status, ...outcomes.map(({ price }) => price)])).toEqual([
      ['resolved', 1, 0],
      ['resolved', 0, 1],
    ])
  })

  test('passes its close time and rules to children that have none', () => {
    const [child] = eventOf(categorical().result.data).markets
    expect(child!.resolutionDate).toBe('2026-05-15T00:00:00.000Z')
    expect(child!.description).toMatch(/^This market resolves based on/)
  })
})

describe('a standalone market', () => {
  test('is an event with its own number and has its own 24h volume', () => {
    const market = marketOf()
    expect(market).toMatchObject({
      eventId: '26356',
      title: '↑ 100,000',
      volume24h: 12.5,
      volume24hSource: 'venue',
      url: 'https://app.opinion.trade/detail?topicId=26356',
    })
    expect(normalizeEvent(OpinionMarket.parse(alone()), [market])).toMatchObject({ id: '26356', volume24h: 12.5 })
  })

  test.each([
    [1, 'inactive'],
    [2, 'active'],
    [3, 'closed'],
    [4, 'resolved'],
    [5, 'unknown'],
    [6, 'archived'],
    [7, 'unknown'],
  ])('in state %i is %s', (status, expected) => {
    expect(marketOf({ status }).status).toBe(expected)
  })

  test('without a winner has no price when resolved, and an early announced winner sets no price', () => {
    expect(marketOf({ status: 4, resultTokenId: '' }).outcomes.map(({ price }) => price)).toEqual([null, null])
    const early = marketOf({ status: 3, resultTokenId: open().childMarkets[0]!.yesTokenId })
    expect(early.outcomes.map(({ price }) => price)).toEqual([null, null])
  })

  test('with another collateral token has no dollar volumes', () => {
    const market = marketOf({ quoteToken: '0x1111111111111111111111111111111111111111' })
    expect([market.volume, market.volume24h, market.volume24hSource]).toEqual([null, null, 'venue'])
    expect(market.sourceMetadata.collateral).toBe('0x1111111111111111111111111111111111111111')
  })

  test('treats a zero volume as a value and an unreadable one as unknown', () => {
    expect(marketOf({ volume24h: '0' }).volume24h).toBe(0)
    expect(marketOf({ volume24h: null, volume: { usd: 1 } })).toMatchObject({ volume24h: null, volume: null })
  })

  test('has an unknown fee, with a reason', () => {
    const { fee, settlementFee } = opinion.data.feeModel()
    expect([fee.kind, settlementFee.kind]).toEqual(['unknown', 'unknown'])
  })
})

describe('every field of a recorded payload is mapped', () => {
  /** A parent has no tokens, outcomes or result, only empty strings for them. */
  const parentOnly = ['conditionId', 'noLabel', 'noTokenId', 'resultTokenId', 'yesLabel', 'yesTokenId']
  /** Redundant: the enum fields say the same, and the children show the type. */
  const redundant = ['status', 'marketType']

  test.each([
    ['an open one', open()],
    ['a closed one', categorical().result.data],
  ])('of a categorical market: %s', (_name, row) => {
    expect(unmappedFields(row, eventOf).sort()).toEqual([...parentOnly, ...redundant].sort())
  })

  test('of a book', () => {
    // The condition; the token id is compared by the reads.
    const made = (answer: unknown) => normalizeBook('1:2', OpinionBookAnswer.parse(answer).result, 0)
    expect(unmappedFields(orderbook(), made).sort()).toEqual(['errmsg', 'result.market', 'result.tokenId'])
  })
})

describe('a book', () => {
  test('keeps the venue’s time and every level', () => {
    const book = normalizeBook('1:2', OpinionBookAnswer.parse(orderbook()).result, 5)
    expect(book).toMatchObject({
      bids: [],
      asks: [[999_000, 5500]],
      eventTs: 1_785_488_076_901,
      recvTs: 5,
      tickMicros: 100,
    })
  })

  test.each([
    [{ price: '0', size: '1' }],
    [{ price: '1', size: '1' }],
    [{ price: '0.5', size: '-1' }],
    [{ price: '5e-1', size: '1' }],
    [{ price: '0.5', size: 'NaN' }],
  ])('with a level %j is null', (level) => {
    const answer = { errno: 0, result: { ...orderbook().result, bids: [level] } }
    expect(normalizeBook('1:2', OpinionBookAnswer.parse(answer).result, 5)).toBeNull()
  })
})
