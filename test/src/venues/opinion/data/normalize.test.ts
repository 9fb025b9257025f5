// Recorded rows in our words, and each quirk of them.
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
/** A recorded child, as a market that stands alone would be told: with what only rows of lists have. */
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
  test('is an event of its children, each a market of two tokens with a book each', () => {
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

  test('that is over says what each side paid, by the token that won, and not by the head, which stays “Created”', () => {
    const event = eventOf(categorical().result.data)
    expect(event.sourceMetadata.venueStatus).toBe('Created')
    expect(event.markets.map(({ status, outcomes }) => [status, ...outcomes.map(({ price }) => price)])).toEqual([
      ['resolved', 1, 0],
      ['resolved', 0, 1],
    ])
  })

  test('its children close with it where they name no time of their own, and have its rules', () => {
    const [child] = eventOf(categorical().result.data).markets
    expect(child!.resolutionDate).toBe('2026-05-15T00:00:00.000Z')
    expect(child!.description).toMatch(/^This market resolves based on/)
  })
})

describe('a market that stands alone', () => {
  test('is an event of its own number, and counts its own day', () => {
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

  test('resolved without a winner has no price, and neither has one whose winner is announced early', () => {
    expect(marketOf({ status: 4, resultTokenId: '' }).outcomes.map(({ price }) => price)).toEqual([null, null])
    const early = marketOf({ status: 3, resultTokenId: open().childMarkets[0]!.yesTokenId })
    expect(early.outcomes.map(({ price }) => price)).toEqual([null, null])
  })

  test('that pays in another token counts no dollars', () => {
    const market = marketOf({ quoteToken: '0x1111111111111111111111111111111111111111' })
    expect([market.volume, market.volume24h, market.volume24hSource]).toEqual([null, null, 'venue'])
    expect(market.sourceMetadata.collateral).toBe('0x1111111111111111111111111111111111111111')
  })

  test('a volume of zero is a fact, one of another form is unknown', () => {
    expect(marketOf({ volume24h: '0' }).volume24h).toBe(0)
    expect(marketOf({ volume24h: null, volume: { usd: 1 } })).toMatchObject({ volume24h: null, volume: null })
  })

  test('what it costs is unknown, in words', () => {
    const { fee, settlementFee } = opinion.data.feeModel()
    expect([fee.kind, settlementFee.kind]).toEqual(['unknown', 'unknown'])
  })
})

describe('no field of a recorded payload is lost', () => {
  /** A head has no tokens, no outcomes and no result, only empty words for them. */
  const ofHeads = ['conditionId', 'noLabel', 'noTokenId', 'resultTokenId', 'yesLabel', 'yesTokenId']
  /** Its word says the same; so do its children, of what it is. */
  const said = ['status', 'marketType']

  test.each([
    ['an open one', open()],
    ['one that is over', categorical().result.data],
  ])('of a categorical market: %s', (_name, row) => {
    expect(unmappedFields(row, eventOf).sort()).toEqual([...ofHeads, ...said].sort())
  })

  test('of a book', () => {
    // The condition; which token it is, the reads compare.
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
  ])('with a level %j is none', (level) => {
    const answer = { errno: 0, result: { ...orderbook().result, bids: [level] } }
    expect(normalizeBook('1:2', OpinionBookAnswer.parse(answer).result, 5)).toBeNull()
  })
})
