import { describe, expect, test } from 'vitest'
import { Event, Market } from '#schemas/market'
import { eventOf, normalizeBook, normalizeMarket } from '#venues/xo/data/normalize'
import { xo } from '#venues/xo/index'
import { XoBook, XoMarket } from '#venues/xo/wire'
import { market, outcome } from './rows.ts'

const marketOf = (more: object = {}): Market => Market.parse(normalizeMarket(XoMarket.parse(market(42, more))))
const [up, down] = [outcome(0).outcomeTokenId, outcome(1).outcomeTokenId]

describe('a market', () => {
  test('has a token and a book per outcome, and prices of eighteen decimals', () => {
    const row = marketOf()
    expect(row).toMatchObject({
      marketId: '42',
      eventId: '42',
      title: 'BTC up in five minutes?',
      status: 'active',
      volume: 1_234.5,
      volume24h: null,
      resolutionDate: '2026-09-01T12:05:00.000Z',
      outcomes: [
        { outcomeId: `42.${up}`, label: 'Yes', price: 0.65, bestBid: null, bestAsk: null },
        { outcomeId: `42.${down}`, label: 'No', price: 0.35 },
      ],
      sourceMetadata: { venueMarketType: 'BINARY', startTime: '2026-09-01T12:00:00.000Z', tokens: [up, down] },
    })
    expect(row).not.toHaveProperty('volume24hSource')
    expect(Event.parse(eventOf(row))).toMatchObject({
      id: '42',
      slug: 'btc-5m-pulse',
      volume: 1_234.5,
      volume24h: null,
    })
    for (const { outcomeId } of row.outcomes) {
      expect(xo.data.bookRef(outcomeId)).toEqual({ bookId: outcomeId, complement: false })
    }
  })

  test('numbers outcomes without a name', () => {
    const nameless = { title: null, name: null }
    const { outcomes } = marketOf({ outcomes: [outcome(0, nameless), outcome(1, { ...nameless, name: 'Down' })] })
    expect(outcomes.map(({ label }) => label)).toEqual(['Outcome 1', 'Down'])
  })

  test.each([
    ['0', 0],
    ['1000000000000000000', 1],
    ['123456789012345678', 0.123457],
    ['0.25', 0.25],
    ['2000000000000000000', null],
    [null, null],
    ['x', null],
  ])('with a price of %j is priced at %j', (price, expected) => {
    expect(marketOf({ outcomes: [outcome(0, { price }), outcome(1)] }).outcomes[0]!.price).toBe(expected)
  })

  test.each([
    ['ACTIVE', 'active'],
    ['PENDING', 'inactive'],
    ['UPDATE_REQUIRED', 'inactive'],
    ['CANCELLED', 'closed'],
    ['RESOLVED', 'resolved'],
    ['PAUSED', 'unknown'],
    [null, 'unknown'],
  ])('%s is %s', (status, expected) => expect(marketOf({ status }).status).toBe(expected))

  test.each([
    [{ winningOutcomeId: 71 }, [0, 1]],
    [{ winningOutcomeId: '70' }, [1, 0]],
    [{ winningOutcome: { id: 70 } }, [1, 0]],
    [{ winningOutcomeId: 9 }, [null, null]],
    [{}, [null, null]],
  ])('resolved with %j is priced at its payout, or unknown', (winnerFields, paid) => {
    const { outcomes } = marketOf({ status: 'RESOLVED', ...winnerFields })
    expect(outcomes.map(({ price }) => price)).toEqual(paid)
  })

  test('is null without tokens or a number; optional fields of another type lose only their values', () => {
    const read = (row: object) => {
      const { data } = XoMarket.safeParse(row)
      return data === undefined ? null : normalizeMarket(data)
    }
    expect(read(market(42, { outcomes: [outcome(0), outcome(1, { outcomeTokenId: null })] }))).toBeNull()
    expect(read({ ...market(42), id: 'abc' })).toBeNull()
    expect(read(market(42, { outcomes: [outcome(0)] }))).toBeNull()
    expect(marketOf({ slug: 7, type: {}, expiresAt: 'soon', totalVolumeInUSD: {} })).toMatchObject({
      volume: null,
      status: 'active',
    })
  })
})

describe('a book', () => {
  const read = (bids: unknown[], asks: unknown[]) => normalizeBook('42.1', XoBook.parse({ bids, asks }), 7)

  test('is read from objects or pairs, in any order', () => {
    expect(
      read(
        [
          { price: '0.4', size: '10' },
          { price: '0.41', size: 5 },
        ],
        [['0.43', '7.5']],
      ),
    ).toMatchObject({
      bookId: '42.1',
      bids: [
        [400_000, 10],
        [410_000, 5],
      ],
      asks: [[430_000, 7.5]],
      eventTs: null,
    })
    expect(read([], [])).toMatchObject({ bids: [], asks: [] })
  })

  test.each([[{ price: '1.5', size: '1' }], [{ price: '0.4', size: '-1' }], [{ price: '0.4' }], [['0.4']]])(
    'with the level %j is null',
    (level) => {
      const parsed = XoBook.safeParse({ bids: [level], asks: [] })
      expect(parsed.success ? normalizeBook('42.1', parsed.data, 7) : null).toBeNull()
    },
  )
})

test.each(['', '42', '42.', '.5', 'GEMI-A.B', '42.a b', 'ME_SEN_2026.REP', '#42.1', `42.${'1'.repeat(81)}`])(
  'rejects %j as an id of this venue',
  (id) => expect(xo.data.bookRef(id)).toBeNull(),
)

test('fees are unknown because unpublished', () => {
  const { fee, settlementFee } = xo.data.feeModel()
  expect([fee.kind, settlementFee.kind]).toEqual(['unknown', 'unknown'])
})
