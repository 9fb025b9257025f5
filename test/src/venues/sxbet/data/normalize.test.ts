import { describe, expect, test } from 'vitest'
import { Event, Market, Series } from '#schemas/market'
import { normalizeEvent, normalizeMarket, seriesOf } from '#venues/sxbet/data/normalize'
import { SxbetBook, SxbetMarket, SxbetTrade } from '#venues/sxbet/wire'
import { book, reported, spread, trade, winner } from './rows.ts'

const marketOf = (row: object) => Market.parse(normalizeMarket(SxbetMarket.parse(row)))

describe('a market', () => {
  test('has the venue’s two sides, no prices, and a synthetic book', () => {
    const market = marketOf(spread)
    expect(market).toMatchObject({
      marketId: spread.marketHash,
      eventId: 'L18870109',
      title:
        'Los Angeles Rams vs San Francisco 49ers: Asian Handicap Including Overtime, Los Angeles Rams -2.5 / San Francisco 49ers +2.5',
      status: 'active',
      resolutionDate: '2026-09-11T00:35:00.000Z',
      category: 'Football',
      tags: ['Football', 'NFL'],
      tickSize: 0.00125,
      volume24h: null,
      volume: null,
    })
    expect(market.outcomes.map(({ outcomeId, label, price, bestBid }) => [outcomeId, label, price, bestBid])).toEqual([
      [`${spread.marketHash}:1`, 'Los Angeles Rams -2.5', null, null],
      [`${spread.marketHash}:2`, 'San Francisco 49ers +2.5', null, null],
    ])
    expect(market.sourceMetadata).toMatchObject({ synthetic: true, line: -2.5, venueType: 342, volumeUnit: 'USD' })
  })

  test.each([
    ['the winner market is titled by its teams only', winner, 'Winner Including Overtime'],
    [
      'a line missing in the side names is put before them',
      { ...spread, type: 3, outcomeOneName: 'Rams', outcomeTwoName: '49ers' },
      'Asian Handicap -2.5, Rams / 49ers',
    ],
    [
      'a side of a three-way market has its name in the title',
      { ...winner, type: 1, outcomeOneName: 'Tie', outcomeTwoName: 'Not Tie' },
      '1X2, Tie / Not Tie',
    ],
    ['an unknown type is titled by its sides', { ...winner, type: 99_999 }, 'Los Angeles Rams / San Francisco 49ers'],
  ])('%s', (_, row, question) => {
    expect(marketOf(row).title).toBe(`Los Angeles Rams vs San Francisco 49ers: ${question}`)
  })

  test('of a tournament is titled by the tournament and the competitor', () => {
    const row = {
      ...winner,
      type: 274,
      leagueLabel: 'NFL Outright',
      outcomeTwoName: 'The Field',
      teamTwoName: 'The Field',
    }
    expect(marketOf(row).title).toBe('NFL Outright: Los Angeles Rams')
  })

  test('with a reported result is resolved at its payouts, whatever its status', () => {
    const paid = (outcome: number) => marketOf({ ...reported, outcome }).outcomes.map(({ price }) => price)
    expect(marketOf(reported)).toMatchObject({
      status: 'resolved',
      sourceMetadata: { result: '2', settlementTime: '2020-12-17T19:51:59.000Z', teamOneScore: 0 },
    })
    expect([paid(1), paid(2)]).toEqual([
      [1, 0],
      [0, 1],
    ])
    // Stakes are returned, so there is no payout price.
    expect(paid(0)).toEqual([null, null])
  })

  test('is inactive when INACTIVE, and unknown with an unknown status', () => {
    expect(['INACTIVE', 'PAUSED'].map((status) => marketOf({ ...spread, status }).status)).toEqual([
      'inactive',
      'unknown',
    ])
  })

  test('without a game time has no resolution date', () => {
    expect(marketOf({ ...spread, gameTime: 0 })).not.toHaveProperty('resolutionDate')
  })

  test('with an invalid result has an unknown status and no price', () => {
    for (const outcome of [3, '1', {}]) {
      const market = marketOf({ ...spread, outcome })
      expect([market.status, ...market.outcomes.map(({ price }) => price)]).toEqual(['unknown', null, null])
    }
  })

  test.each([
    ['no side two', { outcomeTwoName: undefined }],
    ['a hash in another format', { marketHash: '0x1' }],
  ])('with %s is invalid', (_, more) => {
    expect(SxbetMarket.safeParse({ ...spread, ...more }).success).toBe(false)
  })
})

test.each([undefined, null, '', 5])('a market with the fixture %s is its own event', (sportXeventId) => {
  const raw = SxbetMarket.parse({ ...spread, sportXeventId })
  const event = Event.parse(normalizeEvent([raw]))
  expect(event).toMatchObject({ id: spread.marketHash, title: 'Los Angeles Rams vs San Francisco 49ers' })
  expect(event.markets.map(({ eventId }) => eventId)).toEqual([spread.marketHash])
})

test('a fixture is one event with all its markets, and its league is a series', () => {
  const rows = [spread, winner].map((row) => SxbetMarket.parse(row))
  const event = Event.parse(normalizeEvent(rows))
  expect(event).toMatchObject({
    id: 'L18870109',
    title: 'Los Angeles Rams vs San Francisco 49ers',
    seriesId: '243',
    volume24h: null,
    volume24hSource: { sources: [], partial: true },
  })
  expect(event.markets.map(({ marketId }) => marketId)).toEqual([spread.marketHash, winner.marketHash])
  expect(Series.parse(seriesOf(rows[0]!))).toMatchObject({ id: '243', title: 'NFL' })
  expect(seriesOf(SxbetMarket.parse({ ...spread, leagueLabel: '' }))).toBeNull()
})

/** Fields that the venue sends and we do not read, with the reason. */
const ignored: Readonly<Record<string, string>> = {
  'book.eventId': 'available on the market',
  'trade.eventId': 'available on the market',
  'trade.outcomeLabel': 'available on the market',
  'trade.gameTime': 'available on the market',
  'trade.type': 'available on the market',
  'trade.sportId': 'available on the market',
  'trade.leagueLabel': 'available on the market',
  'trade.teamOneName': 'available on the market',
  'trade.teamTwoName': 'available on the market',
  'trade.totalReturn': 'rounded; stake divided by price is exact',
}

test('every observed field is read or has a reason why not', () => {
  const shapes = { market: SxbetMarket, book: SxbetBook, trade: SxbetTrade }
  const seen = { market: { ...spread, ...reported }, book: { ...book, eventId: 'L18870109' }, trade }
  const left = Object.entries(seen).flatMap(([name, row]) =>
    Object.keys(row)
      .filter((field) => !Object.hasOwn(shapes[name as keyof typeof shapes].shape, field))
      .map((field) => `${name}.${field}`),
  )
  expect(left.sort()).toEqual(Object.keys(ignored).sort())
})
